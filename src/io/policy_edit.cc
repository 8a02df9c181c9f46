#include "reissue/io/policy_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "reissue/io/policy_toml.h"
#include "reissue/io/policy_words.h"
#include "reissue/io/toml_layout.h"

namespace reissue::io {
namespace {

using Path = TomlLayout::Path;
using Kind = Setting::Kind;

const std::vector<std::string>& Sections() {
  static const std::vector<std::string> names = {"title",   "table",     "source",
                                                 "columns", "guarantee", "knowledge"};
  return names;
}

struct Wanted {
  Path path;
  std::string value;  // as given; empty: the setting is to go
};

Error NoSetting(const std::string& given, const std::string& why) {
  return UsageError(fmt::format("{}: {}", given, why),
                    "Write SETTING=VALUE, for example guarantee.k=10 or columns.age.role=quasi; "
                    "a name with blanks stands in quotes: 'columns.\"zip code\".role=quasi'.");
}

// A part of a path, out of its quotes if it has some.
std::string Unquoted(std::string_view part) {
  if (part.size() >= 2 && (part.front() == '"' || part.front() == '\'') &&
      part.back() == part.front()) {
    const auto decoded = ParseToml("k = " + std::string(part), "");
    if (decoded && decoded->table[0].second.kind == Kind::kText) {
      return decoded->table[0].second.text;
    }
  }
  return std::string(part);
}

// The first `c` that stands in no quotes.
std::size_t FindPlain(std::string_view text, char c, std::size_t from = 0) {
  for (std::size_t i = from; i < text.size();) {
    if (text[i] == c) return i;
    const bool quote = text[i] == '"' || text[i] == '\'';
    i = quote ? EndOfTomlString(text, i) : i + 1;
  }
  return std::string_view::npos;
}

Result<Wanted> ParseWanted(const std::string& given) {
  Wanted wanted;
  const std::string_view text = given;
  std::size_t equals = FindPlain(text, '=');
  if (equals == std::string_view::npos) equals = text.find('=');  // a lone apostrophe in a name
  if (equals == std::string_view::npos) return NoSetting(given, "no value is given");
  wanted.value = text.substr(equals + 1);
  const std::string_view name = text.substr(0, equals);
  const std::size_t dot = name.find('.');
  const std::string section(name.substr(0, dot));
  if (std::count(Sections().begin(), Sections().end(), section) == 0) {
    return NoSetting(given, fmt::format("a policy has no \"{}\" that can be set; {}", section,
                                        Suggest(section, Sections(), "known are")));
  }
  wanted.path = {section};
  if ((section == "title") != (dot == std::string_view::npos)) {
    return NoSetting(given, section == "title" ? "a title has no parts" : "name the key as well");
  }
  if (section == "title") return wanted;
  const std::string_view rest = name.substr(dot + 1);
  if (section == "columns") {  // names of columns may have dots
    const std::size_t last = rest.rfind('.');
    if (last == std::string_view::npos) return NoSetting(given, "name the key of the column");
    wanted.path.push_back(Unquoted(rest.substr(0, last)));
    wanted.path.emplace_back(rest.substr(last + 1));
  } else {
    for (std::size_t begin = 0; begin <= rest.size();) {
      const std::size_t end = std::min(FindPlain(rest, '.', begin), rest.size());
      wanted.path.push_back(Unquoted(rest.substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  for (const std::string& part : wanted.path) {
    if (part.empty()) return NoSetting(given, "a part of the name is empty");
  }
  return wanted;
}

std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < 0x20 || code == 0x7F) {
      quoted += fmt::format("\\u{:04X}", code);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string KeyText(const std::string& key) {
  const bool bare = std::all_of(key.begin(), key.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare && !key.empty() ? key : QuotedText(key);
}

// How the value is written. `before`: what stands there now.
std::string ValueText(const std::string& given, const std::optional<Setting>& before) {
  if (given.find('\n') != std::string::npos) return QuotedText(given);
  const auto parsed = ParseToml("k = " + given, "");
  if (!parsed || parsed->table.size() != 1) return QuotedText(given);
  const Kind kind = parsed->table[0].second.kind;
  const bool plain = kind == Kind::kNumber || kind == Kind::kFlag;
  return plain && before && before->kind == Kind::kText ? QuotedText(given) : given;
}

// Every value by its path; lists as wholes.
using Flat = std::map<Path, std::string>;
std::string WordOf(const Setting& setting) {
  switch (setting.kind) {
    case Kind::kText:
      return "t" + setting.text;
    case Kind::kFlag:
      return setting.flag ? "true" : "false";
    case Kind::kNumber:
      return fmt::format("{}{}", setting.integer ? "i" : "r", setting.number);
    case Kind::kList:
    case Kind::kTable:
      break;
  }
  std::string text = setting.kind == Kind::kList ? "[" : "{";
  for (const Setting& item : setting.list) text += QuotedText(WordOf(item)) + ",";
  for (const auto& [key, item] : setting.table) {
    text += QuotedText(key) + "=" + QuotedText(WordOf(item)) + ",";
  }
  return text;
}
void Flatten(const Setting& setting, const Path& path, Flat& flat) {
  if (setting.kind != Kind::kTable) {
    flat[path] = WordOf(setting);
    return;
  }
  for (const auto& [key, item] : setting.table) {
    Path below = path;
    below.push_back(key);
    Flatten(item, below, flat);
  }
}

std::optional<Setting> Lookup(const Setting& root, const Path& path) {
  const Setting* at = &root;
  for (const std::string& part : path) {
    const auto found = std::find_if(at->table.begin(), at->table.end(),
                                    [&](const auto& p) { return p.first == part; });
    if (found == at->table.end()) return std::nullopt;
    at = &found->second;
  }
  return *at;
}

// One change of one text.
class Change {
 public:
  Change(std::string& text, const std::string& file, const std::string& setting)
      : text_(text), file_(file), setting_(setting) {}

  Result<PolicyEdit::Change> Run() {
    const Wanted wanted = REISSUE_TRY(ParseWanted(setting_));
    const Setting root = REISSUE_TRY(ParseToml(text_, file_));
    const std::optional<Setting> before = Lookup(root, wanted.path);
    if (before && before->kind == Kind::kTable) {
      return UsageError(fmt::format("{}: this is a table of the policy, not a setting", setting_),
                        "Name one of its keys.");
    }
    change_.setting = setting_;
    const std::string was = text_;
    const TomlLayout layout = LayoutOf(was);
    if (wanted.value.empty()) {
      if (!before) return std::move(change_);  // it is not there already
      REISSUE_TRY(Remove(layout, wanted.path));
    } else {
      change_.after = ValueText(wanted.value, before);
      REISSUE_TRY(Put(layout, wanted.path));
    }
    REISSUE_TRY(Verify(root, wanted.path));
    return std::move(change_);
  }

 private:
  Error Refuse(std::uint64_t line, const std::string& why) const {
    return InputError({file_, line, std::nullopt, ""},
                      fmt::format("{} cannot be set here: {}", setting_, why),
                      "Change it in an editor.");
  }

  void Replace(std::size_t begin, std::size_t end, const std::string& with) {
    text_.replace(begin, end - begin, with);
  }
  // A line of its own, behind the line that ends at `at`.
  void InsertLine(std::size_t at, std::string line) {
    if (at > 0 && text_[at - 1] != '\n') line.insert(0, "\n");
    change_.line = LineAt(text_, at) + (line.front() == '\n' ? 1 : 0);
    text_.insert(at, line + "\n");
  }

  Status OnOneLine(const TomlLayout::Entry& entry) const {
    const std::string_view value =
        std::string_view(text_).substr(entry.value_begin, entry.value_end - entry.value_begin);
    if (value.find('\n') == std::string_view::npos) return Ok();
    return Refuse(LineAt(text_, entry.begin), "its value is written over several lines");
  }

  Status Put(const TomlLayout& layout, const Path& path) {
    if (const TomlLayout::Entry* entry = layout.Find(path)) {
      REISSUE_TRY(OnOneLine(*entry));
      change_.line = LineAt(text_, entry->begin);
      change_.before = text_.substr(entry->value_begin, entry->value_end - entry->value_begin);
      Replace(entry->value_begin, entry->value_end, change_.after);
      return Ok();
    }
    const Path above(path.begin(), path.end() - 1);
    const std::string assignment = KeyText(path.back()) + " = " + change_.after;
    if (const TomlLayout::Entry* table = layout.Find(above)) {
      return PutInBraces(*table, assignment);
    }
    if (path.size() == 1) return PutOnTop(layout, assignment);
    if (const TomlLayout::Section* section = layout.FindSection(above)) {
      InsertLine(section->end, assignment);
      return Ok();
    }
    if (path.size() > 2) {  // a new table in a section
      const Path outer(path.begin(), path.end() - 2);
      const TomlLayout::Section* const section = layout.FindSection(outer);
      if (section != nullptr) {
        InsertLine(section->end, KeyText(above.back()) + " = { " + assignment + " }");
        return Ok();
      }
    }
    if (path.size() != 2) return Refuse(1, "the table that it belongs to is not there");
    InsertLine(text_.size(), "\n[" + KeyText(path[0]) + "]\n" + assignment);
    change_.line = LineAt(text_, text_.size() - 1);
    return Ok();
  }

  Status PutInBraces(const TomlLayout::Entry& table, const std::string& assignment) {
    change_.line = LineAt(text_, table.begin);
    if (!table.braces) return Refuse(change_.line, "what it belongs to is no table");
    if (table.last == 0) {
      Replace(table.value_begin, table.value_end, "{ " + assignment + " }");
    } else {
      Replace(table.last, table.last, ", " + assignment);
    }
    return Ok();
  }

  // Behind the keys that stand there, else before the first section and what is said of it.
  Status PutOnTop(const TomlLayout& layout, const std::string& assignment) {
    std::size_t at = layout.sections[0].end;
    if (layout.sections[0].empty && layout.sections.size() > 1) {
      at = layout.sections[1].begin;
      while (at > 1) {
        const std::size_t line = text_.rfind('\n', at - 2);
        const std::size_t begin = line == std::string::npos ? 0 : line + 1;
        if (text_[begin] != '#') break;
        at = begin;
      }
    }
    InsertLine(at, assignment);
    return Ok();
  }

  Status Remove(const TomlLayout& layout, const Path& path) {
    const TomlLayout::Entry* const entry = layout.Find(path);
    if (entry == nullptr) return Refuse(1, "it is written in a way that this cannot change");
    REISSUE_TRY(OnOneLine(*entry));
    change_.line = LineAt(text_, entry->begin);
    change_.before = text_.substr(entry->value_begin, entry->value_end - entry->value_begin);
    std::size_t begin = entry->begin, end = entry->value_end;
    const auto blank = [this](std::size_t at) { return text_[at] == ' ' || text_[at] == '\t'; };
    if (entry->within) {
      while (begin > 0 && blank(begin - 1)) --begin;
      if (text_[begin - 1] == ',') {
        --begin;
      } else {
        while (end < text_.size() && blank(end)) ++end;
        if (text_[end] == ',') ++end;
      }
    } else {
      while (end < text_.size() && blank(end)) ++end;
      if (text_[end] != '#') {  // a comment behind it stays
        const std::size_t feed = text_.find('\n', end);
        end = feed == std::string::npos ? text_.size() : feed + 1;
        while (begin > 0 && blank(begin - 1)) --begin;
      }
    }
    Replace(begin, end, "");
    return Ok();
  }

  // Nothing but the setting has changed, and it has the value that was asked for.
  Status Verify(const Setting& root, const Path& path) const {
    const Result<Setting> now = ParseToml(text_, file_);
    if (!now) return Refuse(change_.line, now.error().message);
    Flat expected, found;
    Flatten(root, {}, expected);
    Flatten(*now, {}, found);
    expected.erase(path);
    if (!change_.after.empty()) {
      const Setting value = REISSUE_TRY(ParseToml("k = " + change_.after, file_));
      Flatten(value.table[0].second, path, expected);
    }
    if (expected == found) return Ok();
    return Refuse(change_.line, "more than this would change");
  }

  std::string& text_;
  const std::string& file_;
  const std::string& setting_;
  PolicyEdit::Change change_;
};

}  // namespace

Result<PolicyEdit> EditPolicy(std::string_view text, const std::string& file,
                              const std::vector<std::string>& settings) {
  PolicyEdit edit;
  edit.text = text;
  for (const std::string& setting : settings) {
    edit.changes.push_back(REISSUE_TRY(Change(edit.text, file, setting).Run()));
  }
  return edit;
}

Result<Setting> ReadPolicyTree(std::string_view text, const std::string& file) {
  return ParseToml(text, file);
}

}  // namespace reissue::io
