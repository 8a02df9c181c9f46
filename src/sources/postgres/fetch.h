#pragma once
// The questions to one server, and what it answers: combinations with counts, persons, rows.

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/sources/postgres/described.h"
#include "reissue/sources/postgres/shards.h"
#include "reissue/sources/tally.h"

namespace reissue::sources::postgres {

// A column of `table` by its name.
Result<const DescribedColumn*> ColumnOf(const Described& table, const std::string& name);

// Whether the server can hash whole rows, so that a row is led to its combination by eight bytes
// instead of all its values.
bool HashesRows(const Connection& connection);

struct FetchedCounts {
  Tally tally;
  // Where `hashed`: which combination a hash is of, as the server writes it; empty where that
  // combination was dropped. Two combinations with one hash make `hashed` false.
  std::unordered_map<std::string, std::optional<std::size_t>> entry_of_hash;
  bool hashed = false;
};
// Counts on the server.
Status FetchCounts(Shard& shard, const std::vector<const DescribedColumn*>& columns,
                   FetchedCounts& counts, Progress& progress);

// Each row of the table: its identifier, and the number of its combination; empty where it was
// dropped.
using EachPerson = std::function<Status(const Field&, std::optional<std::size_t>)>;
Status FetchPersons(Shard& shard, const std::vector<const DescribedColumn*>& columns,
                    const DescribedColumn& identifier, FetchedCounts& counts,
                    const EachPerson& each);

Status FetchRows(Shard& shard, const std::vector<const DescribedColumn*>& columns,
                 const RowSink& row);

}  // namespace reissue::sources::postgres
