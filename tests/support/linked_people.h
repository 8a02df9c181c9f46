#pragma once
// Small random tables of the same people for the tests of the publisher, and TDS4SA once more in
// the plainest way: every candidate is tried and the adversary asked.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "random_taxonomy.h"
#include "reissue/core/random.h"
#include "reissue/models/xy/adversary/attack.h"
#include "reissue/models/xy/publisher/places.h"
#include "reissue/models/xy/publisher/publish.h"

namespace reissue::models::xy::testing {

using Tree = std::shared_ptr<const taxonomy::Taxonomy>;

// Everything that Publish takes.
struct Instance {
  Source source;
  std::vector<LinkedTable> prior;
  std::vector<std::vector<Attribute>> joins;
  std::vector<Inconsistent> inconsistent;
  std::vector<Requirement> requirements;

  Linked With(const Outcome& outcome) const {
    Linked linked;
    linked.tables.push_back(Published(source, outcome));
    linked.tables.insert(linked.tables.end(), prior.begin(), prior.end());
    linked.joins = joins;
    linked.inconsistent = inconsistent;
    return linked;
  }
};

struct Shape {
  std::size_t people = 25;
  std::size_t priors = 1;
  bool global = true;       // the earlier releases are global recodings
  bool same_people = true;  // otherwise some rows may dangle
  bool inconsistent = false;
  bool continuous = false;
};

// Columns of T1: 0, 1 joined with the earlier releases; 2 with a tree; 3 continuous or with a tree;
// 4 plain. Columns of an earlier release: 0, 1 the joined ones; 2 its own, plain; the second one
// lacks the join on T1's column 1.
class People {
 public:
  People(Random& random, const Shape& shape) : random_(random), shape_(shape) {
    for (int j = 0; j < 4; ++j) {
      trees_.push_back(std::make_shared<const taxonomy::Taxonomy>(
          random.Below(4) == 0 ? support::RandomTaxonomy(random, 6)
                               : support::RandomBranchingTaxonomy(random, 1 + random.Below(5), 3)));
    }
    for (std::size_t i = 0; i < shape.people; ++i) {
      std::vector<std::uint32_t> person;
      for (const Tree& tree : trees_) {
        person.push_back(static_cast<std::uint32_t>(
            std::min(random.Below(tree->leaves()), random.Below(tree->leaves()))));
      }
      if (shape.continuous) person[3] = static_cast<std::uint32_t>(random.Below(6));
      person.push_back(static_cast<std::uint32_t>(random.Below(3)));  // plain in T1
      person.push_back(static_cast<std::uint32_t>(random.Below(3)));  // plain in the priors
      person.push_back(static_cast<std::uint32_t>(random.Below(2)));  // class
      people_.push_back(std::move(person));
    }
  }

  Instance Make() {
    Instance instance;
    instance.source = T1();
    instance.joins = {{{0, 0}}, {{0, 1}}};
    for (std::size_t t = 1; t <= shape_.priors; ++t) {
      instance.prior.push_back(Prior());
      instance.joins[0].push_back({t, 0});
      if (t == 1) instance.joins[1].push_back({t, 1});
    }
    for (int i = 0; shape_.inconsistent && i < 2; ++i) {
      const std::size_t column = random_.Below(3);
      const Attribute own{0, column};
      const Attribute theirs{1 + random_.Below(shape_.priors), 2};
      const auto node = static_cast<std::uint32_t>(random_.Below(trees_[column]->nodes()));
      const auto code = static_cast<std::uint32_t>(random_.Below(3));
      Inconsistent pair{own, node, theirs, code};
      if (i == 1) pair = {theirs, code, own, node};
      instance.inconsistent.push_back(pair);
    }
    return instance;
  }

 private:
  Source T1() {
    Source source;
    for (std::size_t j = 0; j < 4; ++j) source.columns.push_back({trees_[j], {}});
    if (shape_.continuous) source.columns[3] = {nullptr, {1, 2, 4, 7, 7.5, 20}};
    source.columns.push_back({});
    source.class_values = 2;
    std::vector<std::uint32_t> keys;
    for (const auto& person : people_) {
      keys.insert(keys.end(), person.begin(), person.begin() + 5);
      keys.push_back(person[6]);
    }
    source.cells = CollectCells(6, keys, std::vector<std::uint64_t>(people_.size(), 1));
    return source;
  }

  LinkedTable Prior() {
    LinkedTable table;
    table.trees = {trees_[0], trees_[1], nullptr};
    std::vector<taxonomy::Cut> cuts = {support::RandomCut(random_, *trees_[0]),
                                       support::RandomCut(random_, *trees_[1])};
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (const auto& person : people_) {
      if (!shape_.same_people && random_.Below(3) == 0) continue;
      for (std::size_t j = 0; j < 2; ++j) {
        NodeId node = cuts[j].NodeOfLeaf(person[j]);
        if (!shape_.global) {
          node = trees_[j]->leaf(person[j]);
          for (auto up = random_.Below(3); up > 0 && node != trees_[j]->root(); --up) {
            node = trees_[j]->parent(node);
          }
        }
        keys.push_back(node.raw());
      }
      keys.push_back(person[5]);
      counts.push_back(1);
    }
    table.cells = CollectCells(3, keys, counts);
    return table;
  }

  Random& random_;
  Shape shape_;
  std::vector<Tree> trees_;
  std::vector<std::vector<std::uint32_t>> people_;
};

// X, Y and the threshold by chance: X with or without join columns, Y anywhere.
inline Requirement RandomRequirement(Random& random, const Instance& instance) {
  Requirement requirement;
  std::vector<Attribute> all;
  for (std::size_t c = 0; c < 5; ++c) all.push_back({0, c});
  for (std::size_t t = 1; t <= instance.prior.size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) all.push_back({t, c});
  }
  const bool with_joins = random.Below(2) == 0;
  for (const Attribute& a : all) {
    const bool join = a.column < 2;
    const std::uint64_t chance = random.Below(5);
    if (join && with_joins) {
      requirement.x.push_back(a);
    } else if (chance < 2) {
      requirement.x.push_back(a);
    } else if (chance == 2 && requirement.y.empty()) {
      requirement.y.push_back(a);
    }
  }
  if (random.Below(2) == 0) {
    requirement.k = 1 + random.Below(5);
    for (std::size_t t = 0; t <= instance.prior.size(); ++t) {
      if (random.Below(3) == 0) requirement.y_keys.push_back(t);
    }
    if (requirement.y.empty() && requirement.y_keys.empty()) requirement.y_keys.push_back(0);
    return requirement;
  }
  requirement.kind = Requirement::Kind::kLinkability;
  requirement.confidence = 0.4 + 0.5 * random.Unit();
  if (requirement.y.empty() || random.Below(2) == 0) {
    requirement.y.clear();
    for (std::uint32_t code = 0; code < 2; ++code) {
      const std::size_t table = random.Below(instance.prior.size() + 1);
      const Attribute own = {0, random.Below(2) == 0 ? 4 : random.Below(3)};
      const auto& tree = instance.source.columns[own.column].tree;
      // A value, or a group of them.
      const std::uint32_t label = tree == nullptr ? code
                                  : random.Below(3) == 0
                                      ? static_cast<std::uint32_t>(random.Below(tree->nodes()))
                                      : tree->leaf(code % tree->leaves()).raw();
      const double threshold = 0.3 + 0.5 * random.Unit();
      if (table > 0) {
        requirement.values.push_back({{table, 2}, code, threshold});
      } else {
        std::erase(requirement.x, own);
        requirement.values.push_back({own, label, threshold});
      }
    }
  }
  return requirement;
}

// The measure of each requirement, and whether all are kept.
struct Asked {
  bool satisfied = true;
  std::vector<std::optional<double>> value;
};

inline Asked AskAll(const Instance& instance, const Outcome& outcome) {
  const Report report = Attack(instance.With(outcome), instance.requirements, 1);
  Asked asked;
  asked.satisfied = report.satisfied;
  for (const RequirementReport& about : report.requirements) {
    asked.value.push_back(about.anonymity ? std::optional<double>(*about.anonymity)
                                          : about.linkability);
  }
  return asked;
}

// Places of the cuts with everything that specialising one of them needs.
class SlowDescent {
 public:
  SlowDescent(const Instance& instance, Gain gain)
      : instance_(instance), gain_(gain), places_(instance.source, Columns(instance), gain) {
    for (const std::uint32_t column : places_.columns()) cuts_.push_back({places_.root(column)});
  }

  static std::vector<std::uint32_t> Columns(const Instance& instance) {
    std::vector<std::uint32_t> columns;
    for (std::uint32_t c = 0; c < 4; ++c) {
      for (const Requirement& requirement : instance.requirements) {
        if (std::ranges::count(requirement.x, Attribute{0, c}) == 0) continue;
        columns.push_back(c);
        break;
      }
    }
    return columns;
  }

  using Cuts = std::vector<std::vector<internal::Spot>>;

  Outcome OutcomeOf(const Cuts& cuts) const {
    Outcome outcome;
    outcome.cuts.resize(5);
    outcome.intervals.resize(5);
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const std::uint32_t column = places_.columns()[i];
      const Tree& tree = instance_.source.columns[column].tree;
      std::vector<NodeId> nodes;
      for (const internal::Spot place : cuts[i]) {
        nodes.push_back(places_.node(place));
        if (tree == nullptr) outcome.intervals[column].push_back(places_.begin(place));
      }
      if (tree != nullptr) outcome.cuts[column] = taxonomy::Cut::FromNodes(*tree, nodes).value();
    }
    return outcome;
  }

  Outcome Root() const { return OutcomeOf(cuts_); }

  // Algorithm 1. Nothing where the root breaks a promise.
  std::optional<Outcome> Run() {
    Asked now = AskAll(instance_, Root());
    if (!now.satisfied) return std::nullopt;
    while (true) {
      std::optional<Cuts> best;
      internal::Spot winner = 0;
      double best_score = 0;
      for (std::size_t i = 0; i < cuts_.size(); ++i) {
        for (const internal::Spot place : cuts_[i]) {
          if (places_.fan_out(place) == 0) continue;
          Cuts cuts = cuts_;
          auto at = cuts[i].erase(std::ranges::find(cuts[i], place));
          for (std::uint32_t c = places_.fan_out(place); c > 0; --c) {
            at = cuts[i].insert(at, places_.child(place, c - 1));
          }
          const Asked after = AskAll(instance_, OutcomeOf(cuts));
          if (!after.satisfied) continue;
          const double score = GainOf(place, cuts) / (Loss(now, after) + 1);
          if (best && score <= best_score) continue;
          best = cuts;
          best_score = score;
          winner = place;
        }
      }
      if (!best) return OutcomeOf(cuts_);
      for (std::uint32_t c = 0; c < places_.fan_out(winner); ++c) {
        places_.Open(places_.child(winner, c));
      }
      cuts_ = *best;
      ++steps;
      now = AskAll(instance_, OutcomeOf(cuts_));
    }
  }

  std::uint64_t steps = 0;

 private:
  double Squares(const Cuts& cuts) const {
    const LinkedTable table = Published(instance_.source, OutcomeOf(cuts));
    std::map<std::vector<std::uint32_t>, double> rows;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
      std::vector<std::uint32_t> key;
      for (const std::uint32_t c : places_.columns()) key.push_back(table.cells.key(CellId(i))[c]);
      rows[key] += static_cast<double>(table.cells.count(CellId(i)));
    }
    double sum = 0;
    for (const auto& [key, r] : rows) sum += r * r;
    return sum;
  }

  double GainOf(internal::Spot place, const Cuts& after) const {
    if (gain_ != Gain::kDiscernibility) return places_.gain(place);
    return Squares(cuts_) - Squares(after);
  }

  double Loss(const Asked& now, const Asked& after) const {
    double largest = 0;
    for (std::size_t r = 0; r < now.value.size(); ++r) {
      if (!now.value[r] || !after.value[r]) continue;
      const bool up = instance_.requirements[r].kind == Requirement::Kind::kLinkability;
      const double from = up ? *after.value[r] : *now.value[r];
      const double to = up ? *now.value[r] : *after.value[r];
      if (from <= to) continue;
      largest = std::max(largest, now.value.size() == 1 ? from - to : (from - to) / from);
    }
    return largest;
  }

  const Instance& instance_;
  Gain gain_;
  internal::Places places_;
  Cuts cuts_;
};

}  // namespace reissue::models::xy::testing
