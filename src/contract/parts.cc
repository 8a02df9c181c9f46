#include "reissue/contract/parts.h"

#include <fmt/format.h>

#include <charconv>

#include "reissue/contract/model.h"
#include "reissue/io/csv.h"

namespace reissue::contract {
namespace {

struct Numbers {
  std::uint32_t part = 0, parts = 0;
};

bool ReadNumber(std::string_view digits, std::uint32_t& number) {
  const char* const end = digits.data() + digits.size();
  const auto [stopped, failure] = std::from_chars(digits.data(), end, number);
  return failure == std::errc() && stopped == end;
}

Result<Numbers> ReadPart(const std::string& text) {
  Numbers numbers;
  const std::size_t slash = text.find('/');
  const std::string_view all(text);
  if (slash == std::string::npos || !ReadNumber(all.substr(0, slash), numbers.part) ||
      !ReadNumber(all.substr(slash + 1), numbers.parts) || numbers.parts < 2 ||
      numbers.parts > ledger::Division::kMostParts || numbers.part < 1 ||
      numbers.part > numbers.parts) {
    return UsageError(fmt::format("--part: \"{}\" is not one of several parts", text),
                      fmt::format("Say which of how many, from 1/2 to {0}/{0}: --part 2/3.",
                                  ledger::Division::kMostParts));
  }
  return numbers;
}

Result<ledger::Division> ReadKey(Numbers numbers, const std::string& file,
                                 binding::Context& context) {
  const auto bytes = REISSUE_TRY(context.files.Read(file));
  return ledger::Division::Of(numbers.part, numbers.parts, bytes->view(), file);
}

}  // namespace

Result<DivisionPtr> DivisionOf(const AskedPart& asked, binding::Context& context) {
  if (!asked.any()) return DivisionPtr();
  if (asked.part.empty()) {
    return UsageError("--part-key was given, and no part", "Say which part it is: --part 1/2.");
  }
  const Numbers numbers = REISSUE_TRY(ReadPart(asked.part));
  if (asked.key.empty()) {
    return UsageError(
        fmt::format("--part {} needs the key that divides people into parts", asked.part),
        "Make one with `reissue key part FILE`, and give the same to all parts: --part-key FILE.");
  }
  ledger::Division division = REISSUE_TRY(ReadKey(numbers, asked.key, context));
  return DivisionPtr(std::make_shared<const ledger::Division>(std::move(division)));
}

Status CanBeDivided(const Traits& traits, const io::Policy& policy) {
  if (!traits.Takes(Extra::kParts)) {
    return UsageError(
        fmt::format("model \"{}\" has no parts: it promises something of whole files that are "
                    "joined, and joins of parts do not keep it",
                    traits.name),
        "Publish the whole table.");
  }
  if (policy.WithRole(io::Role::kIdentifier).empty()) {
    return InputError({policy.file, std::nullopt, std::nullopt, ""},
                      "people are divided by their identifiers, and the policy names none",
                      "Give a column the role \"identifier\", or publish the whole table.");
  }
  return Ok();
}

Result<DivisionPtr> DivisionOfVault(ledger::Vault& vault, const AskedPart& asked,
                                    const std::string& directory, binding::Context& context) {
  const Place place{directory, std::nullopt, std::nullopt, ""};
  const auto state = REISSUE_TRY(vault.Unseal(ledger::Division::kSecret));
  if (!state) {
    if (!asked.any()) return DivisionPtr();
    return InputError(place, "the releases of this vault are of whole tables, not of a part",
                      "Go on without --part, or begin a series of each part in a new vault.");
  }
  auto division =
      std::make_shared<const ledger::Division>(REISSUE_TRY(ledger::Division::Load(*state)));
  const std::string remedy =
      "Leave --part and --part-key out: the vault knows them. Another part has another vault.";
  if (!asked.part.empty()) {
    const Numbers numbers = REISSUE_TRY(ReadPart(asked.part));
    if (numbers.part != division->part() || numbers.parts != division->parts()) {
      return InputError(place,
                        fmt::format("this vault is of part {}/{}, not of part {}", division->part(),
                                    division->parts(), asked.part),
                        remedy);
    }
  }
  if (!asked.key.empty()) {
    const ledger::Division given =
        REISSUE_TRY(ReadKey({division->part(), division->parts()}, asked.key, context));
    if (given.Digest() != division->Digest()) {
      return InputError({asked.key, std::nullopt, std::nullopt, ""},
                        "this vault divides people by another key", remedy);
    }
  }
  return DivisionPtr(std::move(division));
}

}  // namespace reissue::contract
