#pragma once
// A file at a glance: how many rows have which label, column by column, and how large its groups
// are. Made from the file and the policy with its taxonomies and from nothing else.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

struct Portrait {
  struct Bar {
    std::string label;
    std::uint64_t rows = 0;
    std::uint64_t others = 0;  // so many labels together, which have no bar of their own
  };
  struct Column {
    std::string name, role;    // as policies write it
    std::uint64_t labels = 0;  // different ones
    std::uint64_t rows = 0;
    std::uint64_t hidden = 0;  // rows that say nothing: `*`
    // In the order of the taxonomy, or of numbers; else the most frequent first.
    std::vector<Bar> bars;
    // Share of the detail of its taxonomy that the labels do not show, 0 to 1; null: there is no
    // taxonomy, or it lacks a label.
    std::optional<double> lost;
  };
  std::string file;  // without directories
  std::uint64_t rows = 0;
  std::vector<Column> columns;  // quasi-identifiers, sensitive and published ones, as in the policy
  // Groups of people who look alike: size, and how many groups have it; ascending.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes;

  // Mean over the quasi-identifiers; null where it is not known of one.
  std::optional<double> lost() const;
};

// A published file with what lies beside it, or a holder's copy. Identifiers, dropped columns and
// whatever the policy does not name are passed over. Errors: no table.
Result<Portrait> PortraitOfRelease(const io::Policy& policy, const std::string& release,
                                   binding::Context& context);

// The holder's table, read as the policy says: without groups and losses.
Result<Portrait> PortraitOfTable(const io::Policy& policy, const std::string& table,
                                 binding::Context& context);

}  // namespace reissue::engine
