#include "reissue/io/toml_layout.h"

#include <algorithm>

#include "reissue/io/policy_toml.h"

namespace reissue::io {
namespace {

class LayoutScanner {
 public:
  explicit LayoutScanner(std::string_view text) : text_(text) {
    layout_.sections.emplace_back();
    if (text.starts_with("\xEF\xBB\xBF")) at_ = layout_.sections[0].end = 3;
  }

  TomlLayout Run() {
    for (SkipBlank(true); at_ < text_.size(); SkipBlank(true)) {
      const std::size_t before = at_;
      if (text_[at_] == '[') {
        ReadHeader();
      } else {
        ReadEntry(layout_.sections.back().path, false);
        layout_.sections.back().empty = false;
      }
      at_ = std::max(at_, before + 1);  // whatever the text is, there is an end
      at_ = EndOfLine(at_);
      layout_.sections.back().end = at_;
    }
    return std::move(layout_);
  }

 private:
  std::size_t EndOfLine(std::size_t at) const {
    const std::size_t end = text_.find('\n', at);
    return end == std::string_view::npos ? text_.size() : end + 1;
  }

  void SkipBlank(bool lines) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || (lines && (c == '\n' || c == '\r'))) {
        ++at_;
      } else if (lines && c == '#') {
        at_ = EndOfLine(at_);
      } else {
        return;
      }
    }
  }

  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  TomlLayout::Path ReadKey() {
    TomlLayout::Path path;
    do {
      SkipBlank(false);
      const std::size_t begin = at_;
      if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
        at_ = EndOfTomlString(text_, at_);
        const auto decoded = ParseToml("k = " + std::string(text_.substr(begin, at_ - begin)), "");
        path.push_back(decoded && !decoded->table.empty() ? decoded->table[0].second.text : "");
      } else {
        constexpr std::string_view kEnds = " \t.=]\r\n";
        while (at_ < text_.size() && kEnds.find(text_[at_]) == std::string_view::npos) ++at_;
        path.emplace_back(text_.substr(begin, at_ - begin));
      }
      SkipBlank(false);
    } while (Take('.'));
    return path;
  }

  void ReadHeader() {
    TomlLayout::Section section;
    section.begin = at_++;
    section.list = Take('[');
    section.path = ReadKey();
    layout_.sections.push_back(std::move(section));
  }

  void ReadEntry(const TomlLayout::Path& prefix, bool within) {
    TomlLayout::Entry entry;
    entry.begin = at_;
    entry.within = within;
    entry.path = prefix;
    for (std::string& part : ReadKey()) entry.path.push_back(std::move(part));
    if (!Take('=')) return;
    SkipBlank(false);
    entry.value_begin = at_;
    entry.braces = at_ < text_.size() && text_[at_] == '{';
    const std::size_t index = layout_.entries.size();
    const bool listed = layout_.sections.back().list;
    if (!listed) layout_.entries.push_back(entry);
    std::size_t last = 0;
    if (entry.braces) {
      last = ReadBraces(entry.path);
    } else {
      SkipValue();
    }
    if (listed) return;
    layout_.entries[index].value_end = at_;
    layout_.entries[index].last = last;
  }

  // Up to behind the closing brace; where the last element ends.
  std::size_t ReadBraces(const TomlLayout::Path& path) {
    std::size_t last = 0;
    ++at_;
    for (SkipBlank(true); at_ < text_.size() && !Take('}'); SkipBlank(true)) {
      const std::size_t before = at_;
      ReadEntry(path, true);
      last = at_;
      SkipBlank(true);
      Take(',');
      if (at_ == before) ++at_;
    }
    return last;
  }

  void SkipValue() {
    if (at_ >= text_.size()) return;
    if (text_[at_] == '"' || text_[at_] == '\'') {
      at_ = EndOfTomlString(text_, at_);
    } else if (text_[at_] == '[') {
      SkipList();
    } else {
      constexpr std::string_view kEnds = ",]}#\r\n";
      while (at_ < text_.size() && kEnds.find(text_[at_]) == std::string_view::npos) ++at_;
      while (at_ > 0 && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t')) --at_;
    }
  }

  void SkipList() {
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        at_ = EndOfTomlString(text_, at_);
        continue;
      }
      if (c == '#') {
        at_ = EndOfLine(at_);
        continue;
      }
      ++at_;
      if (c == '[' || c == '{') ++depth;
      if ((c == ']' || c == '}') && --depth == 0) return;
    }
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  TomlLayout layout_;
};

}  // namespace

const TomlLayout::Entry* TomlLayout::Find(const Path& path) const {
  for (const Entry& entry : entries) {
    if (entry.path == path) return &entry;
  }
  return nullptr;
}

const TomlLayout::Section* TomlLayout::FindSection(const Path& path) const {
  for (const Section& section : sections) {
    if (section.path == path && !section.list) return &section;
  }
  return nullptr;
}

TomlLayout LayoutOf(std::string_view text) { return LayoutScanner(text).Run(); }

std::uint64_t LineAt(std::string_view text, std::size_t at) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  return 1 + static_cast<std::uint64_t>(std::count(text.begin(), end, '\n'));
}

}  // namespace reissue::io
