#include "reissue/engine/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "reissue/binding/load.h"
#include "reissue/binding/rows.h"
#include "reissue/engine/catalog.h"
#include "reissue/engine/models.h"

namespace reissue::engine {
namespace {

using Problems = std::vector<Error>;

void Append(Problems more, Problems& problems) {
  std::move(more.begin(), more.end(), std::back_inserter(problems));
}

// What is wrong with a taxonomy file, and of a tree that is none what it has.
void CheckTaxonomy(const io::PolicyColumn& column, binding::Context& context,
                   contract::CheckReport& report) {
  const auto lines = binding::ReadHierarchy(column.taxonomy, context);
  if (!lines) return report.problems.push_back(lines.error());
  Problems problems = taxonomy::HierarchyProblems(*lines, column.taxonomy);
  if (!problems.empty()) return Append(std::move(problems), report.problems);
  const auto tree = binding::LoadTaxonomy(column, context);
  if (!tree) return report.problems.push_back(tree.error());
  report.notes.push_back(fmt::format("{}: {} values in {} levels", column.taxonomy,
                                     (*tree)->leaves(), (*tree)->height() + 1));
}

// Files that cannot be read are told with the policy.
void CheckTrees(const io::PolicyReading& reading, binding::Context& context,
                contract::CheckReport& report) {
  std::set<std::string> told;
  for (const Error& problem : reading.problems) {
    if (problem.place) told.insert(problem.place->column);
  }
  std::set<std::pair<std::string, bool>> seen;
  for (const io::PolicyColumn* column : reading.policy.WithRole(io::Role::kQuasi)) {
    if (!column->breakpoints.empty()) {
      const Status nested = taxonomy::CheckBreakpoints(column->breakpoints, column->name);
      if (!nested) {
        Error error = nested.error();
        error.place = Place{reading.policy.file, column->line, std::nullopt, column->name};
        report.problems.push_back(std::move(error));
      }
    }
    if (column->taxonomy.empty() || told.contains(column->name)) continue;
    if (seen.insert({column->taxonomy, column->numeric}).second) {
      CheckTaxonomy(*column, context, report);
    }
  }
}

bool Forget(binding::Settings& settings, std::uint64_t line) {
  const auto before = settings.size();
  std::erase_if(settings, [&](const auto& entry) {
    return entry.first != "model" && entry.second.line == line;
  });
  return settings.size() < before;
}

// The promise; and everything that the model refuses: what it complains of is taken away, and it is
// asked again. What is then said about the whole may be due to what was taken away.
Result<Bound> BindAll(const io::Policy& policy, Problems& problems) {
  Result<Bound> bound = Bind(policy);
  if (bound) return bound;
  io::Policy rest = policy;
  for (Result<Bound> again = bound; !again; again = Bind(rest)) {
    const Error& error = again.error();
    const Place place = error.place.value_or(Place{});
    const bool first = problems.empty();
    if (!first && !place.line) break;
    problems.push_back(error);
    if (!place.line) break;
    io::PolicyColumn* column = nullptr;
    for (io::PolicyColumn& each : rest.columns) {
      if (each.name == place.column && each.role != io::Role::kDrop) column = &each;
    }
    if (column != nullptr) {
      column->role = io::Role::kDrop;
      column->weight = 1;
      column->floor = column->ceiling = std::nullopt;
    } else if (!Forget(rest.guarantee, *place.line) && !Forget(rest.knowledge, *place.line)) {
      break;
    }
  }
  std::stable_sort(problems.begin(), problems.end(), [](const Error& a, const Error& b) {
    const auto line = [](const Error& error) {
      return error.place ? error.place->line.value_or(0) : 0;
    };
    return line(a) < line(b);
  });
  return bound;
}

// Instead of the first problem of a table, all of them.
void TellAllOfTables(const io::Policy& policy, const std::vector<std::string>& tables,
                     const binding::TableReading& reading, binding::Context& context,
                     Problems& problems) {
  for (const std::string& table : tables) {
    const bool file = binding::IsFile(table, context);
    const auto of_table = [&](const Error& error) {
      return error.code == ErrorCode::kInput && error.place &&
             (error.place->file == table || (!file && error.place->file.ends_with("." + table)));
    };
    const auto first = std::find_if(problems.begin(), problems.end(), of_table);
    if (first == problems.end()) continue;
    Problems all = binding::InspectTable(policy, table, reading, context);
    if (all.empty()) continue;
    const auto at = first - problems.begin();
    std::erase_if(problems, of_table);
    problems.insert(problems.begin() + at, std::make_move_iterator(all.begin()),
                    std::make_move_iterator(all.end()));
  }
}

Status Divide(const contract::AskedPart& part, const Bound& bound, const io::Policy& policy,
              binding::Context& context) {
  context.division = REISSUE_TRY(contract::DivisionOf(part, context));
  return context.division ? contract::CanBeDivided(bound.model->traits(), policy) : Ok();
}

}  // namespace

contract::CheckReport Check(const std::string& path, const std::vector<std::string>& named,
                            binding::Context& context,
                            const std::vector<binding::PriorFile>& priors, bool why,
                            const contract::AskedPart& part) {
  contract::CheckReport report;
  context.division = nullptr;
  io::PolicyReading reading = io::ReadWholePolicy(context.files, path);
  const io::Policy& policy = reading.policy;
  report.problems = reading.problems;
  if (reading.has_columns) {
    report.notes.push_back(fmt::format("{}: {} columns", path, policy.columns.size()));
  }
  std::vector<std::string> tables = named;
  if (const Status followed = FollowSource(policy, context); !followed) {
    report.problems.push_back(followed.error());
    tables.clear();  // nobody knows where they are
  }
  std::optional<Bound> bound;
  binding::TableReading as;
  const io::Setting* const model = policy.Get("model");
  if (model != nullptr && model->kind == io::Setting::Kind::kText) {
    if (const contract::Model* known = FindModel(model->text)) as = known->traits().tables;
    Problems problems;
    Result<Bound> found = BindAll(policy, problems);
    // Of a policy that could be read in part, only what is said of single settings is sure.
    if (!reading.problems.empty()) {
      std::erase_if(problems,
                    [](const Error& error) { return !error.place || !error.place->line; });
    }
    Append(std::move(problems), report.problems);
    if (found) bound = std::move(*found);
  }
  CheckTrees(reading, context, report);
  if (!bound || !report.problems.empty()) {
    if (!reading.has_columns) return report;
    for (const std::string& table : tables) {
      Append(binding::InspectTable(policy, table, as, context), report.problems);
    }
    return report;
  }
  if (const Status taken = TakesPriors(*bound->model, priors); !taken) {
    report.problems.push_back(taken.error());
    return report;
  }
  if (const Status explains = Explains(*bound->model, why); !explains) {
    report.problems.push_back(explains.error());
    return report;
  }
  if (const Status divided = Divide(part, *bound, policy, context); !divided) {
    report.problems.push_back(divided.error());
    return report;
  }
  bound->model->Check({policy, *bound->promise, tables, priors, why}, context, report);
  const contract::DivisionPtr division = std::exchange(context.division, nullptr);
  if (division && report.problems.empty() && !tables.empty()) {
    report.notes.push_back(fmt::format("{}: {} rows are of other parts than {}/{}", tables.back(),
                                       context.passed_over, division->part(), division->parts()));
  }
  TellAllOfTables(policy, tables, as, context, report.problems);
  for (const std::string& table : tables) {
    const std::string view = context.catalog == nullptr ? "" : context.catalog->ViewOf(table);
    if (!view.empty()) report.notes.push_back(fmt::format("{}: {}", table, view));
  }
  return report;
}

}  // namespace reissue::engine
