#pragma once
// The program as its users meet it: files, a vault, and the calls that the command line makes. The
// only part of these readers that sees the product. One thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "case.h"
#include "judge.h"

namespace reissue::readers {

class Desk {
 public:
  Desk();
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  // The models that there are, by name.
  static Fields Models();

  // `released`: published files, or the holder's copies where the model reads those.
  Finding Audit(const Case& one, const std::vector<Sheet>& released);

  struct Published {
    std::vector<Sheet> tables;    // those that were not refused
    std::vector<Sheet> released;  // what was made of each, as the model's audit reads it
    std::string complaint;  // a release of which the program itself says that it is not as promised
  };
  // Publishes the tables of a case one after the other from a vault. `verify`: every certificate is
  // checked from the files.
  Published Publish(const Case& one, std::uint64_t seed, bool verify);

 private:
  struct Product;
  std::unique_ptr<Product> product_;
};

// The program, or one with a bug planted in it.
using Auditor = std::function<Finding(const Case&, const std::vector<Sheet>&)>;
using Publisher = std::function<Desk::Published(const Case&, std::uint64_t seed)>;
Auditor AuditorOf(Desk& desk);
Publisher PublisherOf(Desk& desk, bool verify = true);

}  // namespace reissue::readers
