#pragma once
// A series of tables published one after the other into a vault, timed beside loading its files:
// what the benchmarks of changing and of evolving tables share.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "measure.h"
#include "reissue/engine/publish.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"

namespace reissue::bench {

// table-01.csv, table-02.csv, … as `reissue simulate` makes them.
inline std::vector<std::string> TablesIn(const std::string& directory) {
  std::vector<std::string> tables;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("table-") && name.ends_with(".csv")) tables.push_back(entry.path());
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

struct SeriesTimes {
  std::size_t releases = 0;
  unsigned long long rows = 0;
  double load = 0, load_wall = 0;  // processor seconds, and by the clock
  std::vector<double> publish;     // processor seconds per release
  double publish_wall = 0;
  double published() const { return std::accumulate(publish.begin(), publish.end(), 0.0); }
  // Means of the second and following, of the middle and of the last releases, a quarter of them
  // each: does a release take longer the more there were?
  double early() const { return Mean(publish.size() > 1 ? 1 : 0); }
  double middle() const { return Mean((publish.size() - Quarter()) / 2); }
  double late() const { return Mean(publish.size() - Quarter()); }

 private:
  std::size_t Quarter() const { return std::max<std::size_t>(1, (publish.size() - 1) / 4); }
  double Mean(std::size_t from) const {
    const auto begin = publish.begin() + static_cast<std::ptrdiff_t>(from);
    const auto count = static_cast<std::ptrdiff_t>(Quarter());
    return std::accumulate(begin, begin + count, 0.0) / static_cast<double>(count);
  }
};

// Loads all tables, then publishes them; `seen` gets each report. Vault and files are removed.
inline SeriesTimes PublishSeries(
    const std::string& policy_file, const std::string& directory, const std::string& out,
    reissue::binding::Context& context,
    const std::function<void(const reissue::contract::PublishReport&)>& seen) {
  const io::Policy policy = Must(io::ReadPolicy(context.files, policy_file));
  const std::vector<std::string> tables = TablesIn(directory);
  SeriesTimes times;
  times.releases = tables.size();
  const double load_start = CpuSeconds(), load_wall = Now();
  for (const std::string& table : tables) {
    times.rows +=
        Must(io::ReadCsv(context.files, table, policy.csv, context.pool, context.progress))
            .table.rows();
  }
  times.load = CpuSeconds() - load_start;
  times.load_wall = Now() - load_wall;

  reissue::contract::PublishRequest request;
  request.vault = out + "/vault";
  request.policy = policy_file;
  request.passphrase.none = true;
  request.created = "2000-01-01T00:00:00Z";
  const std::filesystem::path files = std::filesystem::path(out) / "files";
  std::filesystem::create_directories(files);
  const double wall = Now();
  for (const std::string& table : tables) {
    request.table = table;
    request.out = (files / (std::to_string(times.publish.size()) + ".csv")).string();
    const double start = CpuSeconds();
    const auto report = Must(engine::Publish(request, context));
    times.publish.push_back(CpuSeconds() - start);
    seen(report);
  }
  times.publish_wall = Now() - wall;
  std::filesystem::remove_all(request.vault);
  std::filesystem::remove_all(files);
  return times;
}

}  // namespace reissue::bench
