#include "reissue/ledger/secret_text.h"

#include <sodium.h>

#include <algorithm>
#include <new>
#include <utility>

#include "reissue/core/result.h"

namespace reissue::ledger {

SecretText::SecretText(std::string_view text) {
  REISSUE_CHECK(text.size() <= kMost);
  for (const char c : text) Append(c);
}

SecretText& SecretText::operator=(SecretText other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

bool SecretText::Append(char c) {
  if (bytes_ == nullptr) {
    REISSUE_CHECK(sodium_init() >= 0);
    bytes_.reset(static_cast<char*>(sodium_malloc(kMost)));
    if (bytes_ == nullptr) throw std::bad_alloc();
  }
  if (size_ == kMost) return false;
  bytes_[size_++] = c;
  return true;
}

void SecretText::Free::operator()(char* bytes) const { sodium_free(bytes); }

}  // namespace reissue::ledger
