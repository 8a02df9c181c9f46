// Times a series of releases of a table whose values change (model j-similarity) beside loading its
// files: all tables of a directory are loaded, then published one after the other into a vault.
//
//   evolving POLICY TABLE_DIR THREADS OUT_DIR
//
// TABLE_DIR as `reissue simulate bkseq` makes it. Seconds are of all processors, so that what else
// the machine does hardly counts; `wall` is by the clock.

#include <cstdio>
#include <cstdlib>

#include "table_series.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  reissue::ThreadPool pool(std::strtoul(argv[3], nullptr, 10));
  reissue::Progress progress;
  reissue::binding::Context context{reissue::io::SystemFiles(), pool, progress};
  unsigned long long shown = 0;
  const auto times = reissue::bench::PublishSeries(
      argv[1], argv[2], argv[4], context, [&](const auto& report) { shown += report.rows_out; });
  std::printf(
      "{\"releases\":%zu,\"rows\":%llu,\"load\":%.4f,\"load_wall\":%.4f,\"publish\":%.4f,"
      "\"publish_wall\":%.4f,\"early\":%.4f,\"middle\":%.4f,\"late\":%.4f,\"suppressed\":%llu,"
      "\"peak_mb\":%.1f}\n",
      times.releases, times.rows, times.load, times.load_wall, times.published(),
      times.publish_wall, times.early(), times.middle(), times.late(), times.rows - shown,
      reissue::bench::PeakMegabytes());
}
