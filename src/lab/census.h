#pragma once
// Census tables as the experiments on m-invariance use them: four quasi-identifiers as codes from 0
// (age, gender, education, birthplace) and one sensitive value (occupation or salary).

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/metrics/queries.h"

namespace reissue::lab {

struct CensusTable {
  std::string name;                   // "OCC", "SAL", …
  std::vector<std::uint32_t> domain;  // codes per quasi-identifier
  std::uint32_t value_count = 0;
  metrics::CodedTable rows;
};

// Made up (simulate::MakeGenerator): `kind` is "occ" or "sal".
CensusTable SimulatedCensus(const std::string& kind, std::uint64_t rows, std::uint64_t seed);

// A CSV file of whole numbers with the columns Age, Gender, Education, Birthplace, Occupation and
// Salary: one table with each of the last two. Errors: as ReadCsv; a column that is not there, a
// value that is no number.
Result<std::vector<CensusTable>> LoadCensus(const std::string& path, const std::string& name,
                                            binding::Context& context);

}  // namespace reissue::lab
