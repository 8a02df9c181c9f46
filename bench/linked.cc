// Times a release that is linked to an earlier one beside loading the two files.
//
//   linked POLICY TABLE PRIOR THREADS OUT_DIR

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "measure.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/publish.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"

using reissue::bench::CpuSeconds;
using reissue::bench::Must;
using reissue::bench::Now;
using reissue::bench::PeakMegabytes;

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  namespace engine = reissue::engine;
  const std::string out = argv[5];
  reissue::ThreadPool pool(std::strtoul(argv[4], nullptr, 10));
  reissue::Progress progress;
  reissue::binding::Context context{reissue::io::SystemFiles(), pool, progress};
  const double start = Now(), start_cpu = CpuSeconds();
  for (const int file : {2, 3}) {
    const auto table = Must(reissue::io::ReadCsv(context.files, argv[file], {}, pool, progress));
    std::vector<reissue::ColumnId> columns;
    for (std::size_t c = 0; c < table.table.width(); ++c) columns.push_back(reissue::ColumnId(c));
    if (reissue::BuildCells(table.table, columns, pool).size() == 0) return 1;
  }
  const double loaded = Now(), loaded_cpu = CpuSeconds();
  reissue::contract::PublishRequest request;
  request.vault = out + "/vault";
  request.policy = argv[1];
  request.passphrase.none = true;
  request.created = "2000-01-01T00:00:00Z";
  request.table = argv[2];
  request.priors = {{"", argv[3]}};
  request.out = out + "/linked.csv";
  const auto report = Must(engine::Publish(request, context));
  const double published = Now(), published_cpu = CpuSeconds();
  std::printf(
      "{\"load\":%.4f,\"publish\":%.4f,\"load_cpu\":%.4f,\"publish_cpu\":%.4f,\"rows\":%llu,"
      "\"satisfied\":%d,\"peak_mb\":%.1f}\n",
      loaded - start, published - loaded, loaded_cpu - start_cpu, published_cpu - loaded_cpu,
      static_cast<unsigned long long>(report.rows_in), report.audit.satisfied ? 1 : 0,
      PeakMegabytes());
  std::filesystem::remove_all(request.vault);
  std::filesystem::remove(request.out);
  std::filesystem::remove(request.out + ".certificate.json");
}
