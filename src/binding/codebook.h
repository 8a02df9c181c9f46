#pragma once
// What the labels of a published file stand for, and how many rows have each. Made from the file
// and the policy with its taxonomies and from nothing else, so that it tells no more of the people
// than they do.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::binding {

struct Codebook {
  struct Label {
    std::string text;
    std::uint64_t rows = 0;
    std::vector<std::string> leaves;  // of the taxonomy, in its order; empty where there is none
    std::string words;                // what it stands for where no leaves say it
  };
  struct Column {
    std::string name;
    std::string role;           // as policies write it; empty: the policy does not name it
    std::uint64_t values = 0;   // different ones, or labels
    std::vector<Label> labels;  // of quasi-identifiers: in the order of the taxonomy, or of numbers
  };
  std::string file;  // without directories
  std::uint64_t rows = 0;
  std::vector<Column> columns;  // in file order
};

// Errors: a label that the taxonomy of its column does not have (place, not label), an identifier
// or a dropped column in the file.
Result<Codebook> MakeCodebook(const io::Policy& policy, const std::string& release,
                              Context& context);

}  // namespace reissue::binding
