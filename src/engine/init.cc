#include "reissue/engine/init.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "reissue/advice/policy_text.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/binding/rows.h"
#include "reissue/engine/check.h"
#include "reissue/engine/raw_tables.h"
#include "reissue/io/csv.h"

namespace reissue::engine {
namespace {

constexpr char kPolicyName[] = "policy.toml";

bool InGroups(std::string_view model) { return model == "m-invariance" || model == "j-similarity"; }

class Drafting {
 public:
  Drafting(const InitRequest& request, binding::Context& context)
      : request_(request), context_(context) {}

  Result<InitReport> Run() {
    REISSUE_TRY(MakeRoom());
    raw_ = REISSUE_TRY(ReadRawTables(request_.tables, context_));
    context_.progress.Begin("guessing what columns are", 0);
    REISSUE_TRY(KnowIdentifier());
    Advise();
    if (plan_.columns.Names(io::Role::kQuasi).empty()) {
      return InputError({raw_.paths.back(), std::nullopt, std::nullopt, ""},
                        "no column looks like one by which somebody could be found, so there is "
                        "nothing to generalise",
                        "Write the policy by hand: docs/formats/policy.md.");
    }
    Plan();
    REISSUE_TRY(Write());
    return Report();
  }

 private:
  std::string Path(const std::string& name) const { return Directory() + "/" + name; }
  std::string Directory() const {
    std::string directory = request_.out;
    while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
    return directory;
  }

  Status MakeRoom() {
    if (!request_.replace && context_.files.Exists(Path(kPolicyName))) return Exists(kPolicyName);
    return Ok();
  }
  Error Exists(const std::string& name) const {
    return UsageError(Path(name) + " exists already",
                      "Choose another directory, or use --replace to overwrite what is there.");
  }

  Status KnowIdentifier() {
    if (request_.identifier.empty()) return Ok();
    wanted_.identifiers = {request_.identifier};
    for (const Table& table : raw_.tables) {
      if (table.Find(request_.identifier)) return Ok();
    }
    std::vector<std::string> names;
    for (const Column& column : raw_.tables[0].columns()) names.push_back(column.name());
    const std::string nearest = io::Nearest(request_.identifier, names);
    const auto line = binding::HeaderLine(raw_.paths[0], context_);
    return InputError(Place{raw_.paths[0], line, std::nullopt, request_.identifier},
                      "the table has no such column",
                      nearest.empty() ? std::string() : "Did you mean \"" + nearest + "\"?");
  }

  // Roles first, because they tell people apart; then the setting; then roles as its model needs
  // them.
  void Advise() {
    const std::vector<advice::Profile> profiles = raw_.Profiles();
    plan_.columns = advice::AdviseRoles(profiles, wanted_);
    const auto identifiers = plan_.columns.Names(io::Role::kIdentifier);
    advice::SettingKnown known;
    if (!identifiers.empty()) known.identifier = identifiers[0];
    known.sensitive = plan_.columns.Names(io::Role::kSensitive);
    plan_.setting = advice::AdviseSetting(raw_.ForSetting(), known);
    plan_.model = plan_.setting.model;
    if (plan_.model == "xy") {
      wanted_.trees = true;
      plan_.columns = advice::AdviseRoles(profiles, wanted_);
    }
    if (!InGroups(plan_.model)) return;
    wanted_.sensitive = true;
    wanted_.taken = {"group", "count",       "counterfeit", "counterfeits",
                     "shown", "probability", "release",     "confidence"};
    advice::TableAdvice grouped = advice::AdviseRoles(profiles, wanted_);
    plan_.m = MostEven(grouped.Names(io::Role::kSensitive));
    const bool even = plan_.model != "m-invariance" || plan_.m >= 2;
    if (!plan_.setting.identifier.empty() && !grouped.Names(io::Role::kSensitive).empty() && even) {
      plan_.columns = std::move(grouped);
      return;
    }
    plan_.columns.notes.push_back(fmt::format(
        "Model \"{}\" fits these tables, and needs {}. Until then the policy promises by model "
        "\"k\", for one release and no second one.",
        plan_.model,
        plan_.setting.identifier.empty() ? "a column that tells people apart"
        : even                           ? "a sensitive column"
               : "sensitive values none of which is in more than half of the rows"));
    plan_.model = "k";
  }

  // The largest m such that no value of these columns together is in more than 1/m of the rows of
  // a table.
  std::uint64_t MostEven(const std::vector<std::string>& sensitive) const {
    std::uint64_t m = ~std::uint64_t{0};
    for (const Table& table : raw_.tables) {
      std::unordered_map<std::string, std::uint64_t> counts;
      std::vector<const Column*> columns;
      for (const std::string& name : sensitive) {
        if (const auto id = table.Find(name)) columns.push_back(&table[*id]);
      }
      std::uint64_t most = 1;
      for (std::size_t row = 0; row < table.rows(); ++row) {
        std::string text;
        for (const Column* column : columns) text += std::string(column->text(RowId(row))) + '\0';
        most = std::max(most, ++counts[text]);
      }
      m = std::min(m, table.rows() / most);
    }
    return m;
  }

  std::uint64_t RowsLeftOut() const {
    if (plan_.columns.on_missing != io::OnMissing::kDropRow) return 0;
    std::uint64_t rows = 0;
    for (const Table& table : raw_.tables) {
      std::vector<bool> out(table.rows());
      for (const advice::ColumnAdvice& column : plan_.columns.columns) {
        const auto id = table.Find(column.name);
        if (column.role == io::Role::kDrop || !id) continue;
        for (const std::string& mark : plan_.columns.missing_markers) {
          const auto value = table[*id].dictionary().Find(mark);
          for (std::size_t row = 0; value && row < table.rows(); ++row) {
            if (table[*id][RowId(row)] == *value) out[row] = true;
          }
        }
      }
      rows += static_cast<std::uint64_t>(std::count(out.begin(), out.end(), true));
    }
    return rows;
  }

  void Plan() {
    const std::filesystem::path last(raw_.paths.back());
    const bool file = binding::IsFile(raw_.paths.back(), context_);
    plan_.title = file ? last.stem().stem().string() : raw_.paths.back();
    plan_.servers = request_.servers;
    plan_.tables = raw_.paths;
    plan_.csv = raw_.csv;
    plan_.dropped_rows = RowsLeftOut();
    plan_.rows = raw_.tables[0].rows();
    for (const Table& table : raw_.tables) {
      plan_.rows = std::min<std::uint64_t>(plan_.rows, table.rows());
    }
    for (const advice::ColumnAdvice& column : plan_.columns.columns) {
      if (!column.draft) continue;
      plan_.taxonomies[column.name] = advice::TaxonomyFile(column.name, plan_.taxonomies);
    }
    if (plan_.model == "xy") PlanJoin();
  }

  void PlanJoin() {
    const Table& release = raw_.tables.back();
    const auto quasi = plan_.columns.Names(io::Role::kQuasi);
    for (const std::string& name : quasi) {
      if (release.Find(name)) plan_.release_columns.push_back(name);
    }
    for (std::size_t i = 0; i + 1 < raw_.tables.size(); ++i) {
      plan_.prior_joins.emplace_back();
      for (const std::string& name : plan_.release_columns) {
        if (raw_.tables[i].Find(name)) plan_.prior_joins.back().push_back(name);
      }
    }
  }

  Status Write() {
    io::FileSystem& files = context_.files;
    for (const auto& [column, file] : plan_.taxonomies) {
      if (!request_.replace && files.Exists(Path(file))) return Exists(file);
    }
    if (!files.Exists(Directory())) {
      REISSUE_TRY(files.CreateDirectory(Directory(), /*owner_only=*/true));
    }
    for (const advice::ColumnAdvice& column : plan_.columns.columns) {
      if (!column.draft) continue;
      const std::string path = Path(plan_.taxonomies.at(column.name));
      REISSUE_TRY(io::WriteAtomically(files, path, binding::HierarchyText(column.draft->lines),
                                      true, request_.replace));
      report_.taxonomies.push_back(path);
    }
    report_.policy = Path(kPolicyName);
    return io::WriteAtomically(files, report_.policy, advice::PolicyText(plan_), true,
                               request_.replace);
  }

  // ---- what is told

  std::vector<binding::PriorFile> Priors() const {
    std::vector<binding::PriorFile> priors;
    if (plan_.model != "xy") return priors;
    for (std::size_t i = 0; i + 1 < raw_.paths.size(); ++i) {
      priors.push_back({"", raw_.paths[i]});
    }
    return priors;
  }

  void AddCommands() {
    const bool xy = plan_.model == "xy";
    std::string priors, tables;
    for (std::size_t i = 0; i < raw_.paths.size(); ++i) {
      const bool last = i + 1 == raw_.paths.size();
      if (xy && !last) priors += " --prior " + ShellWord(raw_.paths[i]);
      if (!xy || last) tables += " " + ShellWord(raw_.paths[i]);
    }
    const std::string policy = ShellWord(report_.policy);
    report_.commands.push_back("reissue check " + policy + tables + priors);
    const auto publish = [&](std::size_t table, std::size_t release) {
      const std::string copy =
          InGroups(plan_.model) ? fmt::format(" --holder-copy R{}.private.csv", release) : "";
      report_.commands.push_back(fmt::format("reissue publish --vault vault{} {}{} --out R{}.csv{}",
                                             release == 1 ? " --policy " + policy : "",
                                             ShellWord(raw_.paths[table]), priors, release, copy));
    };
    const bool series = plan_.model != "k" && !xy;
    publish(xy ? raw_.paths.size() - 1 : 0, 1);
    for (std::size_t i = 1; series && i < raw_.paths.size(); ++i) publish(i, i + 1);
  }

  Result<InitReport> Report() {
    for (std::size_t i = 0; i < raw_.tables.size(); ++i) {
      report_.tables.push_back({raw_.paths[i], raw_.tables[i].rows(), raw_.tables[i].width()});
    }
    report_.order = raw_.how;
    report_.written = raw_.reasons;
    AddCommands();
    const bool xy = plan_.model == "xy";
    const std::vector<std::string> checked =
        xy || plan_.model == "k"
            ? std::vector<std::string>{raw_.paths[xy ? raw_.paths.size() - 1 : 0]}
            : raw_.paths;
    raw_.tables.clear();
    report_.problems = Check(report_.policy, checked, context_, Priors()).problems;
    report_.dropped_rows = plan_.dropped_rows;
    report_.model = plan_.model;
    report_.columns = std::move(plan_.columns);
    report_.setting = std::move(plan_.setting);
    return std::move(report_);
  }

  const InitRequest& request_;
  binding::Context& context_;
  advice::RolesWanted wanted_;
  RawTables raw_;
  advice::PolicyPlan plan_;
  InitReport report_;
};

}  // namespace

Result<InitReport> Init(const InitRequest& request, binding::Context& context) {
  return Drafting(request, context).Run();
}

}  // namespace reissue::engine
