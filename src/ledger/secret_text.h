#pragma once
// A short secret text, such as a passphrase, in locked memory that is wiped when it is freed.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace reissue::ledger {

class SecretText {
 public:
  static constexpr std::size_t kMost = 1024;

  SecretText() = default;
  // Implicit, as of any text; what is beyond kMost is an error of the caller.
  SecretText(std::string_view text);                                           // NOLINT
  SecretText(const std::string& text) : SecretText(std::string_view(text)) {}  // NOLINT
  SecretText(const char* text) : SecretText(std::string_view(text)) {}         // NOLINT
  SecretText(const SecretText& other) : SecretText(other.view()) {}
  SecretText(SecretText&& other) noexcept = default;
  SecretText& operator=(SecretText other) noexcept;

  // False where there is no room for one more.
  bool Append(char c);

  std::string_view view() const { return {bytes_.get(), size_}; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  friend bool operator==(const SecretText& a, const SecretText& b) { return a.view() == b.view(); }

 private:
  struct Free {
    void operator()(char* bytes) const;
  };
  std::unique_ptr<char[], Free> bytes_;
  std::size_t size_ = 0;
};

}  // namespace reissue::ledger
