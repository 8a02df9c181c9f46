#pragma once
// A recoding on its way down, as Partition is, of a search that comes by the same recodings again
// and again: what was seen of one is kept, and the table is looked at only where nobody was before.
// Internal to the publisher.

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "reissue/models/k/publisher/partition.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::internal {

// What there is to know of a recoding with nothing closed: a function of it alone, but for the
// rounding of gains and costs that are sums over cells.
struct State {
  struct Step {
    Spot place;
    std::int64_t lost;
    double gain;
  };
  std::vector<Step> steps;  // the specialisations that are allowed, by place
  std::uint64_t left_out = 0;
  std::optional<double> cost;  // where somebody asked, or it is at hand
};

// States by their recodings, of one problem. Whoever writes is alone.
class States {
 public:
  using Key = std::vector<std::uint64_t>;  // a bit per place
  static Key KeyOf(const Recoding& recoding);

  const State* Find(const Key& key) const;
  // Where it is known already: only for a cost that was not. Null: there is no room.
  const State* Keep(const Key& key, State state);
  // Keeps what another knows, and clears it. The order of calls decides whose rounding stays, so it
  // must not depend on threads.
  void TakeOver(States& other);

 private:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  std::unordered_map<Key, State, Hash> states_;
  std::size_t bytes_ = 0;
};

// Reads what all have seen (`shared`, which stays as it is meanwhile) and keeps what it sees
// itself. Belongs to one thread. The functions are those of Partition, and answer the same.
class Trail {
 public:
  Trail(const Problem& problem, const States& shared)
      : problem_(problem), partition_(problem), shared_(shared), counted_(problem.columns()) {}

  // With so many places a state takes more time to keep than a step does.
  static bool Serves(const Problem& problem) { return problem.places() <= kMostPlaces; }

  void Reset(Recoding recoding, std::span<const std::uint8_t> closed = {});
  void Specialise(Spot place);
  void Close(Spot place) { std::erase(open_, place); }

  const Recoding& recoding() const { return recoding_; }
  const Problem& problem() const { return problem_; }
  std::span<const Spot> open() const { return open_; }
  std::uint64_t suppressed_rows() const { return state_->left_out; }
  bool valid() const { return suppressed_rows() <= problem_.suppression_limit(); }
  bool Allowed(Spot place) const { return StepAt(place) != nullptr; }
  std::int64_t lost(Spot place) const { return StepAt(place)->lost; }  // where it is allowed
  double Gain(Spot place) const { return StepAt(place)->gain; }        // where it is allowed
  double Cost();

  // What a Partition would have done on the same way, about and rather less; of states that were
  // known a small part of it, which is more than it takes to find them. A function of what was
  // asked.
  std::uint64_t work() const { return work_; }
  // What was done.
  std::uint64_t looked() const { return partition_.work(); }
  // What it has seen that the others have not.
  States& seen() { return seen_; }

 private:
  static constexpr std::size_t kMostPlaces = 4096;
  static constexpr std::uint64_t kShareOfKnown = 16;

  const State::Step* StepAt(Spot place) const;
  // Finds what is known of where it stands, or looks.
  void Arrive();
  void Look();
  State StateHere();
  std::uint64_t OpenColumns();
  void Charge(std::uint64_t visits);

  const Problem& problem_;
  Partition partition_;
  const States& shared_;
  States seen_;
  Recoding recoding_;
  std::vector<Spot> open_;  // in the order of Partition::open
  States::Key key_;
  const State* state_ = nullptr;
  State unkept_;  // where there is no room
  // The way from where the partition stands; nothing: there is none.
  std::optional<std::vector<Spot>> behind_;
  std::vector<std::uint8_t> counted_;  // columns; scratch
  bool known_ = false;                 // it came where somebody had been
  std::uint64_t work_ = 0;
};

}  // namespace reissue::models::k::internal
