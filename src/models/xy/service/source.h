#pragma once
// The holder's table as the publisher of model `xy` sees it, and what it publishes as text.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/core/result.h"
#include "reissue/models/xy/publisher/publish.h"
#include "reissue/models/xy/service/linked.h"

namespace reissue::models::xy::service {

// One column of the table that the promises are about.
struct SourceColumn {
  std::string name;
  ColumnId id;
  bool generalised = false;            // some requirement names it in x
  std::vector<std::uint32_t> code_of;  // by ValueId: as xy::Source says
  xy::Source::Column column;
  LinkedCodes codes;  // of what is published: nodes; plain codes; of a continuous column only `*`
  std::uint64_t raw_values = 0;
};

struct LinkedSource {
  std::vector<SourceColumn> columns;  // those of the schema's first table
  xy::Source source;
};

// Errors: a column of x without a taxonomy that is not numeric, numbers that are none, a value
// without a leaf. `class_column` may be empty.
Result<LinkedSource> SourceOf(const binding::HolderTable& holder, const io::Policy& policy,
                              const LinkedColumns& columns, const LinkedSchema& schema,
                              const std::string& class_column, binding::Context& context);

// Everything generalised at its most general.
xy::Outcome MostGeneral(const LinkedSource& source);

// The labels of a generalised column, from the least to the greatest or in the order of the tree.
std::vector<std::string> LabelsOf(const SourceColumn& column, const xy::Outcome& outcome,
                                  std::size_t index);
// The text of every value of a column, by ValueId.
std::vector<std::string> TextsOf(const SourceColumn& column, const Column& values,
                                 const xy::Outcome& outcome, std::size_t index);

// Everything that goes into a release: the table, what readers have, and what is promised.
struct LinkedInputs {
  LinkedColumns columns;
  binding::HolderTable holder;
  std::vector<LinkedFile> priors;
  LinkedSchema schema;
  LinkedSource source;
  std::vector<std::vector<LinkedCodes>> codes;  // per table and column of the schema
  std::vector<xy::LinkedTable> prior_tables;
};
// kPromise: an earlier release names people.
Result<LinkedInputs> LoadInputs(const io::Policy& policy, const Promise& promise,
                                const std::string& table,
                                const std::vector<binding::PriorFile>& priors,
                                binding::Context& context);

// DanglingWords of the table as it is beside the earlier releases.
std::vector<std::string> RawDanglingWords(const LinkedInputs& in, const std::string& table);

}  // namespace reissue::models::xy::service
