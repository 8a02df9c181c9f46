#include "reissue/models/xy/publisher/demand_keeper.h"

#include <algorithm>

namespace reissue::models::xy::internal {
namespace {

std::vector<std::uint32_t> Without(std::vector<std::uint32_t> columns,
                                   const std::vector<std::uint32_t>& others) {
  std::erase_if(columns, [&](std::uint32_t c) { return std::ranges::count(others, c) > 0; });
  return columns;
}

bool Worse(const Measure& a, const Measure& b, bool anonymity) {
  if (!a.any || !b.any) return a.any;
  return anonymity ? a.distinct < b.distinct : a.share > b.share;
}

// Per code of the source (leaf rank, or plain code) what it counts as.
std::vector<std::uint32_t> CountedAs(const Source& source, const Demand& demand) {
  const std::size_t column = demand.y.front().column;
  const auto& tree = source.columns[column].tree;
  std::size_t codes = tree != nullptr ? tree->leaves() : 0;
  for (std::size_t i = 0; tree == nullptr && i < source.cells.size(); ++i) {
    codes = std::max<std::size_t>(codes, source.cells.key(CellId(i))[column] + 1);
  }
  std::vector<std::uint32_t> counted;
  for (std::uint32_t code = 0; code < codes; ++code) {
    counted.push_back(demand.CountsAs(tree != nullptr ? tree->leaf(code).raw() : code));
  }
  return counted;
}

}  // namespace

Result<DemandKeeper> DemandKeeper::Make(const View& view, const Demand& demand, Places& places) {
  const bool plain = Without(view.MatchingColumns(), demand.XOf(0)).empty();
  std::vector<Side> sides = REISSUE_TRY(MakeSides(view, demand, plain));
  DemandKeeper keeper(view, demand, plain,
                      std::make_shared<const std::vector<Side>>(std::move(sides)), places);
  const bool y_in_t1 = std::ranges::none_of(*keeper.sides_, &Side::has_y);
  keeper.final_ = plain && y_in_t1 && !keeper.Dangles(view.source);
  keeper.Start(places);
  return keeper;
}

DemandKeeper::DemandKeeper(const View& view, const Demand& demand, bool plain,
                           std::shared_ptr<const std::vector<Side>> sides, const Places& places)
    : demand_(demand),
      plain_(plain),
      key_(demand.HasKey(0)),
      has_y_(demand.HasYOf(0)),
      sides_(std::move(sides)) {
  Blocks::Choice choice;
  choice.grouped = demand.XOf(0);
  choice.carried = Without(view.MatchingColumns(), choice.grouped);
  if (!key_) choice.y = demand.YOf(0);
  if (demand.by_value() && demand.HasYOf(0)) choice.y_counts_as = CountedAs(view.source, demand);
  blocks_ = Blocks(view.source, places, choice);
  for (const Side& side : *sides_) {
    contexts_.emplace_back(side, view.source);
    slots_.emplace_back();
    for (std::size_t m = 0; m < blocks_.moving(); ++m) {
      slots_.back().push_back(contexts_.back().SlotOf(blocks_.column(m)));
    }
  }
  if (demand.by_value() && has_y_) {
    for (std::size_t y = 0; y < blocks_.y_values(); ++y) {
      limits_.push_back(demand.LimitOf(blocks_.y_codes(y).front()));
    }
  }
}

std::optional<std::size_t> DemandKeeper::MovingOf(std::size_t column) const {
  for (std::size_t m = 0; m < blocks_.moving(); ++m) {
    if (blocks_.column(m) == column) return m;
  }
  return std::nullopt;
}

bool DemandKeeper::Sees(std::size_t column) const { return MovingOf(column).has_value(); }

// Whether some row of T1 matches nothing when T1 is as special as it can be.
bool DemandKeeper::Dangles(const Source& source) const {
  for (const Side& side : *sides_) {
    Contexts contexts(side, source);
    for (std::size_t atom = 0; atom < blocks_.atoms(); ++atom) {
      std::uint32_t context = contexts.root();
      for (std::size_t m = 0; m < blocks_.moving(); ++m) {
        const auto slot = contexts.SlotOf(blocks_.column(m));
        if (slot) context = contexts.Leaf(context, *slot, blocks_.rank(atom, m));
      }
      for (std::size_t f = 0; f < blocks_.fixed().size(); ++f) {
        const auto slot = contexts.SlotOf(blocks_.fixed()[f]);
        if (slot) context = contexts.Leaf(context, *slot, blocks_.fixed_code(atom, f));
      }
      if (contexts.at(context).empty()) return true;
    }
  }
  return false;
}

void DemandKeeper::Start(Places& places) {
  const auto context_of = [&](std::size_t side, std::size_t atom) {
    std::uint32_t context = contexts_[side].root();
    for (std::size_t f = 0; f < blocks_.fixed().size(); ++f) {
      const auto slot = contexts_[side].SlotOf(blocks_.fixed()[f]);
      if (slot) context = contexts_[side].Leaf(context, *slot, blocks_.fixed_code(atom, f));
    }
    return context;
  };
  for (std::size_t b = 0; plain_ && b < blocks_.size(); ++b) {
    for (std::size_t s = 0; s < contexts_.size(); ++s) {
      block_contexts_.push_back(context_of(s, blocks_.atoms(b).front()));
    }
  }
  for (std::size_t atom = 0; !plain_ && atom < blocks_.atoms(); ++atom) {
    atom_contexts_.push_back(context_of(0, atom));
    for (std::size_t m = 0; m < blocks_.moving(); ++m) {
      atom_places_.push_back(places.root(blocks_.column(m)));
    }
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) Evaluate(b, places);
  Refresh(places);
}

void DemandKeeper::Evaluate(std::size_t block, Places& places) {
  values_.resize(blocks_.size());
  effects_.resize(blocks_.size() * blocks_.grouped());
  if (plain_) {
    EvaluatePlain(block, places);
  } else {
    carried_.resize(blocks_.size());
    EvaluateMixed(block, places);
  }
}

void DemandKeeper::Refresh(const Places& places) {
  after_.assign(places.size(), Measure());
  worst_.assign(blocks_.grouped(), Worst());
  now_ = Measure();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Measure& value = values_[b];
    now_.Worsen(value);
    for (std::size_t m = 0; m < blocks_.grouped(); ++m) {
      const Spot place = blocks_.place(b, m);
      after_[place].Worsen(effects_[b * blocks_.grouped() + m]);
      Worst& worst = worst_[m];
      if (place == worst.place) {
        worst.first.Worsen(value);
      } else if (Worse(value, worst.first, demand_.anonymity)) {
        worst.second = worst.first;
        worst.first = value;
        worst.place = place;
      } else {
        worst.second.Worsen(value);
      }
    }
  }
  RefreshCarried();
}

// A column that X does not name can have several places in one block.
void DemandKeeper::RefreshCarried() {
  if (blocks_.grouped() == blocks_.moving()) return;
  std::vector<Spot> seen;
  for (const auto& effects : carried_) {
    for (const auto& [place, measure] : effects) {
      if (!after_[place].any && std::ranges::count(seen, place) == 0) seen.push_back(place);
      after_[place].Worsen(measure);
    }
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (const Spot place : seen) {
      const auto& effects = carried_[b];
      const bool has =
          std::ranges::any_of(effects, [&](const auto& e) { return e.first == place; });
      if (!has) after_[place].Worsen(values_[b]);
    }
  }
}

Measure DemandKeeper::After(Spot place, const Places& places) const {
  Measure after = after_[place];
  const std::size_t m = *MovingOf(places.column(place));
  if (m < blocks_.grouped()) {
    const Worst& worst = worst_[m];
    after.Worsen(worst.place == place ? worst.second : worst.first);
  }
  return after;
}

void DemandKeeper::Specialise(Spot place, Places& places) {
  const auto m = MovingOf(places.column(place));
  if (!m) {
    after_.resize(places.size());
    return;
  }
  if (*m >= blocks_.grouped()) {
    MoveAtoms(place, *m, places);
  } else {
    const std::size_t before = blocks_.size();
    for (std::size_t b = 0; b < before; ++b) {
      if (blocks_.place(b, *m) == place) SplitBlock(b, *m, places);
    }
  }
  Refresh(places);
}

// Also where X does not tell what is matched: then the atoms carry their contexts.
void DemandKeeper::SplitBlock(std::size_t block, std::size_t m, Places& places) {
  const Spot place = blocks_.place(block, m);
  if (!plain_) {
    const Fork fork = places.fork(place);
    for (const std::uint32_t atom : blocks_.atoms(block)) {
      const std::uint32_t child = fork.Of(blocks_.rank(atom, m));
      atom_contexts_[atom] = ContextAfter(atom, m, child);
      atom_places_[atom * blocks_.moving() + m] = places.child(place, child);
    }
  }
  const auto parts = blocks_.Split(block, m, places);
  const std::vector<std::uint32_t> children(parts.begin(), parts.end());
  if (plain_) {
    const std::size_t sides = contexts_.size();
    block_contexts_.resize(blocks_.size() * sides);
    const std::vector<std::uint32_t> old(
        block_contexts_.begin() + static_cast<std::ptrdiff_t>(block * sides),
        block_contexts_.begin() + static_cast<std::ptrdiff_t>((block + 1) * sides));
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (children[i] == Blocks::kNone) continue;
      for (std::size_t s = 0; s < sides; ++s) {
        const auto slot = slots_[s][m];
        block_contexts_[children[i] * sides + s] =
            slot ? contexts_[s].Child(old[s], *slot, i) : old[s];
      }
    }
  }
  for (const std::uint32_t child : children) {
    if (child != Blocks::kNone) Evaluate(child, places);
  }
}

}  // namespace reissue::models::xy::internal
