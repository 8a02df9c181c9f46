#include "cli/render/taxonomy.h"

#include "cli/render/json.h"
#include "cli/render/text.h"
#include "reissue/taxonomy/describe.h"

namespace reissue::cli {
namespace {

using taxonomy::Taxonomy;

Json NodeJson(const Taxonomy& tree, NodeId node, std::uint64_t depth) {
  Json json;
  json["label"] = tree.label(node);
  json["values"] = tree.leaf_count(node);
  if (tree.is_leaf(node) || tree.depth(node) >= depth) return json;
  json["children"] = Json::array();
  for (const NodeId child : tree.children(node)) {
    json["children"].push_back(NodeJson(tree, child, depth));
  }
  return json;
}

}  // namespace

std::string ToText(const TreeReport& report, const Style& style) {
  const taxonomy::Description facts = taxonomy::Describe(*report.tree);
  std::string text = style.Heading(Printable(report.file)) + ": " +
                     Counted(facts.leaves, "value", "values") + ", " +
                     Counted(facts.levels, "level", "levels") + ", at most " +
                     Counted(facts.largest_fan_out, "branch", "branches") + " at a node\n";
  return text + taxonomy::Render(*report.tree, static_cast<std::uint32_t>(report.depth));
}

std::string ToJson(const TreeReport& report) {
  Json json;
  json["file"] = report.file;
  json["values"] = report.tree->leaves();
  json["nodes"] = report.tree->nodes();
  json["levels"] = report.tree->height() + 1;
  json["root"] = NodeJson(*report.tree, Taxonomy::root(), report.depth);
  return JsonText(json);
}

std::string ToText(const DraftReport& report, const Style&) {
  return Printable(report.file) + ": a draft of " +
         Counted(report.draft->lines.size(), "value", "values") + " (" +
         std::string(taxonomy::DraftKindName(report.draft->kind)) +
         "). Look it over: you know which values belong together.\n" +
         (report.draft->marks ? Fill(kMarksStand) : std::string()) +
         Fill(std::string("Mind that ") + kDraftTells);
}

std::string ToJson(const DraftReport& report) {
  Json json;
  json["column"] = report.column;
  json["file"] = report.file == "-" ? Json(nullptr) : Json(report.file);
  json["kind"] = taxonomy::DraftKindName(report.draft->kind);
  json["note"] = kDraftTells;
  if (report.draft->marks) json["missing"] = kMarksStand;
  json["lines"] = Json::array();
  for (const taxonomy::HierarchyLine& line : report.draft->lines) {
    json["lines"].push_back(line.labels);
  }
  return JsonText(json);
}

std::string ToText(const TreesReport& report, const Style& style) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kLeft}, 0);
  for (const TreesReport::Entry& entry : report.files) {
    if (entry.problem) {
      table.Add({Printable(entry.file), style.Bad("wrong"), ""});
    } else {
      table.Add({Printable(entry.file), style.Good("ok"),
                 Counted(entry.leaves, "value", "values") + ", " +
                     Counted(entry.height + 1, "level", "levels")});
    }
  }
  return table.ToString();
}

std::string ToJson(const TreesReport& report) {
  Json list = Json::array();
  for (const TreesReport::Entry& entry : report.files) {
    Json json;
    json["file"] = entry.file;
    json["ok"] = !entry.problem.has_value();
    if (entry.problem) {
      json["problem"] = JsonError(*entry.problem);
    } else {
      json["values"] = entry.leaves;
      json["nodes"] = entry.nodes;
      json["levels"] = entry.height + 1;
    }
    list.push_back(std::move(json));
  }
  Json json;
  json["taxonomies"] = std::move(list);
  return JsonText(json);
}

}  // namespace reissue::cli
