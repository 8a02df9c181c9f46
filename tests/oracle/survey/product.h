#pragma once
// The product on the files that were drawn.

#include <functional>
#include <string>
#include <vector>

#include "draw.h"
#include "oracle.h"
#include "reissue/survey/linked.h"
#include "reissue/survey/matching.h"
#include "reissue/survey/together.h"

namespace oracle::survey {

// Something that goes wrong on the way.
using Bend = std::function<void(reissue::survey::Columns&)>;

class Product {
 public:
  explicit Product(const std::vector<Drawn>& files, const Bend& bend = {});

  const reissue::survey::Columns& columns() const { return columns_; }
  const std::vector<reissue::survey::Published>& files() const { return files_; }

  // Per row of the file, as drawn.
  std::vector<RowFound> Alone(std::size_t file, const reissue::survey::Effort& effort = {});
  std::vector<RowFound> Together(std::size_t file, const reissue::survey::Effort& effort = {});
  std::vector<RowFound> Joined(std::size_t from, std::size_t to,
                               const reissue::survey::Effort& effort = {});

 private:
  reissue::survey::Columns columns_;
  std::vector<reissue::survey::Published> files_;
  struct Where {
    std::size_t cell = 0, group = 0;
  };
  std::vector<std::vector<Where>> rows_;  // per file
  reissue::ThreadPool pool_{1};
};

}  // namespace oracle::survey
