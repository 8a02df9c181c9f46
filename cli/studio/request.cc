#include "cli/studio/request.h"

#include <sodium.h>

#include <string_view>

#include "cli/render/json.h"

namespace reissue::cli::studio {
namespace {

constexpr std::string_view kKey = "\"passphrase\"";

int Hex(char c) {
  if ('0' <= c && c <= '9') return c - '0';
  if ('a' <= c && c <= 'f') return c - 'a' + 10;
  if ('A' <= c && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Takes the text of a JSON string out of a body: read once, overwritten with blanks.
class SecretTaker {
 public:
  SecretTaker(std::string& body, std::size_t at) : body_(body), at_(at) {}

  // `at` is behind the opening quote; afterwards at the closing one.
  bool Take(ledger::SecretText& secret) {
    for (; at_ < body_.size() && body_[at_] != '"'; ++at_) {
      const std::size_t begin = at_;
      std::uint32_t code = 0;
      bool good = true;
      if (body_[at_] != '\\') {
        good = static_cast<unsigned char>(body_[at_]) >= 0x20 && secret.Append(body_[at_]);
      } else {
        good = Escape(code) && AppendCode(code, secret);
      }
      sodium_memzero(&code, sizeof(code));
      for (std::size_t i = begin; i <= at_ && i < body_.size(); ++i) body_[i] = ' ';
      if (!good) return false;
    }
    return at_ < body_.size();
  }
  std::size_t at() const { return at_; }

 private:
  bool Unit(std::uint32_t& unit) {
    unit = 0;
    if (at_ + 4 >= body_.size()) return false;
    for (int i = 0; i < 4; ++i) {
      const int digit = Hex(body_[++at_]);
      if (digit < 0) return false;
      unit = unit * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  // Ends on the last character of the escape.
  bool Escape(std::uint32_t& code) {
    if (++at_ >= body_.size()) return false;
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeans = "\"\\/\b\f\n\r\t";
    const std::size_t letter = kLetters.find(body_[at_]);
    if (letter != std::string_view::npos) {
      code = static_cast<unsigned char>(kMeans[letter]);
      return true;
    }
    if (body_[at_] != 'u' || !Unit(code)) return false;
    if (code < 0xD800 || code > 0xDFFF) return true;
    std::uint32_t low = 0;
    if (code > 0xDBFF || at_ + 2 >= body_.size() || body_[at_ + 1] != '\\' ||
        body_[at_ + 2] != 'u') {
      return false;
    }
    at_ += 2;
    if (!Unit(low) || low < 0xDC00 || low > 0xDFFF) return false;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    return true;
  }

  static bool AppendCode(std::uint32_t code, ledger::SecretText& secret) {
    const auto put = [&](std::uint32_t byte) { return secret.Append(static_cast<char>(byte)); };
    if (code < 0x80) return put(code);
    if (code < 0x800) return put(0xC0 | code >> 6) && put(0x80 | (code & 0x3F));
    if (code < 0x10000) {
      return put(0xE0 | code >> 12) && put(0x80 | (code >> 6 & 0x3F)) && put(0x80 | (code & 0x3F));
    }
    return put(0xF0 | code >> 18) && put(0x80 | (code >> 12 & 0x3F)) &&
           put(0x80 | (code >> 6 & 0x3F)) && put(0x80 | (code & 0x3F));
  }

  std::string& body_;
  std::size_t at_;
};

// Where the value of the key begins, at the level of the outermost object: behind its quote.
std::size_t FindSecret(std::string_view body) {
  int depth = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const bool key = depth == 1 && body.substr(i, kKey.size()) == kKey;
    for (++i; i < body.size() && body[i] != '"'; ++i) {
      if (body[i] == '\\') ++i;
    }
    if (!key) continue;
    std::size_t at = i + 1;
    const auto blanks = [&] {
      while (at < body.size() &&
             std::string_view(" \t\r\n").find(body[at]) != std::string_view::npos) {
        ++at;
      }
    };
    blanks();
    if (at >= body.size() || body[at] != ':') continue;
    ++at;
    blanks();
    if (at < body.size() && body[at] == '"') return at + 1;
  }
  return std::string_view::npos;
}

std::optional<JobRequest> Parse(std::string& body) {
  JobRequest request;
  const std::size_t at = FindSecret(body);
  if (at != std::string::npos) {
    ledger::SecretText secret;
    SecretTaker taker(body, at);
    if (!taker.Take(secret)) return std::nullopt;
    request.passphrase = std::move(secret);
  }
  const Json json = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("arguments") || !json["arguments"].is_array()) {
    return std::nullopt;
  }
  for (const auto& [key, value] : json.items()) {
    const bool known =
        key == "arguments" || (key == "passphrase" && (value.is_null() || at != std::string::npos));
    if (!known) return std::nullopt;
  }
  for (const Json& argument : json["arguments"]) {
    if (!argument.is_string()) return std::nullopt;
    request.arguments.push_back(argument.get<std::string>());
  }
  if (request.passphrase) {
    const std::string_view view = request.passphrase->view();
    if (view.empty() ||
        view.find_first_of(std::string_view("\0\r\n", 3)) != std::string_view::npos) {
      return std::nullopt;
    }
  }
  return request;
}

}  // namespace

std::optional<JobRequest> ParseJobRequest(std::string& body) {
  std::optional<JobRequest> request = Parse(body);
  sodium_memzero(body.data(), body.size());
  return request;
}

}  // namespace reissue::cli::studio
