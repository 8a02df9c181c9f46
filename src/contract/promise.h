#pragma once
// What a policy or a certificate asks of a model, read. Each model has a promise of its own.

#include <memory>
#include <string>

#include "reissue/binding/load.h"
#include "reissue/binding/settings.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::contract {

struct Promise {
  virtual ~Promise() = default;
  std::string model;  // as policies write it

  // The promise of the model that asks; another one is a bug.
  template <typename T>
  const T& As() const {
    const T* const own = dynamic_cast<const T*>(this);
    REISSUE_CHECK(own != nullptr);
    return *own;
  }
};
using PromisePtr = std::shared_ptr<const Promise>;

// Where a promise is written. The same reader serves policies and certificates, so a certificate is
// checked by what it says and nothing else.
struct Asked {
  const binding::Settings& guarantee;
  const binding::Settings& knowledge;  // none in certificates
  const binding::ReleaseColumns& columns;
  const std::string& file;             // for messages
  const io::Policy* policy = nullptr;  // null: a certificate
};

}  // namespace reissue::contract
