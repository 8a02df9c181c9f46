#pragma once
// What was guaranteed for a release, and what whoever has it can measure
// (docs/formats/certificate.md). Every member is derived from published files, or said by the
// policy or the call, or a digest under a secret of the vault; nothing else of a table gets out.
// Here is what all models have in common; each adds members of its own.

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/binding/settings.h"
#include "reissue/contract/promise.h"
#include "reissue/contract/reports.h"
#include "reissue/contract/schema.h"
#include "reissue/core/result.h"

namespace reissue::contract {

// A certificate is called as its release, and this.
inline constexpr char kCertificateSuffix[] = ".certificate.json";

using Json = nlohmann::ordered_json;

// Which part of the people a release is of, and by which key they were divided.
struct CertifiedPart {
  std::uint32_t part = 0, parts = 0;  // 0: it is of all of them
  std::string keyed_digest;           // the same for all parts of one division, and only for them
};

// What goes into every certificate.
struct Envelope {
  std::string title, policy_keyed_digest, table_keyed_digest, release_digest, created;
  bool table = false;  // the release is one of a database: its digest is of combinations and counts
  binding::ReleaseColumns columns;
  binding::Settings guarantee;  // as the policy has it
  const PublishReport* report = nullptr;
  bool series = false;               // it counts on the earlier releases
  std::uint32_t policy_since = 1;    // the first release under this policy
  std::vector<std::string> earlier;  // their digests, oldest first
  std::string previous;              // digest of the certificate before; empty: there is none
  CertifiedPart part = {};
  std::string key;  // that signs
};
// The signature, in hexadecimal, of the bytes.
using Sign = std::function<Result<std::string>(std::string_view)>;
// `own` adds the model's members; RecodingJson of the report is always among them.
Result<std::string> WriteCertificate(const Envelope& envelope,
                                     const std::function<void(Json&)>& own, const Sign& sign);

// A certificate that was read. Everything that all models have in common is there and of its type.
class Certificate {
 public:
  // Errors: no certificate, one of a later version, a member that does not fit.
  static Result<Certificate> Parse(std::string_view text, const std::string& file);

  std::uint32_t format = 0;
  std::string file, title, model, created, digest;
  std::string series_model;  // the model once more: where it speaks of the series
  bool unchanged = true;     // its signature fits its key; before format 3: its checksum
  std::string key;           // that signed it; empty before format 3
  std::string previous;      // digest of the certificate before; empty: none is named
  std::string policy_keyed_digest;
  std::string consistency;         // of a table on several servers; empty: nothing is said
  std::uint32_t policy_since = 1;  // the first release under the policy of this one
  std::uint32_t release = 0;
  CertifiedPart part;
  bool table = false;  // of a database; the digest is of combinations and counts
  std::uint64_t rows = 0, cells = 0, smallest = 0;
  binding::ReleaseColumns columns;
  binding::Settings guarantee;
  std::vector<std::string> earlier;  // digests of the releases that it counts on, oldest first
  // By column, the labels that occur in the release.
  std::vector<std::pair<std::string, std::vector<std::string>>> recoding;
  PromisePtr promise;  // read by the model

  // Whether it says the same of every promise, each as its basis lets it. Format 1 had numbers that
  // the files do not tell: only those that they do tell are looked at.
  bool SameMeasured(const std::vector<PromiseKept>& promises) const;
  // Reads the model's own members. Whatever does not fit is an error.
  Status Own(const std::function<void(const Member&)>& read) const;

 private:
  // What it says of a promise.
  struct Stated {
    std::string promise, proof;
    double asked = 0;
    std::optional<double> measured;
    std::optional<bool> kept;
  };
  static bool Same(const Stated& stated, const PromiseKept& promise);
  Status ParseMembers(std::string_view text);
  void ReadSeries(const Member& about);
  void ReadPart(const Member& member);
  void ReadRelease(const Member& certified);
  void ReadColumns(const Member& roles);
  void ReadGuarantee(const Member& promised);
  void ReadStated(const Member& entry);

  std::shared_ptr<const Json> json_;
  std::vector<Stated> stated_;
};

// What the files say otherwise than the certificate: numbers of rows and groups, a promise that is
// not kept, what is said of promises, and the number of the release.
void Compare(const Certificate& certificate, const AuditReport& audit, VerifyReport& report);
// Whether the recoded columns of the release, in any order, have the labels that the certificate
// says.
void CompareRecoding(const Certificate& certificate, const std::vector<std::string>& recoded,
                     const Table& release, VerifyReport& report);
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

// Whether two guarantees ask for the same, in any order.
bool SameSettings(const binding::Settings& a, const binding::Settings& b);

Json RecodingJson(const PublishReport& report);
Json HierarchyJson(const std::vector<binding::ColumnHierarchy>& hierarchy);
std::vector<binding::ColumnHierarchy> ReadHierarchy(const Member& member);

}  // namespace reissue::contract
