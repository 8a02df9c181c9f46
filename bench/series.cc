// Times the second release of a growing table beside loading it: load and cells of the larger
// table, publish the smaller one, publish the larger one after it, audit both files.
//
//   series POLICY SMALLER LARGER THREADS OUT_DIR

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "measure.h"
#include "reissue/binding/load.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/publish.h"
#include "reissue/io/policy.h"
#include "reissue/models/bcf/service/report.h"

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
  const reissue::io::Policy policy = Must(reissue::io::ReadPolicy(context.files, argv[1]));

  const double start = Now();
  {
    const auto holder = Must(reissue::binding::LoadTable(policy, argv[3], context));
    std::vector<reissue::ColumnId> columns;
    for (const auto& quasi : holder.quasi) columns.push_back(quasi.column);
    if (reissue::BuildCells(holder.table, columns, pool).size() == 0) return 1;
  }
  const double loaded = Now();
  reissue::contract::PublishRequest request;
  request.vault = out + "/vault";
  request.policy = argv[1];
  request.passphrase.none = true;
  request.created = "2000-01-01T00:00:00Z";
  request.table = argv[2];
  request.out = out + "/release-1.csv";
  const auto first = Must(engine::Publish(request, context));
  const double between = Now();
  request.table = argv[3];
  request.out = out + "/release-2.csv";
  const auto second = Must(engine::Publish(request, context));
  const double published = Now();
  const double peak = PeakMegabytes();
  const auto audit =
      Must(engine::Audit(policy, {out + "/release-1.csv", out + "/release-2.csv"}, context));
  const double audited = Now();
  std::printf(
      "{\"load\":%.4f,\"first\":%.4f,\"second\":%.4f,\"audit\":%.4f,\"rows\":%llu,"
      "\"cells\":%llu,\"left\":%llu,\"satisfied\":%d,\"cost\":%.6f,\"peak_mb\":%.1f}\n",
      loaded - start, between - loaded, published - between, audited - published,
      static_cast<unsigned long long>(second.rows_in),
      static_cast<unsigned long long>(second.audit.cells),
      static_cast<unsigned long long>(
          audit.findings.As<reissue::models::bcf::service::SeriesFindings>().exact->lower),
      audit.satisfied ? 1 : 0, second.details.As<reissue::models::k::service::SearchDetails>().cost,
      peak);
  std::filesystem::remove_all(request.vault);
  for (const char* name : {"/release-1.csv", "/release-2.csv"}) {
    std::filesystem::remove(out + name);
    std::filesystem::remove(out + name + ".certificate.json");
  }
  return audit.satisfied && first.release == 1 ? 0 : 1;
}
