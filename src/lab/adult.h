#pragma once
// The Adult census table as the experiments use it: two files as UCI publishes them (no header,
// comma and blank, `?` for missing), eight categorical attributes with a taxonomy each, six numbers
// and the income.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::lab {

inline constexpr std::size_t kAttributes = 8;
inline constexpr std::array<const char*, kAttributes> kAttributeNames = {
    "workclass", "education", "marital-status", "occupation", "relationship",
    "race",      "sex",       "native-country"};

struct AdultFiles {
  std::string first;       // D1: adult.test
  std::string added;       // where D2 is taken from: adult.data, may be compressed
  std::string taxonomies;  // directory with *_ATTRIBUTE.csv, or *ATTRIBUTE.csv, for each attribute
};

inline constexpr std::size_t kNumbers = 6;
inline constexpr std::array<const char*, kNumbers> kNumberNames = {
    "age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"};

struct Person {
  std::array<std::uint32_t, kAttributes> leaves;  // ranks
  std::array<double, kNumbers> numbers;
  std::uint32_t income = 0;  // 1: above 50K
};

struct Adult {
  std::array<std::shared_ptr<const taxonomy::Taxonomy>, kAttributes> trees;
  std::vector<Person> first, added;  // complete rows, in file order
};

Result<Adult> LoadAdult(const AdultFiles& files, binding::Context& context);

// Which attributes together are the sensitive value; the others are quasi-identifiers.
struct Choice {
  std::string name;
  std::vector<std::size_t> sensitive;
};
// Sen1: native-country. Sen3: native-country, education and occupation.
std::vector<Choice> PaperChoices();

// Tables of some of the people, with the same sensitive codes for all of them.
class Tables {
 public:
  Tables(const Adult& adult, Choice choice);
  const Choice& choice() const { return choice_; }
  const std::vector<std::shared_ptr<const taxonomy::Taxonomy>>& taxonomies() const {
    return taxonomies_;
  }
  // All of D1 if with_first, and the first `added` people of the other file.
  models::k::LeafCells Make(bool with_first, std::size_t added) const;

 private:
  const Adult& adult_;
  Choice choice_;
  std::vector<std::size_t> quasi_;
  std::vector<std::shared_ptr<const taxonomy::Taxonomy>> taxonomies_;
  std::vector<std::uint32_t> first_codes_, added_codes_;
  std::uint32_t values_ = 0;
};

}  // namespace reissue::lab
