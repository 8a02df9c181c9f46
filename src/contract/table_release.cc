#include "reissue/contract/table_release.h"

namespace reissue::contract {
namespace {

Result<std::unique_ptr<sources::ReleaseTarget>> OpenTarget(const std::string& table,
                                                           const binding::Context& context) {
  if (context.server != nullptr) return context.server->OpenTarget(table);
  return UsageError("no server was named for the table of the release",
                    "Name it with -d CONNINFO, or publish to a file with --out.");
}

// What came back, as often as it is asked for.
class ReadBackTable : public sources::TableSource {
 public:
  ReadBackTable(const sources::Counted& back, std::string name)
      : back_(back), name_(std::move(name)) {
    for (const Column& column : back.table.columns()) columns_.push_back(column.name());
  }

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  sources::Consistency consistency() const override { return sources::Consistency::kOneSnapshot; }
  Result<sources::Counted> Count(const sources::Wanted& wanted) override {
    REISSUE_CHECK(wanted.columns == columns_ && wanted.identifier.empty());
    return back_;
  }
  Result<sources::Listed> Rows(const sources::Wanted&) override {
    return UsageError("a release that is a table is not read row by row");
  }

 private:
  const sources::Counted& back_;
  std::string name_;
  std::vector<std::string> columns_;
};

}  // namespace

ledger::AskTarget AskServer(const binding::Context& context) {
  if (context.server == nullptr) return {};
  return [server = context.server](const std::string& seal) -> Result<bool> {
    const sources::Fate fate = REISSUE_TRY(server->FateOf(seal));
    return fate == sources::Fate::kPublished;
  };
}

Status TableRelease::Check(const std::string& table, const binding::Context& context) {
  REISSUE_TRY(OpenTarget(table, context));
  return Ok();
}

Result<std::unique_ptr<TableRelease>> TableRelease::Begin(const std::string& table,
                                                          const binding::Context& context) {
  auto target = REISSUE_TRY(OpenTarget(table, context));
  return std::unique_ptr<TableRelease>(new TableRelease(std::move(target)));
}

Status TableRelease::ReadBack() {
  back_ = REISSUE_TRY(target_->ReadBack());
  return Ok();
}

Status TableRelease::Commit() {
  const Status committed = target_->Commit();
  target_.reset();
  return committed;
}

Result<std::unique_ptr<sources::TableSource>> TableRelease::Open(const std::string& table,
                                                                 const io::CsvOptions&) {
  REISSUE_CHECK(table == name_ && back_.has_value());
  return std::unique_ptr<sources::TableSource>(std::make_unique<ReadBackTable>(*back_, name_));
}

}  // namespace reissue::contract
