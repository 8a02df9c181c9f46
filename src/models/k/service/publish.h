#pragma once
// A release of a table whose columns are recoded along cuts: search, write, read back. Model `k`
// judges it alone; model `bcf` searches and judges it with everything that is out.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/load.h"
#include "reissue/binding/persons.h"
#include "reissue/contract/explore.h"
#include "reissue/contract/publication.h"
#include "reissue/core/cells.h"
#include "reissue/core/result.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/service/promise.h"
#include "reissue/models/k/service/recoding.h"
#include "reissue/models/k/service/why.h"

namespace reissue::models::k::service {

class RecodedPublication : public contract::Publication {
 public:
  // The promise is `asked` with what the call wants instead of the policy's search.
  RecodedPublication(const contract::PublishTask& task, const contract::Traits& traits,
                     const Promise& asked, binding::Context& context);

  // Instead of Run: what searches with these promises find for the table, which is loaded once.
  Result<contract::Explored> Explore(const contract::ExploreTask& task);

 protected:
  Status Refuse() override;
  Error SecondRelease(const std::string& last) const override;
  Result<contract::Loaded> Load() override;
  Result<contract::Planned> Plan() override;
  bool WritesParquet() const override { return true; }
  Status Write(const std::string& path) override;
  Result<contract::Proof> Attack(const std::string& path,
                                 const std::vector<std::string>& beside) override;
  void Certify(nlohmann::ordered_json& certificate) const override;

  // Steps that a series takes otherwise.

  // Another promise from now on, of a rehearsal.
  virtual void Ask(const contract::Promise& promise) { asked_ = promise.As<Promise>(); }
  // Labels of ranges that numeric columns already have.
  virtual binding::RangeLabels Ranges() const { return {}; }
  // Who is in the table and since when; the birth of every person, if it matters.
  virtual Result<std::vector<std::uint16_t>> Births() { return std::vector<std::uint16_t>(); }
  // How many different ones there are.
  virtual std::size_t Origins() const { return number(); }
  virtual Result<Outcome> Search(LeafCells leaves, const Guarantee& guarantee,
                                 const PublishOptions& options);
  // Who is told something, after the search; what is said of the others is known.
  virtual LeafCells Told(LeafCells leaves, const Outcome&) const { return leaves; }
  // A search that leaves no trace.
  virtual Result<Outcome> Try(Trial& trial, const Guarantee& guarantee);
  // The combinations as WriteRelease takes them.
  virtual Result<Cells> Lines();
  virtual Status Remember();
  // Members of the certificate after the recoding.
  virtual void CertifyMore(nlohmann::ordered_json&) const {}

  const Promise& asked() const { return asked_; }
  const binding::HolderTable& holder() const { return holder_; }
  // The births of combinations, where they matter; otherwise nothing, for the table says it all.
  const Cells& published() const { return published_; }
  binding::Persons& persons() { return persons_; }
  void DescribeRecodedAs(const binding::ReleaseTable& written);

 private:
  void Explain(const LeafCells& leaves, const Guarantee& guarantee, const PublishOptions& options);
  Result<LeafCells> Leaves();
  Result<Outcome> SearchFolded(LeafCells leaves, const Guarantee& guarantee,
                               const PublishOptions& options);
  Result<contract::Tried> TryPromise();
  double LossOfRelease(const LeafCells& told, const Outcome& outcome) const;

  Promise asked_;
  binding::HolderTable holder_;
  std::uint64_t rows_ = 0;  // of it
  binding::Persons persons_;
  Cells published_;
  Outcome outcome_;
  std::vector<Spread> spread_;
};

}  // namespace reissue::models::k::service
