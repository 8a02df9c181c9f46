#pragma once
// A model as its readers see it: cases to put before them, and what follows from all worlds that
// explain the published files. Each reader is written from the definition in docs/limits.md and
// knows nothing of how the program works.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case.h"
#include "judge.h"
#include "runs.h"

namespace reissue::readers {

class Model {
 public:
  virtual ~Model() = default;
  virtual std::string name() const = 0;

  // Releases as any tool might have published them.
  virtual Case Foreign(Chance& chance) const = 0;
  // Tables for the program to publish.
  virtual Case Tables(Chance& chance) const = 0;

  // What a reader of these files finds, by trying out all worlds. Nothing where there are too many
  // of them to be tried.
  virtual std::optional<Finding> Read(const Case& one,
                                      const std::vector<Sheet>& released) const = 0;
  // The same of what the program published from the tables of the case, where the promise is about
  // something that files alone do not tell.
  virtual std::optional<Finding> ReadOwn(const Case& one,
                                         const std::vector<Sheet>& released) const {
    return Read(one, released);
  }

  // What a reader who runs the publisher may know beforehand; about so many settings.
  virtual std::vector<Setting> Settings(std::uint64_t number, Chance& chance) const = 0;
};

std::unique_ptr<Model> OneRelease();  // k
std::unique_ptr<Model> Growing();     // bcf
std::unique_ptr<Model> Linked();      // xy
std::unique_ptr<Model> Changing();    // m-invariance
std::unique_ptr<Model> Evolving();    // j-similarity

std::vector<std::unique_ptr<Model>> AllModels();

}  // namespace reissue::readers
