#include "reissue/core/result.h"

#include <cstdio>
#include <cstdlib>

namespace reissue {

std::string Place::ToString() const {
  std::string text = file;
  if (line) text += ":" + std::to_string(*line);
  if (byte) text += (text.empty() ? "byte " : ", byte ") + std::to_string(*byte);
  if (!column.empty()) text += (text.empty() ? "column \"" : ", column \"") + column + "\"";
  return text;
}

std::string Error::ToString() const {
  std::string text;
  if (place) {
    const std::string where = place->ToString();
    if (!where.empty()) text += where + ": ";
  }
  text += message;
  if (!remedy.empty()) text += "\n  " + remedy;
  return text;
}

Error UsageError(std::string message, std::string remedy) {
  return {ErrorCode::kUsage, std::move(message), std::nullopt, std::move(remedy)};
}
Error InputError(Place place, std::string message, std::string remedy) {
  return {ErrorCode::kInput, std::move(message), std::move(place), std::move(remedy)};
}
Error InputError(std::string message, std::string remedy) {
  return {ErrorCode::kInput, std::move(message), std::nullopt, std::move(remedy)};
}
Error PromiseError(std::string message, std::string remedy) {
  return {ErrorCode::kPromise, std::move(message), std::nullopt, std::move(remedy)};
}
Error MachineError(Place place, std::string message, std::string remedy) {
  return {ErrorCode::kMachine, std::move(message), std::move(place), std::move(remedy)};
}
Error MachineError(std::string message, std::string remedy) {
  return {ErrorCode::kMachine, std::move(message), std::nullopt, std::move(remedy)};
}

namespace internal {
void CheckFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "reissue: internal error at %s:%d: %s\n", file, line, condition);
  std::abort();
}
}  // namespace internal

}  // namespace reissue
