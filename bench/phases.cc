// Times the phases of publishing one table in one process: load, cells of the quasi-identifiers,
// and the whole of publish (load, cells, search, attack, write, sync, record), that one in seconds
// of all processors too.
//
//   phases POLICY TABLE THREADS OUT_DIR

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "measure.h"
#include "reissue/binding/load.h"
#include "reissue/engine/publish.h"
#include "reissue/io/policy.h"
#include "reissue/models/k/service/report.h"

using reissue::bench::CpuSeconds;
using reissue::bench::Must;
using reissue::bench::Now;
using reissue::bench::PeakMegabytes;

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::string out = argv[4];
  reissue::ThreadPool pool(std::strtoul(argv[3], nullptr, 10));
  reissue::Progress progress;
  reissue::binding::Context context{reissue::io::SystemFiles(), pool, progress};
  const reissue::io::Policy policy = Must(reissue::io::ReadPolicy(context.files, argv[1]));

  const double start = Now();
  std::size_t cells = 0;
  std::size_t rows = 0;
  double loaded = 0;
  {
    const auto holder = Must(reissue::binding::LoadTable(policy, argv[2], context));
    loaded = Now();
    std::vector<reissue::ColumnId> columns;
    for (const auto& quasi : holder.quasi) columns.push_back(quasi.column);
    cells = reissue::BuildCells(holder.table, columns, pool).size();
    rows = holder.table.rows();
  }
  const double counted = Now();

  reissue::contract::PublishRequest request;
  request.vault = out + "/vault";
  request.policy = argv[1];
  request.table = argv[2];
  request.out = out + "/release.csv";
  request.passphrase.none = true;
  request.created = "2000-01-01T00:00:00Z";
  const double before = Now(), cpu_before = CpuSeconds();
  const auto report = Must(reissue::engine::Publish(request, context));
  const double published = Now(), cpu_published = CpuSeconds();
  const auto& search = report.details.As<reissue::models::k::service::SearchDetails>();
  std::printf(
      "{\"load\":%.4f,\"cells\":%.4f,\"publish\":%.4f,\"publish_cpu\":%.4f,"
      "\"rows\":%zu,\"combinations\":%zu,"
      "\"released_cells\":%llu,\"cost\":%.6f,\"descents\":%llu,\"peak_mb\":%.1f}\n",
      loaded - start, counted - loaded, published - before, cpu_published - cpu_before, rows, cells,
      static_cast<unsigned long long>(report.audit.cells), search.cost,
      static_cast<unsigned long long>(search.descents), PeakMegabytes());
  std::filesystem::remove_all(request.vault);
  std::filesystem::remove(request.out);
  std::filesystem::remove(report.certificate);
}
