#pragma once
// Checks, from scratch, of what the product says in its own support: witnesses, proofs of
// impossibility, lists of findings. All return what is wrong, or nothing. For tests only.

#include <string>
#include <vector>

#include "reissue/models/bcf/adversary/series_attack.h"
#include "series_answers.h"

namespace oracle::bcf {

// The targets that a person of the value can be: all their cells have rows of it.
std::vector<Target> KindsOf(const Series& series, const std::vector<Target>& targets,
                            const std::string& value);

// `kinds` are those of the value.
//
// A witness gives every group that it touches exactly its rows, touches whatever could have a
// person in common with that (the whole component), has people of no impossible kind, and has
// `number` of them at the target.
std::string ComplaintAboutWitness(const Question& question, const model::Series& series,
                                  const std::vector<Target>& kinds, const model::Target& asked,
                                  const std::string& value, long number, const model::World& world);

// Every possible person counts at least 0, all rows together less than 0.
std::string ComplaintAboutProof(const Question& question, const model::Series& series,
                                const std::vector<Target>& kinds,
                                const model::Impossible& impossible);

// Decided, and sorted, and as many findings as the verdict says.
std::string ComplaintAboutReport(const model::SeriesAttackReport& report);

}  // namespace oracle::bcf
