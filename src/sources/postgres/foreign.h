#pragma once
// Tables whose rows are on other servers, behind postgres_fdw. Whether such a server counts, or
// sends all its rows to be counted, is the planner's choice, and it may change from one day to the
// next: here it is forced, and proven, or refused.

#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/sources/postgres/described.h"

namespace reissue::sources::postgres {

// The tables that hold the rows of this one, where some of them are foreign; else none.
Result<std::vector<Leaf>> ForeignLeaves(Connection& connection, const TableName& table);

// An error where the other servers may hide rows from us: their sessions are not pinned by ours.
Status RefuseRowsHiddenFar(const std::vector<Leaf>& leaves);

// An error where a column is grouped by more than itself: then the rows would be sent.
Status RefuseCasts(const Described& table, const std::vector<const DescribedColumn*>& columns);

// From here to the end of the transaction, or to AllowCountingHere, the planner counts far away if
// it can.
Status ForceCountingFar(Connection& connection);
Status AllowCountingHere(Connection& connection);

// By the plan of the statement: every foreign table counts.
Status ProveCountingFar(Connection& connection, const std::string& sql, const Described& table);

}  // namespace reissue::sources::postgres
