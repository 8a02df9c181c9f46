#include "reissue/models/k/publisher/trail.h"

#include <algorithm>

namespace reissue::models::k::internal {

// ---- states

States::Key States::KeyOf(const Recoding& recoding) {
  Key key((recoding.size() + 63) / 64, 0);
  for (std::size_t p = 0; p < recoding.size(); ++p) {
    key[p / 64] |= std::uint64_t{recoding[p] != 0} << (p % 64);
  }
  return key;
}

std::size_t States::Hash::operator()(const Key& key) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const std::uint64_t word : key) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash;
}

const State* States::Find(const Key& key) const {
  const auto found = states_.find(key);
  return found == states_.end() ? nullptr : &found->second;
}

const State* States::Keep(const Key& key, State state) {
  if (const auto found = states_.find(key); found != states_.end()) {
    if (!found->second.cost) found->second.cost = state.cost;
    return &found->second;
  }
  const std::size_t bytes =
      key.size() * sizeof(key[0]) + state.steps.size() * sizeof(state.steps[0]) + 128;
  if (bytes_ + bytes > kMostBytes) return nullptr;
  bytes_ += bytes;
  return &states_.emplace(key, std::move(state)).first->second;
}

void States::TakeOver(States& other) {
  // The order within `other` does not matter: keys differ. Where there is no room for all, none of
  // them is kept, so that it does not matter then either.
  if (bytes_ + other.bytes_ <= kMostBytes) {
    for (auto& [key, state] : other.states_) Keep(key, std::move(state));
  }
  other.states_.clear();
  other.bytes_ = 0;
}

// ---- trails

void Trail::Reset(Recoding recoding, std::span<const std::uint8_t> closed) {
  recoding_ = std::move(recoding);
  open_.clear();
  problem_.VisitCut(recoding_, [&](Spot place) {
    if (closed.empty() || closed[place] == 0) open_.push_back(place);
  });
  key_ = States::KeyOf(recoding_);
  behind_.reset();
  if (partition_.recoding() == recoding_) behind_.emplace();
  Arrive();
  const bool sensitive = problem_.guarantee().NeedsSensitive();
  std::uint64_t visits = 1 + OpenColumns() + (sensitive ? Partition::kSensitiveVisit : 0);
  for (std::size_t j = 0; j < problem_.columns(); ++j) visits += recoding_[problem_.root(j)];
  Charge(problem_.tuples() * visits);
}

void Trail::Specialise(Spot place) {
  std::erase(open_, place);
  const auto set = [&](Spot p) {
    recoding_[p] = 1;
    key_[p / 64] |= std::uint64_t{1} << (p % 64);
  };
  set(place);
  for (const Spot child : problem_.children(place)) {
    if (problem_.rows_at(child) == 0) {
      for (Spot p = child; p < problem_.end(child); ++p) {
        if (!problem_.is_leaf(p)) set(p);
      }
    } else if (!problem_.is_leaf(child)) {
      open_.push_back(child);
    }
  }
  if (behind_) behind_->push_back(place);
  Arrive();
  Charge(problem_.tuples_at(place) * (1 + OpenColumns()));
}

// In visits per tuple: what a look at the steps in all of them takes.
std::uint64_t Trail::OpenColumns() {
  std::ranges::fill(counted_, 0);
  for (const Spot place : open_) counted_[problem_.column(place)] = 1;
  const auto columns = static_cast<std::uint64_t>(std::ranges::count(counted_, 1));
  return columns * (problem_.guarantee().NeedsSensitive() ? 1 + Partition::kSensitiveVisit : 1);
}

void Trail::Charge(std::uint64_t visits) { work_ += known_ ? visits / kShareOfKnown + 1 : visits; }

void Trail::Arrive() {
  state_ = seen_.Find(key_);
  if (state_ == nullptr) state_ = shared_.Find(key_);
  known_ = state_ != nullptr;
  if (!known_) {
    Look();
    State here = StateHere();
    state_ = seen_.Keep(key_, here);
    if (state_ == nullptr) {
      unkept_ = std::move(here);
      state_ = &unkept_;
    }
  }
  // What is not allowed now never will be.
  if (problem_.anti_monotone()) std::erase_if(open_, [&](Spot p) { return !Allowed(p); });
}

// Puts the partition where the trail stands: the way that it has left, or from the beginning.
void Trail::Look() {
  std::uint64_t visits = 0;
  if (behind_) {
    for (const Spot place : *behind_) visits += problem_.tuples_at(place);
  }
  if (behind_ && visits <= 2 * problem_.tuples()) {
    for (const Spot place : *behind_) partition_.Specialise(place);
  } else {
    partition_.Reset(recoding_);
  }
  behind_.emplace();
}

State Trail::StateHere() {
  State state;
  state.left_out = partition_.suppressed_rows();
  for (const Spot place : partition_.open()) {
    if (!partition_.Allowed(place)) continue;
    state.steps.push_back({place, partition_.lost(place), partition_.Gain(place)});
  }
  std::ranges::sort(state.steps, {}, &State::Step::place);
  if (problem_.CostIsAtHand()) state.cost = partition_.Cost();
  return state;
}

const State::Step* Trail::StepAt(Spot place) const {
  const auto step = std::ranges::lower_bound(state_->steps, place, {}, &State::Step::place);
  return step != state_->steps.end() && step->place == place ? &*step : nullptr;
}

double Trail::Cost() {
  if (!problem_.CostIsAtHand()) {
    work_ += problem_.places() + Partition::kWayDown * problem_.columns() * problem_.tuples() *
                                     state_->left_out / problem_.rows();
  }
  if (state_->cost) return *state_->cost;
  State state = *state_;
  if (state.left_out == 0) {
    state.cost = problem_.Cost(recoding_, 0, {});
  } else {
    Look();
    state.cost = partition_.Cost();
  }
  if (const State* kept = seen_.Keep(key_, state)) {
    state_ = kept;
  } else {
    unkept_ = std::move(state);
    state_ = &unkept_;
  }
  return *state_->cost;
}

}  // namespace reissue::models::k::internal
