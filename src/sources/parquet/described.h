#pragma once
// The columns of a file, and how each is read: every type is written in one way, the one in which
// the other sources write it. Plain values.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/sources/parquet/session.h"

namespace reissue::sources::parquet {

struct DescribedColumn {
  std::string name;
  std::string type;  // as DuckDB calls it, without what is in brackets
  // SQL: the text of a value `{}`; empty where the type has no single value.
  std::string shown;
};

struct Described {
  std::string from;  // SQL
  std::vector<DescribedColumn> columns;
  std::uint64_t rows = 0;  // as the file says
};

// Errors (kInput): no Parquet file, a damaged one, no columns, a column without a name, two columns
// whose names differ in nothing but capitals.
Result<Described> Describe(Session& session, const std::string& file, const std::string& opened_as);

// A column by its name; an error (kInput) where its values are no single ones.
Result<const DescribedColumn*> ColumnOf(const Described& table, const std::string& file,
                                        const std::string& name);

}  // namespace reissue::sources::parquet
