#pragma once
// Discharges of an imaginary hospital, for demonstrations: one row per patient (P0000001, …) with
// age, sex, zip code, job, month of admission, disease and days in hospital. Plausible at a glance,
// and made up throughout: places, codes and rates come from nowhere. See docs/simulate.md.

#include <cstdint>
#include <memory>

#include "reissue/simulate/generator.h"

namespace reissue::simulate {

std::unique_ptr<Generator> MakeHospital(std::uint64_t seed);

}  // namespace reissue::simulate
