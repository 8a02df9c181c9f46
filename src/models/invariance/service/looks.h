#pragma once
// How counterfeits look: like somebody who could be there and is not. Each column of a new one is
// somebody's who is like it in the columns that tell of this one; of several such rows the one is
// shown that is as near to others, and as rare, as somebody who is there. An old one changes as
// people change.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/models/invariance/service/crowd.h"

namespace reissue::models::invariance::service {

class Looks {
 public:
  Looks(const Crowd& crowd, Random& random);

  // Of nobody who has just come to a bucket: a text per shown column.
  std::vector<std::string> New(std::uint32_t bucket);
  // As somebody does who was `before` and is `after`.
  void Change(const std::vector<std::string>& before, const std::vector<std::string>& after,
              std::vector<std::string>& row);

 private:
  // What a reader looks at first.
  struct Profile {
    double twins = 0;      // others who look the same
    double overlap = 0;    // most columns that somebody shares
    double two = 0;        // that two people together do
    double frequency = 0;  // of the values
    double alone = 0;      // values that nobody else has
    double odd = 0;        // pairs of values that nobody else has
  };
  static constexpr double Profile::*kParts[] = {&Profile::twins, &Profile::overlap,
                                                &Profile::two,   &Profile::frequency,
                                                &Profile::alone, &Profile::odd};

  Profile ProfileOf(std::vector<Crowd::Rows> with) const;
  Profile ProfileOf(std::size_t member) const;
  Profile ProfileOf(const std::vector<std::string>& row) const;
  double Far(const Profile& a, const Profile& b) const;
  std::vector<std::string> Candidate(std::uint32_t bucket);
  std::size_t Next(const std::vector<bool>& filled);
  Crowd::Code Draw(std::size_t column, const std::vector<Crowd::Code>& codes,
                   const std::vector<bool>& filled, Crowd::Rows& used);
  std::string Written(std::size_t column, Crowd::Code code);
  std::string Unseen(const Crowd::LookColumn& column, Crowd::Code code);
  std::string Rarer(const Crowd::LookColumn& column, Crowd::Code code);

  const Crowd& crowd_;
  Random& random_;
  std::vector<Profile> models_;  // of people
  Profile scale_;                // how much they differ
};

}  // namespace reissue::models::invariance::service
