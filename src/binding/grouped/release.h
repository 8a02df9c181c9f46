#pragma once
// A release in groups as files: rows in random order with numbers of groups that say nothing, and
// what may lie beside them.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/labels.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"

namespace reissue::binding {

// Names of columns in the files of a release.
inline constexpr char kGroupColumn[] = "group";
inline constexpr char kCountColumn[] = "count";
inline constexpr char kCounterfeitsColumn[] = "counterfeits";

// Which files a release has. By default one table in which everybody's value stands.
struct GroupedFiles {
  bool values_apart = false;  // values are counted per group in a file of their own
  bool counterfeits = false;  // a file says how many each group has
};
// Files beside a release have its name and one of these.
inline constexpr char kSensitiveSuffix[] = ".sensitive.csv";
inline constexpr char kCounterfeitsSuffix[] = ".counterfeits.csv";
// Those there are, in this order.
std::vector<std::string> SuffixesOf(const GroupedFiles& files);

// Entries are the rows of the table, then those that belong to nobody.
struct GroupedRelease {
  std::size_t people = 0;
  std::vector<ShownColumn> columns;
  std::uint32_t groups = 0;
  std::vector<std::uint32_t> group;  // per entry; numbers say nothing; kNoGroup: left out
  std::vector<std::uint32_t> value;  // per entry, a code
  std::size_t size() const { return group.size(); }
};

// Gives the groups that have anybody numbers that say nothing.
void Renumber(GroupedRelease& release, Random& random);

std::vector<std::string> NamesOf(const GroupedRelease& release);
// The fields of an entry's columns, each with a comma behind it.
void AppendShown(const GroupedRelease& release, std::size_t entry, std::string& text);

// Writes a new file, private until the vault puts it in place, and syncs it. `sensitive`: names of
// the sensitive columns. `values`: by code.
Status WriteMain(const GroupedRelease& release, const GroupedFiles& files,
                 const std::vector<std::string>& sensitive, const std::vector<ValueTexts>& values,
                 const std::string& path, Random& random, Context& context);
// The file with one of the suffixes.
Status WriteBeside(const GroupedRelease& release, const std::string& suffix,
                   const std::vector<std::string>& sensitive, const std::vector<ValueTexts>& values,
                   const std::string& path, Context& context);

}  // namespace reissue::binding
