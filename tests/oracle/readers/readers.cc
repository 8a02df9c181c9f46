// readers [--cases N] [--seed S] [--model M]: readers who try out all worlds, against the program.
// Prints what it did and where the two differ; the exit status is 1 if they do.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "runs.h"
#include "trial.h"

namespace reissue::readers {
namespace {

struct Options {
  std::uint64_t cases = 1000, seed = 1;
  std::string model;  // empty: all
};

int Print(const Tally& tally) {
  std::printf("%s", LineOf(tally).c_str());
  for (const std::string& words : tally.disagreements) {
    std::fprintf(stderr, "%s, %s: %s\n", tally.model.c_str(), tally.kind.c_str(), words.c_str());
  }
  return tally.disagreements.empty() ? 0 : 1;
}

int Run(const Model& model, const Options& options) {
  Desk desk;
  const Publisher publish = PublisherOf(desk, /*verify=*/false);
  std::vector<Rates> rates;
  Chance chance(options.seed);
  for (const Setting& setting : model.Settings(1 + options.cases / 200, chance)) {
    RunPublisher(setting, publish, rates);
  }
  for (const Rates& line : rates) std::printf("%s", LineOf(line).c_str());
  return 0;
}

// In a process of its own: where the program ends itself, the other models are tried all the same.
template <typename Work>
int Apart(const std::string& what, const Work& work) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    const int status = work();
    std::fflush(stdout);
    ::_exit(status);
  }
  int outcome = 0;
  ::waitpid(child, &outcome, 0);
  if (WIFEXITED(outcome)) return WEXITSTATUS(outcome);
  std::printf("%s: the program ended itself\n", what.c_str());
  return 1;
}

int Main(const Options& options) {
  int status = 0;
  auto models = AllModels();
  std::erase_if(models, [&](const auto& model) {
    return !options.model.empty() && model->name() != options.model;
  });
  std::printf("Readers who try out all worlds\n%s", TallyHeader().c_str());
  for (const auto& model : models) {
    status |= Apart(model->name() + " foreign", [&] {
      Desk desk;
      return Print(TryForeign(*model, AuditorOf(desk), options.cases, options.seed));
    });
    status |= Apart(model->name() + " published", [&] {
      Desk desk;
      return Print(
          TryPublished(*model, PublisherOf(desk), AuditorOf(desk), options.cases, options.seed));
    });
  }
  std::printf("\nA reader who also runs the publisher\n%s", RatesHeader().c_str());
  for (const auto& model : models) {
    status |= Apart(model->name(), [&] { return Run(*model, options); });
  }
  return status;
}

}  // namespace
}  // namespace reissue::readers

int main(int count, char** words) {
  reissue::readers::Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string word = words[i], value = i + 1 < count ? words[i + 1] : "";
    if (word == "--cases" && !value.empty()) {
      options.cases = std::strtoull(value.c_str(), nullptr, 10);
    } else if (word == "--seed" && !value.empty()) {
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (word == "--model" && !value.empty()) {
      options.model = value;
    } else {
      std::fprintf(stderr, "usage: readers [--cases N] [--seed S] [--model M]\n");
      return 2;
    }
  }
  return reissue::readers::Main(options);
}
