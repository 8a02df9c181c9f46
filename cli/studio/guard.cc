#include "cli/studio/guard.h"

#include <sodium.h>

#include <algorithm>
#include <cstdlib>

namespace reissue::cli::studio {
namespace {

constexpr std::size_t kSecretBytes = 32;

std::string NewSecret() {
  unsigned char bytes[kSecretBytes];
  randombytes_buf(bytes, sizeof(bytes));
  char text[2 * kSecretBytes + 1];
  sodium_bin2hex(text, sizeof(text), bytes, sizeof(bytes));
  std::string secret(text);
  sodium_memzero(bytes, sizeof(bytes));
  sodium_memzero(text, sizeof(text));
  return secret;
}

// All secrets are of one length, which is no secret.
bool Same(std::string_view given, const std::string& secret) {
  return given.size() == secret.size() &&
         sodium_memcmp(given.data(), secret.data(), secret.size()) == 0;
}

bool OneOf(const std::vector<std::string>& said, const std::vector<std::string>& known) {
  return said.size() == 1 && std::count(known.begin(), known.end(), said[0]) > 0;
}

}  // namespace

Guard::Guard() {
  // Cannot fail: the program has used the library before.
  if (sodium_init() < 0) std::abort();
  token_ = NewSecret();
  secret_ = NewSecret();
}

void Guard::SetPort(int port) {
  const std::string number = std::to_string(port);
  hosts_ = {"127.0.0.1:" + number, "localhost:" + number};
  origins_ = {"http://" + hosts_[0], "http://" + hosts_[1]};
  name_ = "reissue-studio-" + number;  // cookies do not know ports
}

std::string Guard::Cookie() const {
  return name_ + "=" + secret_ + "; HttpOnly; SameSite=Strict; Path=/";
}

bool Guard::Addressed(const Credentials& credentials) const {
  return OneOf(credentials.hosts, hosts_);
}

bool Guard::Allows(const Credentials& credentials) const {
  if (!Addressed(credentials) || !HasCookie(credentials.cookies)) return false;
  for (const std::string& site : credentials.fetch_sites) {
    if (site != "same-origin" && site != "none") return false;
  }
  if (credentials.origins.empty()) return credentials.reads;
  // The page and the name that it was asked for by.
  return OneOf(credentials.origins, origins_) &&
         credentials.origins[0] == "http://" + credentials.hosts[0];
}

bool Guard::Opens(std::string_view token) const { return Same(token, token_); }

bool Guard::HasCookie(const std::vector<std::string>& cookies) const {
  bool found = false;
  for (const std::string& header : cookies) {
    for (std::size_t begin = 0; begin < header.size();) {
      const std::size_t end = std::min(header.find(';', begin), header.size());
      std::string_view pair = std::string_view(header).substr(begin, end - begin);
      while (pair.starts_with(' ')) pair.remove_prefix(1);
      while (pair.ends_with(' ')) pair.remove_suffix(1);
      begin = end + 1;
      const std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos || pair.substr(0, equals) != name_) continue;
      found = Same(pair.substr(equals + 1), secret_) || found;
    }
  }
  return found;
}

}  // namespace reissue::cli::studio
