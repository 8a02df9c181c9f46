#include <algorithm>
#include <cctype>

#include "reissue/io/policy.h"

namespace reissue::io {
namespace {

// Edits (insert, delete, replace, swap neighbours) that turn one word into the other, case apart.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min(
          {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + !same(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string Nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 200;  // longer words are no slip of the finger
  const std::string* nearest = nullptr;
  std::size_t least = word.size() / 3;
  if (word.size() > kLongest) return {};
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < least || (distance == least && nearest == nullptr)) {
      nearest = &candidate;
      least = distance;
    }
  }
  return nearest == nullptr ? std::string() : *nearest;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = Nearest(word, known);
  return nearest.empty() ? std::string() : "Did you mean \"" + nearest + "\"? ";
}

}  // namespace reissue::io
