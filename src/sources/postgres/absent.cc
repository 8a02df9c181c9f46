// In place of everything else here where libpq was not found.
#include "reissue/sources/postgres/source.h"
#include "reissue/sources/postgres/target.h"

namespace reissue::sources::postgres {
namespace {

Error NotBuiltIn() {
  return UsageError("this program was built without PostgreSQL",
                    "Install libpq (Debian: libpq-dev) and build it again.");
}

}  // namespace

bool Available() { return false; }

Result<Address> ReadAddress(const std::string&) { return NotBuiltIn(); }

Result<Address> ReadAddressOfPolicy(const std::string&, const Place&) { return NotBuiltIn(); }

Result<Address> WithoutPassword(const Address&) { return NotBuiltIn(); }

Result<std::unique_ptr<TableSource>> OpenTable(const SourceSettings&, const std::string&,
                                               ThreadPool&, Progress&) {
  return NotBuiltIn();
}

Result<std::unique_ptr<ReleaseTarget>> OpenTarget(const Address&, const std::string&,
                                                  const Patience&, ThreadPool&) {
  return NotBuiltIn();
}

namespace {

class NoRecovery : public TargetRecovery {
 public:
  Result<Fate> FateOf(std::string_view) override { return NotBuiltIn(); }
};

}  // namespace

std::unique_ptr<TargetRecovery> RecoveryAt(const Address&, const Patience&) {
  return std::make_unique<NoRecovery>();
}

}  // namespace reissue::sources::postgres
