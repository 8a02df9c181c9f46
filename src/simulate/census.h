#pragma once
// Integer-coded census tables in the shape of OCC and SAL (the tables on which papers about
// changing tables were measured): Age 17–95, Gender 1–2, Education 1–17, Birthplace 1–57, and
// Occupation or Salary 1–50. Moderately skewed and dependent; the most frequent sensitive value has
// at most 4 % of the rows, so m up to 25 can be had. Entirely made up.

#include <cstdint>
#include <memory>

#include "reissue/simulate/generator.h"

namespace reissue::simulate {

enum class CensusColumn { kOccupation, kSalary };  // the sensitive one

std::unique_ptr<Generator> MakeCensus(CensusColumn sensitive, std::uint64_t seed,
                                      const GeneratorOptions& options);

}  // namespace reissue::simulate
