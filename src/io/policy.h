#pragma once
// The policy: what the columns are and what is promised (TOML; docs/formats/policy.md). The reader
// checks the file against the list of known keys and answers with line, column, what was expected
// and, for an unknown key, the nearest known one. It knows no model: the keys of [guarantee] and of
// [knowledge] come as plain values that the model interprets.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"

namespace reissue::io {

enum class Role { kIdentifier, kQuasi, kSensitive, kPublish, kDrop };

struct PolicyColumn {
  std::string name;
  Role role = Role::kDrop;
  bool numeric = false;                          // type = "numeric"
  std::string taxonomy;                          // path as resolved; empty where there is none
  std::vector<std::vector<double>> breakpoints;  // finest first; one list: merged pairwise
  bool round_ranges = false;                     // ranges = "round"
  double weight = 1;                             // what losing its detail costs
  std::optional<std::uint32_t> floor = {};       // never finer than this level, 0 are raw values
  std::optional<std::uint32_t> ceiling = {};     // never coarser
  bool sets = false;                             // neighbours in the taxonomy may be one label
  std::vector<std::string> order;                // sensitive: values in order, for t-closeness
  std::uint64_t line = 0;
};

// A value of [guarantee] or [knowledge]. Lists and tables keep their order.
struct Setting {
  enum class Kind { kNumber, kText, kFlag, kList, kTable };
  Kind kind = Kind::kNumber;
  double number = 0;
  bool integer = false;  // written without a fraction
  std::string text;
  bool flag = false;
  std::vector<Setting> list;
  std::vector<std::pair<std::string, Setting>> table;
  std::uint64_t line = 0;

  // Defined below the class, where a pair with a Setting is a complete type.
  Setting();
  ~Setting();
  Setting(const Setting&);
  Setting(Setting&&) noexcept;
  Setting& operator=(const Setting&);
  Setting& operator=(Setting&&) noexcept;
};
inline Setting::Setting() = default;
inline Setting::~Setting() = default;
inline Setting::Setting(const Setting&) = default;
inline Setting::Setting(Setting&&) noexcept = default;
inline Setting& Setting::operator=(const Setting&) = default;
inline Setting& Setting::operator=(Setting&&) noexcept = default;

// Where tables live that are not files (docs/databases.md): [source].
struct PolicySource {
  std::vector<std::string> servers;  // as libpq is told; one, or the shards. None: no [source]
  bool lock = false;                 // consistent = "lock"
  std::optional<std::uint64_t> timeout = {};  // seconds for a statement
  std::string file;                           // the policy
  std::uint64_t line = 0;                     // of the servers
};

struct Policy {
  std::string file;  // as given
  std::string text;  // the bytes of the file
  // Of text and of every taxonomy file it names, in order, and of the files of the reader's prior
  // and transition beliefs. Not of the compromised records: they grow.
  std::string digest;
  std::string title;
  std::vector<PolicyColumn> columns;  // in file order
  CsvOptions csv;                     // from [table]: separator, header, trim, missing, …
  PolicySource source;
  bool drops_others = false;  // others = "drop": as if every other column were a kDrop
  std::vector<std::pair<std::string, Setting>> guarantee;  // includes model, and
                                                           // [[inconsistent]] as a list
  std::uint64_t guarantee_line = 0;
  // What readers know beforehand; paths as written (see Beside).
  std::vector<std::pair<std::string, Setting>> knowledge;
  std::uint64_t knowledge_line = 0;  // 0: the policy has no [knowledge]

  const PolicyColumn* Find(std::string_view name) const;
  std::vector<const PolicyColumn*> WithRole(Role role) const;  // in file order
  const Setting* Get(std::string_view key) const;              // of [guarantee]
};

// Reads and checks the file by itself: TOML syntax, known keys, types, roles, at least one
// quasi-identifier, a guarantee with a model, taxonomy files that can be read, files of beliefs
// too. Paths in it are relative to the policy's directory.
Result<Policy> ReadPolicy(FileSystem& files, const std::string& path);
// The same, with everything that is wrong and not only the first thing. Where there are problems
// the policy is what could be read: columns that could not are there without a role (kDrop).
struct PolicyReading {
  Policy policy;
  std::vector<Error> problems;  // in the order in which ReadPolicy would meet them
  bool has_columns = false;     // the roles of some are known, so that a table can be looked at
};
PolicyReading ReadWholePolicy(FileSystem& files, const std::string& path);
// As ReadPolicy where the files of prior and transition beliefs need not exist yet: they have no
// part in the digest.
Result<Policy> ReadPolicyWithoutBeliefs(FileSystem& files, const std::string& path);
// The same where no file that it names need exist yet, taxonomies neither: it has no digest.
Result<Policy> ReadPolicyAlone(FileSystem& files, const std::string& path);

// A path that a policy names: relative to the policy's directory.
std::string Beside(const std::string& policy_path, const std::string& path);

// Where prior or transition beliefs of [knowledge] come from, if not from a file.
inline constexpr char kUniformBeliefs[] = "uniform";
inline constexpr char kLearnedBeliefs[] = "learned";

// The known word nearest to `word` (edit distance at most a third of its length), or empty.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);
// `Did you mean "x"? `, to begin a remedy with; empty where no known word is near.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& known);

}  // namespace reissue::io
