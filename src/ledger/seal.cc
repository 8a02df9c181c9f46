#include "reissue/ledger/seal.h"

#include "reissue/ledger/records.h"

namespace reissue::ledger {
namespace {

constexpr char kPurpose[] = "vault";
// Whatever is oldest goes first; so beside a piece that was written since, what was looked at
// before it stays.
constexpr std::size_t kPieceAndContents = std::size_t{96} << 20;

Error BentError(const std::string& path) {
  return DamagedError(path,
                      "what it records is not what was recorded with its key; somebody or "
                      "something else has changed it");
}

}  // namespace

Status Seal::Check() {
  if (keys_ == nullptr) return Ok();
  const std::string contents = REISSUE_TRY(Contents(database_));
  const std::string found = REISSUE_TRY(LoadSeal(database_));
  if (found != keys_->Authenticate(kPurpose, contents)) return BentError(database_.path());
  if (alone_ && !last_.empty() && found != last_) return BentError(database_.path());
  last_ = found;
  return Ok();
}

Status Seal::Renew() {
  if (keys_ == nullptr) return Ok();
  const std::string contents = REISSUE_TRY(Contents(database_));
  last_ = keys_->Authenticate(kPurpose, contents);
  return PutSeal(database_, last_);
}

Status Seal::BeginReading() {
  REISSUE_TRY(database_.Begin("BEGIN"));
  const Status checked = Check();
  if (!checked) EndReading();
  return checked;
}

// Nothing was written; one that cannot be ended, for want of memory, ends when the next begins.
void Seal::EndReading() { (void)database_.Run("ROLLBACK"); }

Status Seal::Write(const std::function<Status()>& body) {
  REISSUE_TRY(database_.KeepPages(kPieceAndContents));
  const Status status = database_.InTransaction([&]() -> Status {
    REISSUE_TRY(Check());
    REISSUE_TRY(body());
    return Renew();
  });
  // Whether a failed transaction is on the disk is not known.
  if (!status) last_.clear();
  (void)database_.KeepPages(
      Database::kUsually);  // for want of memory more is kept, which does no harm
  return status;
}

}  // namespace reissue::ledger
