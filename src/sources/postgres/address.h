#pragma once
// Where a PostgreSQL server is, as libpq's tools are told: a connection string, a URI or the name
// of a database; whatever is not written comes from PG* variables, service and password files.
// Plain values.

#include <string>

#include "reissue/core/result.h"

namespace reissue::sources::postgres {

struct Address {
  std::string conninfo;
};

// From a command line. Errors (kUsage): not a connection string. A string that is wrong is not
// repeated: it may hold a password.
Result<Address> ReadAddress(const std::string& conninfo);

// From a policy, which others read: a password in it is an error (kInput).
Result<Address> ReadAddressOfPolicy(const std::string& conninfo, const Place& place);

// The same without a password, to be shown or kept.
Result<Address> WithoutPassword(const Address& address);

// Whether a connection to this host cannot be overheard on a network: a Unix socket (also where
// nothing is named), `localhost`, a loopback address. Of a list, all must be.
bool IsLocal(const std::string& hosts, const std::string& addresses);

}  // namespace reissue::sources::postgres
