#pragma once
// How long work tells its caller how far it is. The default says nothing to nobody. Calls may come
// from any thread.

#include <cstdint>
#include <string_view>

namespace reissue {

class Progress {
 public:
  virtual ~Progress() = default;
  // A new stage begins; `total` is in the stage's own units, 0 if unknown.
  virtual void Begin(std::string_view stage, std::uint64_t total) { (void)stage, (void)total; }
  // This much more of the stage is done.
  virtual void Advance(std::uint64_t more) { (void)more; }
};

}  // namespace reissue
