#include "cli/reference/manual.h"

namespace reissue::cli {

const std::vector<Topic>& ExitStatuses() {
  static const std::vector<Topic> kTopics = {
      {"0", "Done, and the promise is kept."},
      {"1",
       "Done, but the promise is broken (audit, verify), or it cannot be kept (check; publish: "
       "nothing "
       "is written)."},
      {"2", "The command line makes no sense."},
      {"3", "A policy, taxonomy, table, release or certificate is wrong or cannot be read."},
      {"4",
       "The machine failed (disk, permission, lock, memory), or a bug of the program was noticed. "
       "Nothing half-done is left."},
      {"5",
       "Nothing contradicts the certificate, and part of it rests on somebody's word (verify)."},
  };
  return kTopics;
}

const std::vector<Topic>& EnvironmentVariables() {
  static const std::vector<Topic> kTopics = {
      {"REISSUE_PASSPHRASE_FILE",
       "A file whose first line is the passphrase of the vault. Without it, the program asks on "
       "the "
       "terminal."},
      {"REISSUE_NEW_PASSPHRASE_FILE",
       "A file whose first line is the new passphrase (vault passphrase)."},
      {"REISSUE_PROGRESS",
       "If set to json, standard error says how far the work is, for programs: at most five lines "
       "a "
       "second, each an object with stage, done, total (0: not known) and seconds of the stage."},
      {"NO_COLOR", "If set to anything, no colours are used. They are only used on a terminal."},
      {"SOURCE_DATE_EPOCH",
       "Seconds since 1970 that are recorded as the time of publication instead of the clock's, "
       "for "
       "tests and reproducible runs."},
  };
  return kTopics;
}

const std::vector<Topic>& Files() {
  static const std::vector<Topic> kTopics = {
      {"POLICY",
       "TOML: the role of every column (identifier, quasi, sensitive, publish, drop) and what is "
       "promised."},
      {"TABLE",
       "CSV with a header, UTF-8, one row per person; may be compressed with gzip or zstd."},
      {"TAXONOMY",
       "CSV without a header: one line per value, from the value itself to its ever wider groups, "
       "for example 23;[20,30);[0,50);*."},
      {"RELEASE", "CSV: what is published. Rows are in random order."},
      {"CERTIFICATE", "JSON beside the release: what was guaranteed and measured."},
      {"DIR", "The vault: the private record of a series. It never leaves the holder."},
  };
  return kTopics;
}

}  // namespace reissue::cli
