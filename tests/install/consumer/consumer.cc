// What somebody who installed the library would write first: attack a small release.

#include <iostream>

#include "reissue/core/cells.h"
#include "reissue/models/k/adversary/attack.h"

int main() {
  namespace k = reissue::models::k;
  const std::vector<std::uint32_t> keys = {0, 0, 0, 1, 1, 0};  // one quasi-identifier, one value
  const std::vector<std::uint64_t> counts = {1, 1, 3};
  k::PublishedCells release{reissue::CollectCells(2, keys, counts), 1, 2};
  k::Guarantee promise;
  promise.k = 2;
  const k::Report report = k::Attack(release, promise);
  std::cout << report.cells << " cells, smallest " << report.smallest << "\n";
}
