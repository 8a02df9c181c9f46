#include "reissue/simulate/generator.h"

#include <utility>

#include "reissue/simulate/adult.h"
#include "reissue/simulate/census.h"
#include "reissue/simulate/csv_line.h"
#include "reissue/simulate/hospital.h"

namespace reissue::simulate {
namespace {

// Kinds must not share their random numbers: occ and sal with one seed are different people.
enum Family : std::uint64_t {
  kAdultFamily = 1,
  kOccFamily = 2,
  kSalFamily = 3,
  kHospitalFamily = 4
};

}  // namespace

Generator::Generator(std::uint64_t seed, std::vector<std::string> header, char identifier)
    : seed_(seed), header_(std::move(header)), identifier_(identifier) {}

void Generator::AppendHeader(std::string& out) const {
  for (std::size_t i = 0; i < header_.size(); ++i) {
    if (i > 0) out.push_back(',');
    AppendText(out, header_[i]);
  }
  out.push_back('\n');
}

void Generator::Append(std::uint64_t row, std::string& out) const {
  Random random = Random::Seeded(DeriveSeed(seed_, row));
  if (identifier_ != 0) {
    out.push_back(identifier_);
    AppendNumber(out, row + 1, 7);
    out.push_back(',');
  }
  AppendValues(row, random, out);
}

void Generator::AppendRows(std::uint64_t first, std::uint64_t count, std::string& out) const {
  for (std::uint64_t row = first; row < first + count; ++row) Append(row, out);
}

const std::vector<std::string>& GeneratorKinds() {
  static const auto* const kinds = new std::vector<std::string>{"adult", "occ", "sal", "hospital"};
  return *kinds;
}

Result<std::unique_ptr<Generator>> MakeGenerator(std::string_view kind, std::uint64_t seed,
                                                 const GeneratorOptions& options) {
  if (kind == "adult") return MakeAdult(DeriveSeed(seed, kAdultFamily), options);
  if (kind == "occ") {
    return MakeCensus(CensusColumn::kOccupation, DeriveSeed(seed, kOccFamily), options);
  }
  if (kind == "sal") {
    return MakeCensus(CensusColumn::kSalary, DeriveSeed(seed, kSalFamily), options);
  }
  if (kind == "hospital") return MakeHospital(DeriveSeed(seed, kHospitalFamily));
  return UsageError("there is no generator \"" + std::string(kind) + "\"",
                    "Choose one of: adult, occ, sal, hospital.");
}

}  // namespace reissue::simulate
