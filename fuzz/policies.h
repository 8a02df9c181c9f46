#pragma once
// A small policy of every model, with the taxonomies that it names, for targets that are about
// other files. The first line of their inputs chooses one by its name.

#include <array>
#include <string>
#include <string_view>

#include "memory_file_system.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::fuzz {

struct SmallPolicy {
  std::string_view name, text;
};

inline constexpr std::array<SmallPolicy, 7> kPolicies = {{
    {"k", R"toml([columns]
patient = { role = "identifier" }
age     = { role = "quasi", breakpoints = [20, 30, 40, 50, 60] }
job     = { role = "quasi", taxonomy = "job.csv" }
disease = { role = "sensitive", order = ["flu", "asthma", "gout"] }
note    = { role = "drop" }
[guarantee]
model = "k"
k = 2
distinct = 2
entropy = 1.5
recursive = { c = 3, l = 2 }
confidence = { flu = 0.9, "*" = 0.8 }
t = 0.5
distance = "ordered"
beta = 2
)toml"},
    {"bcf", R"toml([columns]
patient = { role = "identifier" }
age     = { role = "quasi", breakpoints = [20, 30, 40, 50, 60] }
job     = { role = "quasi", taxonomy = "job.csv" }
disease = { role = "sensitive" }
[guarantee]
model = "bcf"
k = 2
recoding = "local"
suppression = 0.2
)toml"},
    {"bcf distinct", R"toml([columns]
patient = { role = "identifier" }
age     = { role = "quasi", type = "numeric" }
job     = { role = "quasi", taxonomy = "job.csv" }
disease = { role = "sensitive" }
[guarantee]
model = "bcf"
k = 2
distinct = 2
)toml"},
    {"xy", R"toml([columns]
person = { role = "identifier" }
job    = { role = "quasi", taxonomy = "job.csv" }
age    = { role = "quasi", breakpoints = [20, 30, 40, 50, 60] }
income = { role = "publish" }
test   = { role = "sensitive" }
[guarantee]
model = "xy"
[[guarantee.anonymity]]
x = ["job", "age", "prior.job"]
y = ["key"]
k = 2
[[guarantee.linkability]]
x = ["job"]
y = { "prior.test" = ["positive"] }
confidence = 0.6
[[inconsistent]]
age = "[20,30)"
"prior.test" = "positive"
)toml"},
    {"m-invariance", R"toml([columns]
patient = { role = "identifier" }
age     = { role = "quasi", type = "numeric" }
job     = { role = "quasi", taxonomy = "job.csv" }
disease = { role = "sensitive" }
[guarantee]
model = "m-invariance"
m = 2
counterfeits = "published"
)toml"},
    {"m-invariance generalized", R"toml([columns]
patient = { role = "identifier" }
age     = { role = "quasi", type = "numeric" }
job     = { role = "quasi", taxonomy = "job.csv" }
disease = { role = "sensitive" }
[guarantee]
model = "m-invariance"
m = 2
e = 1
form = "generalized"
)toml"},
    {"j-similarity", R"toml([columns]
patient = { role = "identifier" }
age     = { role = "quasi", type = "numeric" }
job     = { role = "quasi", taxonomy = "job.csv" }
disease = { role = "sensitive" }
[guarantee]
model = "j-similarity"
k = 2
j = 0.8
t = 0.7
max_belief = 0.95
[knowledge]
prior = "learned"
transition = "learned"
)toml"},
}};

// The policy of this name; of any other text one that its first letter chooses.
inline const SmallPolicy& Chosen(std::string_view line) {
  for (const SmallPolicy& policy : kPolicies) {
    if (policy.name == line) return policy;
  }
  return kPolicies[line.empty() ? 0 : static_cast<unsigned char>(line[0]) % kPolicies.size()];
}

inline constexpr char kJobs[] = "Nurse;Care;*\nDoctor;Care;*\nWelder;Trade;*\nJoiner;Trade;*\n";

inline io::Policy Read(std::string_view text, io::MemoryFileSystem& files) {
  files.Put("policy.toml", std::string(text));
  files.Put("job.csv", kJobs);
  return io::ReadPolicy(files, "policy.toml").value();
}

}  // namespace reissue::fuzz
