#pragma once
// Text in SVG and other XML.

#include <string>
#include <string_view>

namespace reissue {

// As the text of an element or the value of an attribute: `&`, `<`, `>`, `"` and `'` are escaped;
// control characters, which no XML file may have, become blanks.
std::string EscapedXml(std::string_view text);

}  // namespace reissue
