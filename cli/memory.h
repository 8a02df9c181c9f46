#pragma once
// The end of a program that has no memory left: at once, with words and a status. A publication can
// end at any moment: the vault finishes it or takes it back when it is opened next.

#include <system_error>

namespace reissue::cli {

// A lock or a thread that the machine does not give: mostly for want of memory.
bool IsShortage(const std::system_error& problem);

// From the words on the command line, which choose what is said. Takes no memory.
void PrepareForLittleMemory(int count, char** words);

// Says so on standard error, without taking any memory.
void TellOutOfMemory();

}  // namespace reissue::cli
