#pragma once
// How several tables relate, and so which model fits: what was added, what left, what changed, who
// has other columns. Rows are compared by an identifier, or without one by being equal. Pure
// functions; nothing they return has a value of a table in it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/table.h"

namespace reissue::advice {

enum class SettingKind {
  kOne,           // one table
  kSame,          // the same table again
  kGrows,         // people were only added
  kComesAndGoes,  // people left, or left and came
  kChanges,       // values of people changed
  kOtherColumns,  // other columns of the same people
  kOtherPeople,   // nobody is in two of them
};
std::string_view SettingName(SettingKind kind);  // "grows", "comes and goes", …

// From one table to the next, by columns that both have.
struct SettingStep {
  std::string from, to;
  std::uint64_t stayed = 0, came = 0, left = 0;
  std::uint64_t changed = 0;  // of those who stayed; only with an identifier
  std::uint64_t changed_sensitive = 0;
  std::vector<std::pair<std::string, std::uint64_t>> columns;  // people with another value, by
                                                               // column; none without
};

struct SettingAdvice {
  SettingKind kind = SettingKind::kOne;
  std::string model;       // as policies write it
  std::string why;         // why this setting, with numbers
  std::string promise;     // what the model promises, in a sentence
  std::string identifier;  // the column that tells people apart; empty: equal rows
  std::vector<SettingStep> steps;
  std::vector<std::string> common;  // columns that all tables have
  std::vector<std::string> notes;   // what to mind
};

struct SettingTable {
  std::string name;
  const Table* table = nullptr;
};
struct SettingKnown {
  std::string identifier;              // empty: none is known
  std::vector<std::string> sensitive;  // columns, as far as they are known
};

// `tables`: at least one, in their order. An identifier counts if all tables have it, nobody twice.
SettingAdvice AdviseSetting(const std::vector<SettingTable>& tables, const SettingKnown& known);

// What a model promises, in a sentence.
std::string PromiseOf(std::string_view model);

}  // namespace reissue::advice
