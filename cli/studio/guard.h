#pragma once
// Who may talk to the studio: whoever was given the token of this start, with a browser that says
// it is on the studio's own page. Thread-safe.

#include <string>
#include <string_view>
#include <vector>

namespace reissue::cli::studio {

// What a request says about itself; every header as often as it came.
struct Credentials {
  bool reads = false;  // GET, HEAD
  std::vector<std::string> hosts, origins, cookies, fetch_sites;
};

class Guard {
 public:
  // Two new secrets: the token that opens the page, and the cookie that it is exchanged for.
  Guard();

  void SetPort(int port);
  const std::string& token() const { return token_; }
  // The value of Set-Cookie.
  std::string Cookie() const;

  // A name of ours, once: no other site can lead its own name here.
  bool Addressed(const Credentials& credentials) const;
  // Addressed, with the cookie, from no other page; and what does not only read, from ours.
  bool Allows(const Credentials& credentials) const;
  // In constant time.
  bool Opens(std::string_view token) const;

 private:
  bool HasCookie(const std::vector<std::string>& cookies) const;

  std::string token_, secret_, name_;
  std::vector<std::string> hosts_, origins_;
};

}  // namespace reissue::cli::studio
