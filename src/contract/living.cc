#include "reissue/contract/living.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/contract/certificate.h"
#include "reissue/contract/model.h"

namespace reissue::contract {
namespace {

using taxonomy::Taxonomy;

constexpr char kWayOut[] =
    "Undo this, or start another series in a new vault; `reissue adopt` takes up releases of a "
    "growing table that are out already. docs/formats/policy.md says what may change.";

std::vector<const io::PolicyColumn*> Kept(const io::Policy& policy) {
  std::vector<const io::PolicyColumn*> kept;
  for (const io::PolicyColumn& column : policy.columns) {
    if (column.role != io::Role::kDrop) kept.push_back(&column);
  }
  return kept;
}

// What is wrong with a change, each with its place.
class Reasons {
 public:
  explicit Reasons(std::string file) : file_(std::move(file)) {}
  void Add(std::uint64_t line, const std::string& column, std::string reason) {
    if (!first_) {
      first_ = Place{file_, std::nullopt, std::nullopt, column};
      if (line > 0) first_->line = line;
    }
    reasons_.push_back(std::move(reason));
  }
  bool none() const { return reasons_.empty(); }
  Error ToError() const {
    constexpr std::size_t kShown = 5;
    std::vector<std::string> shown(reasons_.begin(),
                                   reasons_.begin() + std::min(kShown, reasons_.size()));
    if (reasons_.size() > kShown)
      shown.push_back(fmt::format("and {} more", reasons_.size() - kShown));
    return InputError(
        *first_,
        fmt::format("the policy was changed in a way that would change what is out or promised "
                    "already: {}",
                    fmt::join(shown, "; ")),
        kWayOut);
  }

 private:
  std::string file_;
  std::optional<Place> first_;
  std::vector<std::string> reasons_;
};

// The nearest of some labels above each of them; a label that the tree lacks is not there.
std::map<std::string, std::string> NearestAbove(const Taxonomy& tree,
                                                const std::set<std::string>& labels) {
  std::set<NodeId> occur;
  std::map<NodeId, std::string> name;
  for (const std::string& label : labels) {
    const auto node = binding::FindLabel(tree, label);
    if (!node) continue;
    occur.insert(*node);
    name[*node] = label;
  }
  name[Taxonomy::root()] = "*";
  std::map<std::string, std::string> above;
  occur.erase(Taxonomy::root());
  for (const NodeId node : occur) {
    NodeId up = tree.parent(node);
    while (up.valid() && up != Taxonomy::root() && !occur.contains(up)) up = tree.parent(up);
    above[name[node]] = up.valid() ? name[up] : "";
  }
  return above;
}

// The labels that are out, and the values that people could have, lie as they did.
void CompareTrees(const io::PolicyColumn& column, const Taxonomy& before, const Taxonomy& now,
                  const std::vector<std::string>* published, Reasons& reasons) {
  std::set<std::string> labels;
  for (std::size_t rank = 0; rank < before.leaves(); ++rank) {
    labels.insert(before.label(before.leaf(rank)));
  }
  if (published != nullptr) {
    labels.insert(published->begin(), published->end());
  } else {
    for (std::size_t n = 0; n < before.nodes(); ++n) labels.insert(before.label(NodeId(n)));
  }
  labels.erase("*");
  labels.erase(before.label(Taxonomy::root()));
  const auto then = NearestAbove(before, labels);
  const auto here = NearestAbove(now, labels);
  for (const auto& [label, above] : then) {
    const auto found = here.find(label);
    if (found == here.end()) {
      reasons.Add(column.line, column.name,
                  fmt::format("\"{}\" is gone from the taxonomy of \"{}\"", label, column.name));
    } else if (found->second != above) {
      reasons.Add(column.line, column.name,
                  fmt::format("\"{}\" lies below \"{}\" in the taxonomy of \"{}\", and lay below "
                              "\"{}\"",
                              label, found->second, column.name, above));
    }
  }
  if (now.is_leaf(Taxonomy::root())) return;
  // A label that stood for something else, or for nothing, must not stand for people now.
  if (before.label(Taxonomy::root()) != now.label(Taxonomy::root())) {
    reasons.Add(column.line, column.name,
                fmt::format("the root of the taxonomy of \"{}\" has another name", column.name));
  }
}

// Whether everything in `part` is in `whole`, in the same order.
bool IsSubsequence(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
  std::size_t at = 0;
  for (const std::string& word : whole) at += at < part.size() && part[at] == word ? 1 : 0;
  return at == part.size();
}

void CompareColumn(const io::PolicyColumn& before, const io::PolicyColumn& now, Reasons& reasons) {
  const auto add = [&](std::string reason) { reasons.Add(now.line, now.name, std::move(reason)); };
  if (before.numeric != now.numeric) {
    add(fmt::format("\"{}\" {} numbers", now.name, now.numeric ? "has become" : "is no longer"));
  }
  if (before.breakpoints != now.breakpoints || before.round_ranges != now.round_ranges) {
    add(fmt::format("\"{}\" has other ranges", now.name));
  }
  if (before.taxonomy.empty() != now.taxonomy.empty()) {
    add(fmt::format("\"{}\" {} a taxonomy", now.name,
                    now.taxonomy.empty() ? "has lost" : "has got"));
  }
  if (now.floor.value_or(0) > before.floor.value_or(0)) {
    add(fmt::format("the floor of \"{}\" is higher, and finer labels may be out", now.name));
  }
  if (!IsSubsequence(before.order, now.order)) {
    add(fmt::format("values of \"{}\" have another order", now.name));
  }
}

// "2 new values of \"job\"", "values of \"job\" are refined".
void DescribeTree(const io::PolicyColumn& column, const Taxonomy& before, const Taxonomy& now,
                  std::vector<std::string>& words) {
  std::size_t added = 0, refined = 0, labels = 0;
  for (std::size_t n = 0; n < now.nodes(); ++n) {
    const NodeId node(n);
    const auto then = before.Find(now.label(node));
    if (!then && now.is_leaf(node)) ++added;
    if (!then && !now.is_leaf(node)) ++labels;
    if (then && before.is_leaf(*then) && !now.is_leaf(node)) ++refined;
  }
  const auto tell = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) {
      words.push_back(fmt::format("{} {} of \"{}\"", count, count == 1 ? one : many, column.name));
    }
  };
  tell(added, "new value", "new values");
  tell(refined, "refined value", "refined values");
  tell(labels, "new group of values", "new groups of values");
}

PromisePtr PromiseOf(const Model& model, const io::Policy& policy) {
  const binding::ReleaseColumns columns = binding::ColumnsOf(policy);
  const auto read = model.Read({policy.guarantee, policy.knowledge, columns, policy.file, &policy});
  return read ? *read : nullptr;
}

// Prior and transition beliefs count by their bytes.
void CompareKnowledge(const PastPolicy& before, const io::Policy& now, binding::Context& context,
                      Reasons& reasons) {
  bool same = SameSettings(before.policy.knowledge, now.knowledge);
  for (const auto& [key, value] : now.knowledge) {
    if (!same || (key != "prior" && key != "transition")) continue;
    const auto then = before.files.find(io::Beside(before.policy.file, value.text));
    if (then == before.files.end()) continue;  // no file
    const auto bytes = context.files.Read(io::Beside(now.file, value.text));
    same = bytes && (*bytes)->view() == then->second;
  }
  if (!same) {
    reasons.Add(now.knowledge_line, "", "what readers know beforehand ([knowledge]) is other");
  }
}

}  // namespace

Status SameColumns(const io::Policy& before, const io::Policy& now) {
  Reasons reasons(now.file);
  const auto then = Kept(before), here = Kept(now);
  for (const io::PolicyColumn* column : then) {
    const io::PolicyColumn* same = now.Find(column->name);
    if (same == nullptr) {
      reasons.Add(0, column->name, fmt::format("column \"{}\" is gone", column->name));
    } else if (same->role != column->role) {
      reasons.Add(same->line, same->name, fmt::format("\"{}\" has another role", same->name));
    }
  }
  for (const io::PolicyColumn* column : here) {
    if (before.Find(column->name) == nullptr) {
      reasons.Add(column->line, column->name, fmt::format("column \"{}\" is new", column->name));
    } else if (before.Find(column->name)->role == io::Role::kDrop) {
      reasons.Add(column->line, column->name, fmt::format("\"{}\" has another role", column->name));
    }
  }
  if (reasons.none()) {
    for (std::size_t i = 0; i < then.size(); ++i) {
      if (then[i]->name == here[i]->name) continue;
      reasons.Add(here[i]->line, here[i]->name, "the columns have another order");
      break;
    }
  }
  return reasons.none() ? Ok() : Status(reasons.ToError());
}

Result<std::vector<std::string>> AcceptedChanges(const PastPolicy& before, const io::Policy& now,
                                                 const PublishedLabels& published,
                                                 const Model& model, binding::Context& context) {
  REISSUE_TRY(SameColumns(before.policy, now));
  const Trees trees = REISSUE_TRY(binding::LoadTaxonomies(now, context));
  Reasons reasons(now.file);
  std::vector<std::string> words;
  if (before.policy.title != now.title) words.push_back("another title");
  for (const io::PolicyColumn* column : Kept(now)) {
    CompareColumn(*before.policy.Find(column->name), *column, reasons);
  }
  const auto quasi = now.WithRole(io::Role::kQuasi);
  for (std::size_t q = 0; q < quasi.size(); ++q) {
    if (trees[q] == nullptr || before.trees[q] == nullptr) continue;
    CompareTrees(*quasi[q], *before.trees[q], *trees[q], published ? &(*published)[q] : nullptr,
                 reasons);
    DescribeTree(*quasi[q], *before.trees[q], *trees[q], words);
  }
  CompareKnowledge(before, now, context, reasons);
  const PromisePtr then = PromiseOf(model, before.policy), here = PromiseOf(model, now);
  const io::Setting* const name = now.Get("model");
  if (then == nullptr || here == nullptr || then->model != here->model) {
    reasons.Add(name == nullptr ? 0 : name->line, "", "another model is promised");
  } else {
    const bool same = SameSettings(before.policy.guarantee, now.guarantee);
    for (std::string& weaker : model.Weaker(*then, *here)) {
      reasons.Add(now.guarantee_line, "", std::move(weaker));
    }
    if (!same) words.push_back("what is promised, or how it is searched for");
  }
  if (!reasons.none()) return reasons.ToError();
  if (words.empty()) words.push_back("nothing that concerns a release");
  return words;
}

Result<Ages> Ages::Of(const std::vector<PastPolicy>& past, const io::Policy& now,
                      std::uint32_t number, binding::Context& context) {
  Ages ages;
  ages.trees_ = REISSUE_TRY(binding::LoadTaxonomies(now, context));
  for (std::size_t q = 0; q < ages.trees_.size(); ++q) {
    std::set<std::uint32_t> changes;
    std::vector<std::uint32_t> of_leaf;
    const std::size_t leaves = ages.trees_[q] ? ages.trees_[q]->leaves() : 0;
    for (std::size_t rank = 0; rank < leaves; ++rank) {
      const Taxonomy& tree = *ages.trees_[q];
      const auto had = [&](const PastPolicy& each) {
        if (q >= each.trees.size() || each.trees[q] == nullptr) return true;
        for (NodeId node = tree.leaf(rank); node.valid(); node = tree.parent(node)) {
          const auto then = each.trees[q]->Find(tree.label(node));
          if (then && each.trees[q]->is_leaf(*then)) return true;
        }
        return false;
      };
      const auto first = std::find_if(past.begin(), past.end(), had);
      of_leaf.push_back(first == past.end() ? number : first->since);
      if (of_leaf.back() > 1) changes.insert(of_leaf.back());
    }
    ages.changes_.emplace_back(changes.begin(), changes.end());
    ages.of_leaf_.push_back(std::move(of_leaf));
  }
  return ages;
}

std::vector<std::uint32_t> Ages::Below(std::size_t quasi, const std::string& label) const {
  if (!trees_[quasi]) return {};
  const auto node = binding::FindLabel(*trees_[quasi], label);
  if (!node) return {};
  const auto begin = of_leaf_[quasi].begin();
  const std::set<std::uint32_t> below(begin + trees_[quasi]->first_leaf(*node),
                                      begin + trees_[quasi]->last_leaf(*node));
  return {below.begin(), below.end()};
}

bool Ages::any() const {
  return std::ranges::any_of(changes_, [](const auto& changes) { return !changes.empty(); });
}

}  // namespace reissue::contract
