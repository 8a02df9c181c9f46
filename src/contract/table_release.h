#pragma once
// A release that is a table of a database instead of a file, from its first row to its commit
// (docs/design/0014, "Writing back"). It is the target of what is written under its name, and where
// that name leads when it is read back: to what the server gave back, within the transaction.

#include <memory>
#include <optional>
#include <string>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/sources/release_target.h"
#include "reissue/sources/table_source.h"

namespace reissue::contract {

// What a vault asks about a table that was interrupted: the server of the context. Empty: there is
// none, and the vault says so.
ledger::AskTarget AskServer(const binding::Context& context);

class TableRelease : public sources::Catalog {
 public:
  // Whatever can be refused before the table is read; nothing stays. Errors: sources::TargetServer.
  static Status Check(const std::string& table, const binding::Context& context);
  static Result<std::unique_ptr<TableRelease>> Begin(const std::string& table,
                                                     const binding::Context& context);

  const std::string& name() const { return name_; }
  sources::ReleaseTarget& target() { return *target_; }
  // Once it is written. From here on its name can be opened.
  Status ReadBack();
  const sources::Counted& back() const { return *back_; }
  // For the vault's intent.
  Result<std::string> Seal() { return target_->Seal(); }
  // The moment from which it exists. Whatever comes of it, the transaction is not held any more: so
  // the server can be asked.
  Status Commit();

  // Its own name is none; whatever else is written is one.
  bool IsFile(const std::string& table) const override { return table != name_; }
  Result<std::unique_ptr<sources::TableSource>> Open(const std::string& table,
                                                     const io::CsvOptions& options) override;

 private:
  explicit TableRelease(std::unique_ptr<sources::ReleaseTarget> target)
      : target_(std::move(target)), name_(target_->name()) {}

  std::unique_ptr<sources::ReleaseTarget> target_;
  std::string name_;
  std::optional<sources::Counted> back_;
};

}  // namespace reissue::contract
