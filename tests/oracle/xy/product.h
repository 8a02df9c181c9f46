#pragma once
// The product's view of the oracle's plain values, and back; what the product answers, and where it
// differs from the oracle. For tests only.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "join.h"
#include "reissue/models/xy/adversary/attack.h"
#include "reissue/models/xy/release/linked.h"

namespace oracle::xy {

namespace model = reissue::models::xy;

// Translates what belongs to the trees of one world. Node 3 is called "n3"; a plain value is its
// own code.
class Translator {
 public:
  explicit Translator(const World& world);

  using SharedTree = std::shared_ptr<const reissue::taxonomy::Taxonomy>;
  const SharedTree& tree(std::size_t tree) const { return trees_[tree]; }
  std::uint32_t CodeOf(const std::optional<std::size_t>& tree, Label label) const;
  std::uint32_t CodeOf(const World& world, const Place& place, Label label) const;
  Label LabelOf(const std::optional<std::size_t>& tree, std::uint32_t code) const;
  Label LabelOf(const World& world, const Place& place, std::uint32_t code) const;

  model::LinkedTable ToTable(const Table& table) const;
  model::Linked ToLinked(const World& world) const;
  std::vector<model::Inconsistent> ToInconsistent(const World& world) const;
  model::Requirement ToRequirement(const World& world, const Promise& promise) const;
  std::vector<model::Requirement> ToRequirements(const World& world,
                                                 const std::vector<Promise>& promises) const;

  std::vector<std::uint32_t> ToCodes(const World& world, const std::vector<Place>& places,
                                     const Labels& labels) const;
  Labels ToLabels(const World& world, const std::vector<Place>& places,
                  const std::vector<std::uint32_t>& codes) const;
  // Every row so many times.
  static reissue::Cells Repeated(const reissue::Cells& cells, std::uint64_t times);
  // The rows of a published table, sorted.
  std::vector<Labels> ToRows(const model::LinkedTable& table, const Table& like) const;

 private:
  std::vector<SharedTree> trees_;
};

std::vector<std::vector<model::Attribute>> ToJoins(const World& world);

// The numbers of a report, in the oracle's words. Where counting was not complete, `violating` is
// taken from `like` if it is at most that.
Answers FromReport(const model::Report& report, const Answers& like);

// What is wrong with the lists of the worst; empty if nothing is.
std::string WrongInWorst(const World& world, const Translator& translator,
                         const std::vector<Promise>& promises, const Answers& expected,
                         const model::Report& report, std::size_t limit);

// What is wrong with the explanation of an x that may or may not occur; empty if nothing is.
std::string WrongInExplanation(const World& world, const Translator& translator,
                               const std::vector<Tuple>& join, const Promise& promise,
                               const Labels& x, std::size_t limit);

}  // namespace oracle::xy
