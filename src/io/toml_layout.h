#pragma once
// Where things stand in a text that is known to be TOML: what a change in place needs. Internal to
// io.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reissue::io {

struct TomlLayout {
  using Path = std::vector<std::string>;
  struct Entry {
    Path path;
    std::size_t begin = 0;  // of the key
    std::size_t value_begin = 0, value_end = 0;
    bool braces = false;   // the value is a table in braces,
    std::size_t last = 0;  // whose last element ends here; 0: it is empty
    bool within = false;   // it stands in one itself
  };
  struct Section {
    Path path;
    std::size_t begin = 0;  // of the header
    std::size_t end = 0;    // of its last line that says something, behind the line feed
    bool list = false;      // [[…]]
    bool empty = true;      // no entry
  };
  std::vector<Entry> entries;
  std::vector<Section> sections;  // the first one has no header

  const Entry* Find(const Path& path) const;
  const Section* FindSection(const Path& path) const;
};

// Entries of lists of tables are left out.
TomlLayout LayoutOf(std::string_view text);

std::uint64_t LineAt(std::string_view text, std::size_t at);

}  // namespace reissue::io
