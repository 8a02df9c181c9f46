#pragma once
// Sealed states of any size (docs/formats/vault.md, "Pieces"). What fits into one piece lies in
// table `secrets`, as it always did. The rest of a larger state lies in table `pieces`, which a
// vault gets, together with its format, when it needs it first. Each piece of such a state is bound
// to the release, to all releases up to it, to the name, to its place and to the number of pieces.
// Beside the state itself, memory is that of a few pieces. For src/ledger only.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/ledger/database.h"
#include "reissue/ledger/keys.h"
#include "reissue/ledger/vault.h"

namespace reissue::ledger {

// The releases up to this one: what they are and what was certified of them. Two vaults that went
// different ways from one copy differ in it, though number and name of a state are the same.
Result<std::string> HistoryUpTo(const Database& database, std::uint32_t release);

// Seals a state of a release that is in the database already. Belongs inside Seal::Write.
Status PutSecret(Database& database, const KeyRing& keys, std::uint32_t release,
                 std::string_view name, std::string_view content, std::size_t piece_bytes);

// The state of the newest published release that has one of this name, appended to `content` piece
// by piece; false where there is none. After each `appended` is called, which may take from
// `content`, with how many bytes are left: every piece is authentic then, and so is how many there
// are. Belongs inside Seal::Read.
using Appended = std::function<Status(std::uint64_t left)>;
Result<bool> AppendSecret(const Database& database, const KeyRing& keys, std::string_view name,
                          std::string& content, const Appended& appended);
// The same, handed over piece by piece.
Result<bool> TakeSecret(const Database& database, const KeyRing& keys, std::string_view name,
                        const Vault::TakePiece& take);

}  // namespace reissue::ledger
