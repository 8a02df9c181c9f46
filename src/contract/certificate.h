#pragma once
// What was guaranteed for a release, the measured numbers and the hashes of what went in
// (docs/formats/certificate.md). Anybody who has the release can check it. Here is what all models
// have in common; each adds members of its own.

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/binding/settings.h"
#include "reissue/contract/promise.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"

namespace reissue::contract {

using Json = nlohmann::ordered_json;

// What goes into every certificate.
struct Envelope {
  std::string title, policy_digest, table_keyed_digest, release_digest, created;
  binding::ReleaseColumns columns;
  binding::Settings guarantee;  // as the policy has it
  const PublishReport* report = nullptr;
  bool series = false;               // it counts on the earlier releases
  std::vector<std::string> earlier;  // their digests, oldest first
};
// `own` adds the model's members; RecodingJson of the report is always among them.
std::string WriteCertificate(const Envelope& envelope, const std::function<void(Json&)>& own);

// A certificate that was read. Everything that all models have in common is there and of its type.
class Certificate {
 public:
  // Errors: no certificate, one of a later version, an incomplete one.
  static Result<Certificate> Parse(std::string_view text, const std::string& file);

  std::string file, title, model, created, digest;
  bool one_model = true;  // it says the same model everywhere
  bool unchanged = true;  // its checksum fits
  std::uint32_t release = 0;
  std::uint64_t rows = 0, cells = 0, smallest = 0;
  binding::ReleaseColumns columns;
  binding::Settings guarantee;
  bool series = false;               // it counts on earlier releases
  std::vector<std::string> earlier;  // their digests
  PromisePtr promise;                // read by the model

  // Whether the measured numbers are the same; `only_these`: others of the certificate are not
  // looked at.
  bool SameMeasured(const std::vector<PromiseKept>& promises, bool only_these) const;
  // An error where it does not say which releases were before.
  Status SaysEarlier() const;
  // Reads the model's own members. Whatever is missing or mistyped makes it an error.
  Status Own(const std::function<void(const Json&)>& read) const;

 private:
  Status ParseMembers();
  std::shared_ptr<const Json> json_;
};

// Which of the measured numbers are compared with those of the certificate.
enum class Anew {
  kAll,       // the files tell all of them
  kMeasured,  // those that the audit has
  kNothing,   // only the holder knows them
};
// What the files say otherwise than the certificate: numbers of rows and groups, a promise that is
// not kept, and measured numbers.
void Compare(const Certificate& certificate, const AuditReport& audit, Anew anew,
             VerifyReport& report);
// Whether the file is the one that was certified.
void CompareDigest(const Certificate& certificate, const std::string& digest, VerifyReport& report);
// Whether an earlier release, from 0, is the one that the certificate counts on.
void CompareEarlier(const Certificate& certificate, std::size_t index, const std::string& digest,
                    VerifyReport& report);
// The same of all files but the last, the certified one.
Status CompareEarlierFiles(const Certificate& certificate, const std::vector<std::string>& files,
                           binding::Context& context, VerifyReport& report);
// The usage error for a certificate about one release and several files.
Status OneFile(std::size_t given);

Json RecodingJson(const PublishReport& report);
Json HierarchyJson(const std::vector<binding::ColumnHierarchy>& hierarchy);
// These throw what nlohmann throws: for Own.
std::vector<binding::ColumnHierarchy> ReadHierarchy(const Json& json);
std::vector<std::string> ReadStrings(const Json& json);

}  // namespace reissue::contract
