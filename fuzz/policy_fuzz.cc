// Any bytes as a policy: read or refused with a place, never a crash. What is accepted keeps the
// promises of io/policy.h.

#include <cstddef>
#include <cstdint>
#include <string>

#include "memory_file_system.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using reissue::io::Role;
  reissue::io::MemoryFileSystem files;
  files.Put("policy.toml", std::string(reinterpret_cast<const char*>(data), size));
  files.Put("a.csv", "1;*\n");
  const auto policy = reissue::io::ReadPolicy(files, "policy.toml");
  if (!policy) {
    REISSUE_CHECK(!policy.error().message.empty() && policy.error().place.has_value());
    REISSUE_CHECK(policy.error().code == reissue::ErrorCode::kInput);
    return 0;
  }
  REISSUE_CHECK(!policy->WithRole(Role::kQuasi).empty());
  REISSUE_CHECK(policy->WithRole(Role::kIdentifier).size() <= 1);
  REISSUE_CHECK(policy->Get("model") != nullptr);
  for (const auto& column : policy->columns) {
    REISSUE_CHECK(!column.name.empty() && column.line > 0);
    REISSUE_CHECK(policy->Find(column.name) == &column);
  }
  return 0;
}
