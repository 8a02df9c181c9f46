#pragma once
// A certificate made anew by somebody who has the published files and the policy, and nothing else:
// without the table, without the vault, and without the product's code. For tests only.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases.h"

namespace certificates {

using Json = nlohmann::ordered_json;

// What a reader of one release has: its files, and those that were out before.
struct Out {
  std::string release;
  std::vector<std::pair<std::string, std::string>> beside;  // suffix, text
  std::vector<std::string> earlier;                         // oldest first
  std::string previous;                                     // the certificate before
};

// What stands for a digest under a secret of the vault, for its public key, and for the signature.
inline constexpr char kKeyed[] = "(keyed)";
inline constexpr char kSealed[] = "(signature)";

Json MakeAnew(const Case& about, const Out& out, const std::string& program,
              const std::string& created);

// What a certificate has otherwise than it can be made anew; empty: nothing. Numbers that are
// measured may differ by rounding; everything else must be the same byte by byte.
std::string Difference(const std::string& certificate, const Json& anew);

}  // namespace certificates
