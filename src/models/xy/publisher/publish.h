#pragma once
// Makes T1 so that its join with earlier releases keeps what is promised: TDS4SA of Wang and Fung
// (KDD 2006, Algorithm 1). Only the columns of T1 that some requirement names in X are generalised.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/models/xy/release/linked.h"
#include "reissue/taxonomy/cut.h"

namespace reissue::models::xy {

// T1 as the holder has it: distinct combinations with counts. A code is a leaf rank (column with a
// tree), the rank of a number in `numbers` (continuous column), or a plain code.
struct Source {
  struct Column {
    std::shared_ptr<const taxonomy::Taxonomy> tree;  // null: no taxonomy
    std::vector<double> numbers;                     // continuous: ascending, distinct
    bool continuous() const { return !numbers.empty(); }
  };
  std::vector<Column> columns;
  Cells cells;  // key: one code per column, then one class code if class_values > 0
  std::uint32_t class_values = 0;
};

enum class Gain { kClass, kDistortion, kDiscernibility };
enum class Search { kDefault, kPaper };

struct PublishOptions {
  Gain gain = Gain::kDistortion;
  Search search = Search::kPaper;
};

struct Outcome {
  // Per column: the cut (with a tree and generalised); empty otherwise.
  std::vector<std::optional<taxonomy::Cut>> cuts;
  // Per column: continuous and generalised: ranks where an interval begins, ascending, the first 0;
  // empty otherwise. Interval i stands for ranks [begin[i], begin[i + 1]).
  std::vector<std::vector<std::uint32_t>> intervals;
  std::uint64_t steps = 0;
  std::uint64_t reexamined = 0;  // candidates that became valid after having been refused
};

// `prior` are tables 1, 2, …; `joins`, `inconsistent` and `requirements` are as in Linked, with
// table 0 being `source` (its columns in the same order). In requirements and inconsistent pairs,
// codes of table 0 are: a raw NodeId (tree), a plain code otherwise.
// kPromise if even everything at the root breaks a requirement.
Result<Outcome> Publish(const Source& source, std::span<const LinkedTable> prior,
                        const std::vector<std::vector<Attribute>>& joins,
                        const std::vector<Inconsistent>& inconsistent,
                        std::span<const Requirement> requirements, const PublishOptions& options,
                        ThreadPool& pool, Progress& progress);

// T1 as published by an outcome. Columns that are not generalised stay at their leaves (NodeIds of
// leaves, plain codes; a continuous column that is not generalised: its ranks as plain codes).
LinkedTable Published(const Source& source, const Outcome& outcome);

}  // namespace reissue::models::xy
