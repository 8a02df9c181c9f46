#pragma once
// People divided into parts by a keyed hash of their identifiers, each part published from a vault
// of its own (docs/design/0014, "Parts"). All parts share one dividing key, a small private file;
// each vault keeps it, sealed, with the part that it is of. Who has the key can tell which part
// anybody is in, and nothing else: promises are made before readers who know that. Immutable.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reissue/core/result.h"

namespace reissue::ledger {

class SecretKey;

class Division {
 public:
  static constexpr std::uint32_t kMostParts = 10'000;
  // What a vault keeps it as.
  static constexpr char kSecret[] = "part";

  // The text of a file with a new key.
  static std::string NewKey();
  // Part `part` of `parts`, from 1. kInput: `text` is not that of such a file.
  static Result<Division> Of(std::uint32_t part, std::uint32_t parts, std::string_view text,
                             const std::string& file);
  // What Save wrote.
  static Result<Division> Load(std::string_view state);
  std::string Save() const;

  Division(Division&&) noexcept;
  Division& operator=(Division&&) noexcept;
  ~Division();

  // Whether this is the part of the person.
  bool Has(std::string_view identifier) const;
  // Hex, 256 bits: the same for all parts of one division into as many, and only for them. Tells
  // nothing of the key.
  std::string Digest() const;

  std::uint32_t part() const { return part_; }
  std::uint32_t parts() const { return parts_; }

 private:
  Division(std::uint32_t part, std::uint32_t parts, std::unique_ptr<SecretKey> key);
  std::uint32_t part_, parts_;
  std::unique_ptr<SecretKey> key_;
};

}  // namespace reissue::ledger
