#pragma once
// What the reader of an evolving table knows, in terms of its tables: [knowledge] of the policy and
// the files that it names (docs/formats/knowledge.md), bound to the values and people of a series.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/similarity/release/knowledge.h"
#include "reissue/models/similarity/service/files.h"
#include "reissue/models/similarity/service/learner.h"
#include "reissue/models/similarity/service/prior.h"
#include "reissue/models/similarity/service/promise.h"

namespace reissue::models::similarity::service {

// Tables are taken up in the order of the series. Values keep their numbers; new ones are added,
// and distributions grow with them (nobody expected them: probability 0, except uniform and learned
// ones). With a file of priors, values are those that it names.
class Background {
 public:
  // Reads and checks the files. Errors: file and line of what is no probability, of a distribution
  // that does not sum to 1 within 1e-6 (unless normalise = true), of a label that no taxonomy has,
  // of a value that stands twice for the same people.
  static Result<Background> Read(const io::Policy& policy, const Promise& promise,
                                 binding::Context& context);

  // The next table of the series; `person`: per row, numbers that stay the same over the series.
  // Learned knowledge is brought up to date first: frequencies of this table and all before it.
  struct CodedRows {
    std::vector<similarity::Value> value;  // per row
    std::vector<std::uint32_t> kind;       // per row, into knowledge().prior
  };
  // Errors: a value that the table has and the prior lacks (unless normalise = true: then it is
  // possible with probability 1e-6, for everybody and after everything), people whom no kind of the
  // prior fits, or two equally well. After an error nothing has changed.
  Result<CodedRows> Take(const binding::GroupedTable& table,
                         std::span<const similarity::Person> person);

  // Stays where it is while the Background does; changes with Take.
  const similarity::Knowledge& knowledge() const { return knowledge_; }
  const std::vector<binding::ValueTexts>& values() const { return values_; }

  // Statements of the compromised file about a release (from 1), `number_of`: the person with an
  // identifier, nothing for somebody who is not in the release. An error (with the line) about a
  // value that neither the files of knowledge nor the tables so far have.
  Result<std::vector<similarity::Statement>> Statements(
      std::uint32_t release,
      const std::function<std::optional<similarity::Person>(std::string_view)>& number_of) const;

  // What the vault keeps between releases: values, what was learned, people's last values. Sealed
  // by the caller. Restore is for what was just read from the same policy; kMachine where the bytes
  // make no sense.
  std::string Save() const;
  Status Restore(std::string_view bytes);

  // A line for each source: what it is and how much it says.
  std::vector<std::string> Describe() const;

 private:
  void Bring(std::vector<binding::ValueTexts> values);

  Promise promise_;
  std::size_t columns_ = 0;  // quasi-identifiers
  std::optional<PriorBeliefs> prior_;
  similarity::Transition transition_;  // of a file
  std::size_t from_files_ = 0;         // the first values are those that files name
  std::optional<Learner> learner_;
  std::vector<CompromisedRecord> compromised_;
  std::map<binding::ValueTexts, similarity::Value> value_of_;
  similarity::Knowledge knowledge_;
  std::vector<binding::ValueTexts> values_;
};

// The knowledge of a policy by itself and against tables of a series, in order.
struct KnowledgeCheck {
  std::vector<Error> problems;
  std::vector<std::string> notes;
};
KnowledgeCheck CheckKnowledge(const io::Policy& policy, const Promise& promise,
                              std::span<const binding::GroupedTable* const> tables,
                              binding::Context& context);

}  // namespace reissue::models::similarity::service
