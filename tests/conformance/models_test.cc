// The engine's list of models, the program's list of views and the directories here name the same
// models. Whoever adds a model and forgets one of the others learns it from this test.

#include "reissue/engine/models.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "cli/render/views.h"
#include "reissue/contract/model.h"

namespace reissue {
namespace {

using Names = std::set<std::string>;

Names OfTheEngine() {
  Names names;
  for (const contract::Model* model : engine::Models()) names.insert(model->traits().name);
  return names;
}

Names OfTheViews() {
  Names names;
  for (const cli::View* view : cli::Views()) names.insert(view->model());
  return names;
}

Names OfTheCases() {
  Names names;
  for (const auto& entry : std::filesystem::directory_iterator(REISSUE_CONFORMANCE_DIR)) {
    if (entry.is_directory()) names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(Models, AreNamedOnce) {
  EXPECT_FALSE(OfTheEngine().empty());
  EXPECT_EQ(OfTheEngine().size(), engine::Models().size());
  EXPECT_EQ(OfTheViews().size(), cli::Views().size());
}

TEST(Models, HaveAView) { EXPECT_EQ(OfTheViews(), OfTheEngine()); }

TEST(Models, HaveACaseInTestsConformance) {
  EXPECT_EQ(OfTheCases(), OfTheEngine());
  for (const std::string& model : OfTheCases()) {
    for (const char* file : {"case", "policy.toml", "first.csv", "second.csv", "bad.csv"}) {
      EXPECT_TRUE(
          std::filesystem::exists(std::filesystem::path(REISSUE_CONFORMANCE_DIR) / model / file))
          << model << " lacks " << file;
    }
  }
}

}  // namespace
}  // namespace reissue
