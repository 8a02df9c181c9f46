#include "reissue/engine/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "reissue/engine/audit.h"
#include "reissue/engine/invariance_publish.h"
#include "reissue/engine/linked_source.h"
#include "reissue/engine/load.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/similarity_knowledge.h"
#include "reissue/engine/similarity_table.h"
#include "reissue/io/policy.h"

namespace reissue::engine {
namespace {

// A table that is fine by itself may still not be publishable as asked.
void CheckTable(const io::Policy& policy, const Promise& promise, const std::string& path,
                Context& context, CheckReport& report) {
  Result<HolderTable> loaded = LoadTable(policy, path, context);
  if (!loaded) {
    report.problems.push_back(std::move(loaded).error());
    return;
  }
  const HolderTable& holder = *loaded;
  const std::uint64_t rows = holder.table.rows();
  report.notes.push_back(fmt::format("{}: {} rows, {} quasi-identifiers, {} sensitive value{}",
                                     path, rows, holder.quasi.size(),
                                     holder.sensitive.column ? holder.sensitive.values->size() : 0,
                                     holder.sensitive.values->size() == 1 ? "" : "s"));
  if (holder.dropped_rows > 0) {
    report.notes.push_back(
        fmt::format("{}: {} rows with missing values are left out", path, holder.dropped_rows));
  }
  if (!holder.identifier) {
    report.notes.push_back(
        fmt::format("{}: no identifier column: every row counts as another person", path));
  }
  if (const Status known = BoundValuesOccur(promise, *holder.sensitive.values, policy.file);
      !known) {
    report.problems.push_back(known.error());
  }
  if (holder.sensitive.columns.size() > 1) {
    report.notes.push_back(
        fmt::format("{}: {} sensitive columns act as one composite value; a promise does not hold "
                    "for each alone",
                    path, holder.sensitive.columns.size()));
  }
  if (promise.guarantee.k > rows) {
    report.problems.push_back(InputError(
        {path, std::nullopt, std::nullopt, ""},
        fmt::format("k = {} asked, the table has {} rows", promise.guarantee.k, rows),
        "No release of this table can keep that promise: lower k, or wait for more rows."));
  }
  const std::uint64_t values = holder.sensitive.values->size();
  if (promise.guarantee.distinct && *promise.guarantee.distinct > values) {
    report.problems.push_back(
        InputError({path, std::nullopt, std::nullopt, ""},
                   fmt::format("distinct = {} asked, the table has {} sensitive values",
                               *promise.guarantee.distinct, values),
                   "Lower distinct."));
  }
}

// Model `xy`: a table beside the earlier releases.
void CheckLinked(const io::Policy& policy, const LinkedPromise& promise, const std::string& path,
                 const std::vector<PriorFile>& priors, Context& context, CheckReport& report) {
  if (priors.empty()) {
    Result<HolderTable> loaded = LoadPartOfColumns(policy, path, context);
    if (!loaded) return report.problems.push_back(std::move(loaded).error());
    report.notes.push_back(fmt::format("{}: {} rows", path, loaded->table.rows()));
    report.notes.push_back(
        "what the requirements name is checked where the earlier releases are given (--prior)");
    return;
  }
  Result<LinkedInputs> in = LoadInputs(policy, promise, path, priors, context);
  if (!in) return report.problems.push_back(std::move(in).error());
  report.notes.push_back(fmt::format("{}: {} rows", path, in->holder.table.rows()));
  for (const LinkedFile& prior : in->priors) {
    report.notes.push_back(fmt::format("{}: {} rows, published", prior.file, prior.table.rows()));
  }
  std::vector<std::string> joined;
  for (const auto& join : in->schema.joins) joined.push_back(in->schema.ColumnOf(join[0]));
  if (!joined.empty()) report.notes.push_back("readers join on " + Listed(joined));
  report.notes.insert(report.notes.end(), in->schema.notes.begin(), in->schema.notes.end());
  report.warnings = RawDanglingWords(*in, path);
}

// Model `m-invariance`: a table of a series.
void CheckChanging(const io::Policy& policy, const InvariancePromise& promise,
                   const std::string& path, bool first, Context& context, CheckReport& report) {
  Result<ChangingTable> loaded = LoadChanging(policy, path, context);
  if (!loaded) return report.problems.push_back(std::move(loaded).error());
  std::vector<std::uint64_t> counts(loaded->sensitive.values.size());
  for (const std::uint32_t value : loaded->sensitive.of_row) ++counts[value];
  const std::uint64_t rows = loaded->holder.table.rows();
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  report.notes.push_back(fmt::format(
      "{}: {} rows, {} quasi-identifiers, {} sensitive values; the most frequent one is in {} "
      "rows, so the largest m that works is {}",
      path, rows, loaded->holder.quasi.size(), counts.size(), most, rows / most));
  if (loaded->holder.dropped_rows > 0) {
    report.notes.push_back(fmt::format("{}: {} rows with missing values are left out", path,
                                       loaded->holder.dropped_rows));
  }
  const Status eligible = CheckEligible(loaded->sensitive, promise.m, path);
  if (eligible) return;
  if (first) return report.problems.push_back(eligible.error());
  // People may have left, which only the vault knows.
  report.warnings.push_back(
      fmt::format("{}: as a first release it would be refused: {}. In a series that has begun, a "
                  "table that has become one-sided because people left is published all the same, "
                  "with counterfeits.",
                  path, eligible.error().message));
}

// Model `j-similarity`: tables of a series, oldest first, and what readers know.
void CheckEvolving(const io::Policy& policy, const SimilarityPromise& promise,
                   const std::vector<std::string>& paths, Context& context, CheckReport& report) {
  std::vector<ChangingTable> tables;
  for (const std::string& path : paths) {
    Result<ChangingTable> loaded = LoadChanging(policy, path, context);
    if (!loaded) {
      report.problems.push_back(std::move(loaded).error());
      continue;
    }
    const std::uint64_t rows = loaded->holder.table.rows();
    report.notes.push_back(fmt::format("{}: {} rows, {} quasi-identifiers, {} sensitive values",
                                       path, rows, loaded->holder.quasi.size(),
                                       loaded->sensitive.values.size()));
    if (loaded->holder.dropped_rows > 0) {
      report.notes.push_back(fmt::format("{}: {} rows with missing values are left out", path,
                                         loaded->holder.dropped_rows));
    }
    if (promise.guarantee.k > rows) {
      report.problems.push_back(InputError(
          {path, std::nullopt, std::nullopt, ""},
          fmt::format("k = {} asked, the table has {} rows", promise.guarantee.k, rows),
          "No release of this table can keep that promise: lower k, or wait for more rows."));
    }
    const auto ranks =
        RanksOf(loaded->sensitive.values, OrderOfValues(policy), promise.guarantee.ordered);
    if (!ranks) report.problems.push_back(ranks.error());
    tables.push_back(std::move(*loaded));
  }
  std::vector<const ChangingTable*> in_order;
  for (const ChangingTable& table : tables) in_order.push_back(&table);
  KnowledgeCheck knowledge = CheckKnowledge(policy, promise, in_order, context);
  report.notes.insert(report.notes.end(), knowledge.notes.begin(), knowledge.notes.end());
  std::move(knowledge.problems.begin(), knowledge.problems.end(),
            std::back_inserter(report.problems));
}

// What a policy of model `j-similarity` means, where it does not say so.
void DescribeEvolving(const io::Policy& policy, const SimilarityPromise& promise,
                      CheckReport& report) {
  std::vector<std::string> asked = {fmt::format("k = {}", promise.guarantee.k),
                                    fmt::format("j = {:g}", promise.guarantee.j)};
  const auto add = [&](const char* name, double bound) {
    asked.push_back(fmt::format("{} = {:g}", name, bound));
  };
  if (promise.guarantee.beta > 0) add("beta", promise.guarantee.beta);
  if (promise.guarantee.t > 0) add("t", promise.guarantee.t);
  if (promise.max_belief) add("max_belief", *promise.max_belief);
  if (promise.max_gain) add("max_gain", *promise.max_gain);
  report.notes.push_back(fmt::format("{}: {}, against the reader \"{}\"", policy.file,
                                     fmt::join(asked, ", "), inference::NameOf(promise.against)));
  if (promise.max_belief || promise.max_gain) return;
  report.notes.push_back(fmt::format(
      "{}: nothing is promised about what she believes after a release (max_belief, max_gain); an "
      "audit says how much that is",
      policy.file));
}

// What a policy of model `m-invariance` means, where it does not say so.
void DescribeChanging(const io::Policy& policy, const InvariancePromise& promise,
                      CheckReport& report) {
  report.notes.push_back(fmt::format(
      "{}: m = {}, e = {}{}, form = \"{}\"", policy.file, promise.m, promise.e,
      policy.Get("e") == nullptr ? " (the most that can be promised, as `e` is not given)" : "",
      FormName(promise.form)));
  for (const io::PolicyColumn* column : policy.WithRole(io::Role::kQuasi)) {
    if (column->breakpoints.empty()) continue;
    report.notes.push_back(
        fmt::format("{}: the breakpoints of \"{}\" are not used: ranges are as narrow as the "
                    "groups allow",
                    policy.file, column->name));
  }
}

}  // namespace

CheckReport Check(const std::string& policy_path, const std::vector<std::string>& tables,
                  Context& context, const std::vector<PriorFile>& priors) {
  CheckReport report;
  Result<io::Policy> policy = io::ReadPolicy(context.files, policy_path);
  if (!policy) {
    report.problems.push_back(std::move(policy).error());
    return report;
  }
  report.notes.push_back(fmt::format("{}: {} columns", policy_path, policy->columns.size()));
  Result<Promise> promise = PromiseOf(*policy);
  if (!promise) report.problems.push_back(std::move(promise).error());
  bool trees_fine = true;
  const bool series = promise && promise->model == "bcf";
  for (const io::PolicyColumn* column : policy->WithRole(io::Role::kQuasi)) {
    if (series && column->taxonomy.empty() && column->breakpoints.empty()) {
      report.notes.push_back(fmt::format(
          "{}: the ranges of \"{}\" are found from the first table and stay; later numbers "
          "outside them are published as they are, or hide the column; write breakpoints",
          policy_path, column->name));
    }
    if (column->taxonomy.empty()) continue;
    const auto tree = LoadTaxonomy(column->taxonomy, column->numeric, context);
    if (!tree) {
      report.problems.push_back(tree.error());
      trees_fine = false;
      continue;
    }
    report.notes.push_back(fmt::format("{}: {} values in {} levels", column->taxonomy,
                                       (*tree)->leaves(), (*tree)->height() + 1));
  }
  if (!promise || !trees_fine) return report;
  if (promise->linked) {
    for (const std::string& table : tables) {
      CheckLinked(*policy, *promise->linked, table, priors, context, report);
    }
    return report;
  }
  if (promise->invariance && priors.empty()) {
    DescribeChanging(*policy, *promise->invariance, report);
    for (const std::string& table : tables) {
      CheckChanging(*policy, *promise->invariance, table, &table == &tables[0], context, report);
    }
    return report;
  }
  if (promise->similarity && priors.empty()) {
    DescribeEvolving(*policy, *promise->similarity, report);
    CheckEvolving(*policy, *promise->similarity, tables, context, report);
    return report;
  }
  if (!priors.empty()) {
    report.problems.push_back(CheckFiles(*promise, 1, priors.size()).error());
    return report;
  }
  for (const std::string& table : tables) CheckTable(*policy, *promise, table, context, report);
  return report;
}

}  // namespace reissue::engine
