#pragma once
// A reader with opinions: what she believes of people before a release, and after it by trying out
// every way to give the rows of a group to its people.

#include <map>
#include <string>
#include <vector>

#include "case.h"

namespace reissue::readers {

using Belief = std::map<std::string, double>;  // value → probability

// Files of knowledge as docs/formats/knowledge.md has them, with one step of transitions.
class Mind {
 public:
  explicit Mind(const Case& one);

  // Before release `number` (from 1), with what was said about it below certainty.
  Belief Before(const std::string& person, const std::string& sex, std::size_t number) const;
  // The value that somebody has in it for certain; empty: nobody said so.
  std::string Certain(const std::string& person, std::size_t number) const;
  // What she believes of them next time.
  void Revise(const std::string& person, const Belief& after);

 private:
  std::map<std::string, Belief> prior_;       // by sex; `*`: everybody
  std::map<std::string, Belief> transition_;  // none: any value may follow any
  std::map<std::string, Belief> revised_;     // by person
  struct Statement {
    std::string value;
    double confidence = 0;
  };
  std::map<std::pair<std::string, std::size_t>, Statement> statements_;
};

// Of each of the people whose priors are given, after she has seen the values of their group: every
// assignment counts as much as the product of the priors that it takes. Nothing where none is
// possible.
std::vector<Belief> After(const std::vector<Belief>& before, std::vector<std::string> values);

// Jensen-Shannon divergence in bits, everybody alike.
double Divergence(const std::vector<Belief>& beliefs);

}  // namespace reissue::readers
