#pragma once
// What an audit of an evolving table found, and what a publication of it
// did, for people and programs. Plain values. Identifiers are in the report of an audit of holder's
// copies only, which is the holder's.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/models/similarity/release/series.h"

namespace reissue::models::similarity::service {

// What one reader makes of one release, after all before it.
struct ReaderFindings {
  std::string estimator;
  // What promises are about: any value of anybody whose value she did not know before. A belief
  // above max_belief that she had before, as large, is not in it.
  double strongest_any = 0, largest_gain_any = 0;
  std::uint64_t beyond = 0;     // people of whom she believes or gains more than is promised
  std::uint64_t certain = 0;    // people of whose value she is certain, and was not before
  std::uint64_t unsettled = 0;  // groups of which there is nothing to believe
  // Of the values shown, which are the true ones except of counterfeits: only the holder can tell.
  // Gains of everybody; the largest belief, of people not stated as certain.
  double mean_gain = 0, largest_gain = 0, strongest = 0;
  std::uint64_t approximated = 0;  // groups that `exact` left to `scaling`
};

struct EvolvingFindings {
  std::uint64_t rows = 0, groups = 0;  // as published
  std::uint64_t suppressed = 0, counterfeit = 0;
  similarity::Shape shape;
  double penalty = 0;        // GCP, the sum over people; whoever is left out counts 1
  double penalty_share = 0;  // of the most there can be
  double linkage = 0;        // RL, equation 7
  std::vector<ReaderFindings> readers;
  std::vector<std::string> broken;    // promises that the release does not keep, by name
  std::vector<std::string> unproven;  // nor are these proven: some groups leave nothing to believe
};

// Somebody whose true value a reader believes or gains more than is promised, or knows.
struct ExposedPerson {
  std::string id;             // empty: the vault knows nobody by name
  std::uint32_t release = 1;  // from 1
  std::string value;
  double belief = 0, gain = 0;
  std::string by;            // estimator with the strongest belief
  bool same_values = false;  // everybody in the group has the value
};

struct SimilarityFindings {
  similarity::Guarantee guarantee;
  std::optional<double> max_belief, max_gain;
  std::string against;  // the reader that max_belief, max_gain and the revised priors are about
  bool from_vault = false;
  std::vector<EvolvingFindings> releases;
  std::uint64_t exposed = 0;             // people as ExposedPerson has it, in any release
  std::vector<ExposedPerson> strongest;  // of them, the strongest belief first
};

// What one publication did; what was found is in the audit of its report.
struct EvolvedRows {
  std::string algorithm, leftover, against;
  std::uint64_t people_new = 0, people_returned = 0, people_left = 0, changed_values = 0;
  std::uint64_t repaired = 0;                    // groups that were changed because of the reader
  std::optional<similarity::Guarantee> relaxed;  // what is kept instead
  std::uint64_t statements = 0;                  // about people of this release
  bool replayed = false;    // what became known of earlier releases has changed what she believes
  std::string holder_copy;  // empty: none was asked for
};

}  // namespace reissue::models::similarity::service
