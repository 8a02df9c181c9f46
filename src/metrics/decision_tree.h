#pragma once
// A decision tree in the manner of C4.5 (Quinlan 1993), to measure how well a class can still be
// predicted from published data. Multiway tests on categorical attributes, threshold tests on
// numeric ones, chosen by gain ratio among the tests of at least average gain; error-based pruning
// by subtree replacement (no subtree raising). A learned tree is immutable and may be read by any
// number of threads. No chance is involved, and the order of the training rows does not matter.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reissue/core/result.h"

namespace reissue::metrics {

// One input of a classifier, as codes 0 … codes − 1. `numbers` (one per code) makes it numeric.
struct Attribute {
  std::string name;
  std::uint32_t codes = 0;
  std::vector<double> numbers;

  bool numeric() const { return !numbers.empty(); }
};

// Training and test rows share one schema: the same code means the same value in both.
struct Schema {
  std::vector<Attribute> attributes;
  std::uint32_t classes = 0;  // class codes are 0 … classes − 1
};

// Rows with a known class, in columns: columns[attribute][row] and classes[row] are codes.
struct Examples {
  std::vector<std::vector<std::uint32_t>> columns;
  std::vector<std::uint32_t> classes;

  std::size_t rows() const { return classes.size(); }
};

struct TreeOptions {
  std::uint32_t min_cases = 2;  // at least two branches of a test have this many cases
  bool prune = true;
  double confidence = 0.25;  // 0 < confidence < 1; smaller prunes more
};

// An error where the number of columns, their lengths, a code or a number does not fit the schema.
// O(rows · attributes).
Status CheckExamples(const Schema& schema, const Examples& examples);

class DecisionTree {
 public:
  // A node with no children is a leaf. Children come after their parent in nodes().
  struct Node {
    std::uint32_t majority = 0;     // class code; the smallest of equals
    std::uint64_t cases = 0;        // training rows that reach the node
    std::uint64_t errors = 0;       // of them, rows of another class than the majority
    std::uint32_t attribute = 0;    // inner nodes: what is tested
    double threshold = 0;           // numeric test: the first child takes number ≤ threshold
    std::uint32_t first_child = 0;  // children are neighbours in nodes()
    std::uint32_t children = 0;
    std::vector<std::uint32_t> branch_codes;  // categorical test: code of each child, ascending

    bool leaf() const { return children == 0; }
  };

  // An error where examples do not fit the schema, there are none, there are more than 2^32 − 1, or
  // an option is out of range. Time O(rows · attributes · depth) plus the sorting of the numeric
  // columns; memory O(rows · numeric attributes).
  static Result<DecisionTree> Learn(const Schema& schema, const Examples& training,
                                    const TreeOptions& options = {});

  // The class predicted for one row of `examples`, which fits the schema the tree was learned with.
  // A categorical code that no training row had at the node gets the majority of the node.
  std::uint32_t Classify(const Examples& examples, std::size_t row) const;

  // Rows of `examples` (which fits the schema) whose predicted class is not theirs.
  std::uint64_t CountErrors(const Examples& examples) const;

  const std::vector<Node>& nodes() const { return nodes_; }  // the root comes first
  std::size_t leaves() const;
  std::size_t depth() const;  // tests on the longest path; 0 for a single leaf
  // One line per branch, indented, for tests and explanations: codes, no raw values.
  std::string ToString() const;

 private:
  std::vector<Node> nodes_;
  std::vector<std::vector<double>> numbers_;  // per attribute; empty for categorical ones
  std::vector<std::string> names_;
};

}  // namespace reissue::metrics
