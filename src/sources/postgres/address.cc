#include "reissue/sources/postgres/address.h"

#include <libpq-fe.h>

#include <memory>
#include <string_view>
#include <vector>

namespace reissue::sources::postgres {
namespace {

using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

constexpr char kRemedy[] =
    "Write it as for psql: the name of a database, \"host=… dbname=… user=…\", or "
    "postgresql://user@host/database.";

bool IsConninfo(const std::string& text) {
  return text.find('=') != std::string::npos || text.starts_with("postgres://") ||
         text.starts_with("postgresql://");
}

// Null where the text is the name of a database and nothing else.
Result<Options> OptionsIn(const std::string& text) {
  if (!IsConninfo(text)) return Options(nullptr, PQconninfoFree);
  char* problem = nullptr;
  Options options(PQconninfoParse(text.c_str(), &problem), PQconninfoFree);
  if (problem != nullptr) PQfreemem(problem);
  if (!options) return UsageError("this is not a connection string of PostgreSQL", kRemedy);
  return options;
}

bool IsSecret(std::string_view keyword) {
  return keyword == "password" || keyword == "sslpassword";
}

std::vector<std::string_view> Parts(std::string_view list) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = list.find(',');
    parts.push_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

bool IsLocalHost(std::string_view host) {
  return host.empty() || host.starts_with('/') || host.starts_with('@') || host == "localhost";
}

bool IsLoopback(std::string_view host) { return host.starts_with("127.") || host == "::1"; }

bool HasLetters(std::string_view host) {
  return host.find_first_not_of("0123456789.") != std::string_view::npos;
}

}  // namespace

bool IsLocal(const std::string& hosts, const std::string& addresses) {
  const std::vector<std::string_view> names = Parts(hosts);
  const std::vector<std::string_view> numbers = Parts(addresses);
  const std::size_t size = addresses.empty() ? names.size() : numbers.size();
  for (std::size_t i = 0; i < size; ++i) {
    // The address is where it goes; the name beside it is only looked at for certificates.
    const std::string_view number = i < numbers.size() ? numbers[i] : std::string_view();
    const std::string_view name = i < names.size() ? names[i] : std::string_view();
    if (!number.empty()
            ? !IsLoopback(number)
            : !IsLocalHost(name) && (!IsLoopback(name) || HasLetters(name)) && name != "::1") {
      return false;
    }
  }
  return true;
}

Result<Address> ReadAddress(const std::string& conninfo) {
  REISSUE_TRY(OptionsIn(conninfo));
  return Address{conninfo};
}

Result<Address> WithoutPassword(const Address& address) {
  const Options options = REISSUE_TRY(OptionsIn(address.conninfo));
  std::string kept;
  bool secret = false;
  for (const PQconninfoOption* option = options.get(); option && option->keyword; ++option) {
    if (option->val == nullptr) continue;
    if (IsSecret(option->keyword)) {
      secret = true;
      continue;
    }
    kept += kept.empty() ? "" : " ";
    kept += option->keyword;
    kept += "='";
    for (const char* c = option->val; *c != '\0'; ++c) {
      if (*c == '\'' || *c == '\\') kept += '\\';
      kept += *c;
    }
    kept += '\'';
  }
  return secret ? Address{kept} : address;
}

Result<Address> ReadAddressOfPolicy(const std::string& conninfo, const Place& place) {
  Result<Options> options = OptionsIn(conninfo);
  if (!options) return InputError(place, options.error().message, options.error().remedy);
  for (const PQconninfoOption* option = options->get(); option && option->keyword; ++option) {
    if (!IsSecret(option->keyword) || option->val == nullptr) continue;
    return InputError(place, "a policy must not hold a password",
                      "Take it out and change it: whoever has read the policy knows it. Passwords "
                      "belong in ~/.pgpass (chmod 600) or a service file.");
  }
  return Address{conninfo};
}

}  // namespace reissue::sources::postgres
