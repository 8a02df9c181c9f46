// Times a series of releases of a table whose rows come and go (model m-invariance) beside loading
// its files: all tables of a directory are loaded, then published one after the other into a vault.
//
//   changing POLICY TABLE_DIR THREADS OUT_DIR
//
// TABLE_DIR as `reissue simulate updates` makes it. Seconds are of all processors, so that what
// else the machine does hardly counts; `wall` is by the clock.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "measure.h"
#include "reissue/engine/publish.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"

using reissue::bench::CpuSeconds;
using reissue::bench::Must;
using reissue::bench::Now;
using reissue::bench::PeakMegabytes;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> TablesIn(const char* directory) {
  std::vector<std::string> tables;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == ".csv") tables.push_back(entry.path().string());
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

// Mean of the first and of the last quarter: does a release take longer the more there were?
double MeanOf(std::vector<double>::const_iterator begin, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += begin[static_cast<std::ptrdiff_t>(i)];
  return sum / static_cast<double>(count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  namespace engine = reissue::engine;
  const std::string out = argv[4];
  reissue::ThreadPool pool(std::strtoul(argv[3], nullptr, 10));
  reissue::Progress progress;
  engine::Context context{reissue::io::SystemFiles(), pool, progress};
  const reissue::io::Policy policy = Must(reissue::io::ReadPolicy(context.files, argv[1]));
  const std::vector<std::string> tables = TablesIn(argv[2]);
  if (tables.size() < 2) return 2;

  const double load_start = CpuSeconds(), load_wall = Now();
  unsigned long long rows = 0;
  for (const std::string& table : tables) {
    rows +=
        Must(reissue::io::ReadCsv(context.files, table, policy.csv, pool, progress)).table.rows();
  }
  const double loaded = CpuSeconds() - load_start, loaded_wall = Now() - load_wall;

  engine::PublishRequest request;
  request.vault = out + "/vault";
  request.policy = argv[1];
  request.passphrase.none = true;
  request.created = "2000-01-01T00:00:00Z";
  const fs::path files = fs::path(out) / "files";
  fs::create_directories(files);
  std::vector<double> seconds;
  unsigned long long counterfeits = 0;
  const double wall = Now();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    request.table = tables[i];
    request.out = (files / (std::to_string(i) + ".csv")).string();
    const double start = CpuSeconds();
    const auto report = Must(engine::Publish(request, context));
    seconds.push_back(CpuSeconds() - start);
    counterfeits += report.changing->counterfeits_new + report.changing->counterfeits_kept;
  }
  const double published_wall = Now() - wall;
  double published = 0;
  for (const double one : seconds) published += one;
  const std::size_t quarter = std::max<std::size_t>(1, (seconds.size() - 1) / 4);
  std::printf(
      "{\"releases\":%zu,\"rows\":%llu,\"load\":%.4f,\"load_wall\":%.4f,\"publish\":%.4f,"
      "\"publish_wall\":%.4f,\"early\":%.4f,\"late\":%.4f,\"counterfeits\":%llu,\"peak_mb\":%.1f}"
      "\n",
      tables.size(), rows, loaded, loaded_wall, published, published_wall,
      MeanOf(seconds.begin() + 1, quarter),
      MeanOf(seconds.end() - static_cast<std::ptrdiff_t>(quarter), quarter), counterfeits,
      PeakMegabytes());
  fs::remove_all(request.vault);
  fs::remove_all(files);
}
