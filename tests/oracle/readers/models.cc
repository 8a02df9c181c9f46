#include "model.h"

namespace reissue::readers {

std::vector<std::unique_ptr<Model>> AllModels() {
  std::vector<std::unique_ptr<Model>> models;
  models.push_back(OneRelease());
  models.push_back(Growing());
  models.push_back(Linked());
  models.push_back(Changing());
  models.push_back(Evolving());
  return models;
}

}  // namespace reissue::readers
