#include "reissue/binding/priors.h"

#include <algorithm>
#include <cctype>

namespace reissue::binding {

PriorFile ParsePrior(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return {"", text};
  const std::string name = text.substr(0, equals);
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  return plain ? PriorFile{name, text.substr(equals + 1)} : PriorFile{"", text};
}

}  // namespace reissue::binding
