#pragma once
// People like those of the census extract "Adult" (1994): the same 15 columns, the same values, a
// Bayesian network for what depends on what. Rates are rounded frequencies of that extract; no row
// of it is in here. See docs/simulate.md for the network.

#include <cstdint>
#include <memory>

#include "reissue/simulate/generator.h"

namespace reissue::simulate {

std::unique_ptr<Generator> MakeAdult(std::uint64_t seed, const GeneratorOptions& options);

}  // namespace reissue::simulate
