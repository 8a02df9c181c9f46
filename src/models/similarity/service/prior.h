#pragma once
// Prior beliefs from a file: how likely each value is for people of a kind. The most specific kind
// that fits a person counts. docs/formats/knowledge.md

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/similarity/release/knowledge.h"
#include "reissue/models/similarity/service/lines.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::similarity::service {

// Numbers from `low` up to, not including, `high`, or one number (low = high). Without bound:
// infinite.
struct NumberRange {
  double low = 0, high = 0;
};
// `17`, `[20,30)`, `[-inf,20)`, `[60,inf)`; nothing for other texts.
std::optional<NumberRange> ParseNumberRange(std::string_view text);
std::string TextOf(const NumberRange& range);

class PriorBeliefs {
 public:
  // Errors: as BeliefLines; a cell that its column cannot have; a value twice for the same people;
  // probabilities that do not sum to 1 (see MakeSumOne).
  static Result<PriorBeliefs> Read(const io::Policy& policy, const std::string& path,
                                   bool normalise, binding::Context& context);

  const std::string& file() const { return file_; }
  const std::vector<binding::ValueTexts>& values() const {
    return values_;
  }  // in order of the file
  // Per kind, over `values`; in order of the file.
  const std::vector<similarity::Distribution>& kinds() const { return kinds_; }

  // The kind of every row: the one that covers the smallest share of all possible people. Errors: a
  // row that no kind fits, or two equally well (both are named). O(rows · columns), and for each
  // distinct combination of cells the kinds that fit.
  Result<std::vector<std::uint32_t>> KindsOf(const binding::GroupedTable& table) const;

 private:
  // What a kind says about one column.
  struct Cell {
    enum class Covers { kAll, kLeaves, kNumbers, kText };
    Covers covers = Covers::kAll;
    std::uint32_t first = 0, last = 0;  // kLeaves: ranks [first, last)
    double low = 0, high = 0;           // kNumbers: [low, high), or low = high
    std::string text;                   // kText
    double specific = 0;                // logarithm of the share of everything that it covers

    bool operator==(const Cell& other) const;
    bool FitsNumber(double number) const {
      return low == high ? number == low : number >= low && number < high;
    }
  };
  struct Column {
    std::string name;
    bool numeric = false;
    std::shared_ptr<const taxonomy::Taxonomy> tree;  // may be empty
    std::vector<Cell> cells;                         // each once
  };
  struct Kind {
    std::vector<std::uint32_t> cells;  // per column, into Column::cells
    std::uint64_t line = 0;            // its first
    std::uint32_t number = 0;          // into kinds_
    double specific = 0;
  };
  // How the values of a table's column fit: rows of the same class fit the same cells.
  struct Fits {
    std::vector<std::uint32_t> class_of_row;
    std::vector<std::vector<std::uint32_t>> cells;  // per class, ascending
  };
  class FileReader;

  // How specific cells and kinds are.
  static void Measure(Column& column);
  Fits FitsOf(const Column& column, const binding::GroupedTable& table) const;
  // Kinds among sorted_[begin, end) that fit from `column` on, given the class per column.
  void Search(std::size_t column, std::size_t begin, std::size_t end,
              const std::vector<const std::vector<std::uint32_t>*>& fits,
              std::vector<const Kind*>& found) const;
  Result<std::uint32_t> BestOf(const std::vector<const Kind*>& found,
                               const binding::GroupedTable& table, std::size_t row) const;

  std::string file_;
  std::vector<binding::ValueTexts> values_;
  std::vector<similarity::Distribution> kinds_;
  std::vector<Column> columns_;
  std::vector<Kind> sorted_;  // by cells
};

}  // namespace reissue::models::similarity::service
