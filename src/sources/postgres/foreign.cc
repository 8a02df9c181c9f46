#include "reissue/sources/postgres/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace reissue::sources::postgres {
namespace {

constexpr char kListShards[] =
    "Let the servers be asked directly: name them in [source] shards = [ … ].";

struct ForeignScans {
  std::size_t counting = 0, others = 0;
};

void Look(const nlohmann::json& node, ForeignScans& scans) {
  if (node.is_array()) {
    for (const auto& child : node) Look(child, scans);
  }
  if (!node.is_object()) return;
  const auto type = node.find("Node Type");
  if (type != node.end() && *type == "Foreign Scan") {
    const auto relations = node.find("Relations");
    const bool counts = relations != node.end() && relations->is_string() &&
                        relations->get<std::string>().starts_with("Aggregate on (");
    ++(counts ? scans.counting : scans.others);
  }
  for (const auto& child : node) {
    if (child.is_structured()) Look(child, scans);
  }
}

}  // namespace

Result<std::vector<Leaf>> ForeignLeaves(Connection& connection, const TableName& table) {
  const auto rows = REISSUE_TRY(AskIfKnown(
      connection,
      "WITH RECURSIVE tree AS (SELECT c.oid FROM pg_catalog.pg_class c JOIN "
      "pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2 "
      "UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree ON i.inhparent = tree.oid) "
      "SELECT n.nspname, c.relname, c.relkind, s.srvname, "
      "array_to_string(s.srvoptions, ' ') FROM tree JOIN "
      "pg_catalog.pg_class c ON c.oid = tree.oid JOIN pg_catalog.pg_namespace n ON n.oid = "
      "c.relnamespace LEFT JOIN pg_catalog.pg_foreign_table f ON f.ftrelid = c.oid LEFT JOIN "
      "pg_catalog.pg_foreign_server s ON s.oid = f.ftserver WHERE c.relkind IN ('r', 'f') ORDER BY "
      "n.nspname, c.relname",
      {table.schema, table.table}));
  std::vector<Leaf> leaves;
  bool foreign = false;
  for (const auto& row : rows) {
    const std::string schema = REISSUE_TRY(connection.Quoted(row[0].value_or("")));
    const std::string name = REISSUE_TRY(connection.Quoted(row[1].value_or("")));
    Leaf leaf{schema + "." + name, row[2] == "f", row[3].value_or(""),
              row[4].value_or("").find("row_security=off") != std::string::npos};
    foreign = foreign || leaf.foreign;
    leaves.push_back(std::move(leaf));
  }
  if (!foreign) leaves.clear();
  return leaves;
}

Status RefuseRowsHiddenFar(const std::vector<Leaf>& leaves) {
  for (const Leaf& leaf : leaves) {
    if (!leaf.foreign || leaf.shows_all) continue;
    return InputError({leaf.from, {}, {}, ""},
                      fmt::format("the foreign server \"{}\" may hide rows by row-level security, "
                                  "and would not say so",
                                  leaf.server),
                      fmt::format("ALTER SERVER \"{}\" OPTIONS (ADD options '-c row_security=off') "
                                  "makes that an error. Or let the servers be asked directly: name "
                                  "them in [source] shards = [ … ].",
                                  leaf.server));
  }
  return Ok();
}

Status RefuseCasts(const Described& table, const std::vector<const DescribedColumn*>& columns) {
  for (const DescribedColumn* column : columns) {
    if (!column->cast) continue;
    return InputError({table.name.ToString(), {}, {}, column->name},
                      fmt::format("by a column of type {} the servers behind this table cannot "
                                  "count: they would send all rows",
                                  column->type),
                      kListShards);
  }
  return Ok();
}

Status ForceCountingFar(Connection& connection) {
  return connection.Execute("SET LOCAL enable_hashagg = off; SET LOCAL enable_sort = off");
}

Status AllowCountingHere(Connection& connection) {
  return connection.Execute("SET LOCAL enable_hashagg = on; SET LOCAL enable_sort = on");
}

Status ProveCountingFar(Connection& connection, const std::string& sql, const Described& table) {
  const auto rows =
      REISSUE_TRY(connection.Rows("EXPLAIN (FORMAT JSON, VERBOSE, COSTS OFF) " + sql));
  std::string text;
  for (const auto& row : rows) text += row[0].value_or("") + "\n";
  const nlohmann::json plan = nlohmann::json::parse(text, nullptr, false);
  ForeignScans scans;
  if (!plan.is_discarded()) Look(plan, scans);
  const auto foreign = static_cast<std::size_t>(std::count_if(
      table.leaves.begin(), table.leaves.end(), [](const Leaf& leaf) { return leaf.foreign; }));
  if (scans.counting == foreign && scans.others == 0) return Ok();
  return InputError(
      {table.name.ToString(), {}, {}, ""},
      fmt::format("only {} of {} foreign tables behind this one would count; the others would send "
                  "all rows",
                  scans.counting, foreign),
      kListShards);
}

}  // namespace reissue::sources::postgres
