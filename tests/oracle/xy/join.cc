#include "join.h"

#include <algorithm>
#include <functional>
#include <set>

namespace oracle::xy {
namespace {

bool IsUnder(const World& world, const Place& place, const Labels& row, Label label) {
  const std::optional<std::size_t> tree = world.tables[place.table].trees[place.column];
  if (!tree) return row[place.column] == label;
  return world.trees[*tree].AtOrAbove(label, row[place.column]);
}

Label At(const World& world, const Tuple& tuple, const Place& place) {
  return world.tables[place.table].rows[tuple[place.table]][place.column];
}

double ThresholdOf(const Promise& promise, const Labels& y) {
  if (promise.named.empty()) return promise.confidence;
  return promise.named[static_cast<std::size_t>(y[0])].threshold;
}

Worst WorstOf(const Promise& promise, const Labels& x, const Facts& facts) {
  Worst worst;
  worst.x = x;
  worst.records = facts.records;
  worst.distinct = static_cast<long>(facts.with_y.size());
  if (promise.anonymity) return worst;
  bool first = true;
  for (const auto& [y, records] : facts.with_y) {
    const double share = static_cast<double>(records) / static_cast<double>(facts.records);
    const double threshold = ThresholdOf(promise, y);
    if (!first && share - threshold <= worst.share - worst.threshold) continue;
    first = false;
    worst.y = y;
    worst.records_with_y = records;
    worst.share = share;
    worst.threshold = threshold;
  }
  return worst;
}

}  // namespace

bool Tree::AtOrAbove(Label above, Label below) const {
  for (Label node = below; node >= 0; node = parents[static_cast<std::size_t>(node)]) {
    if (node == above) return true;
  }
  return false;
}

bool Tree::OnOnePath(Label a, Label b) const { return AtOrAbove(a, b) || AtOrAbove(b, a); }

std::vector<Label> Tree::Children(Label node) const {
  std::vector<Label> children;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] == node) children.push_back(static_cast<Label>(i));
  }
  return children;
}

std::vector<Label> Tree::Leaves() const {
  std::vector<Label> leaves;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (Children(static_cast<Label>(i)).empty()) leaves.push_back(static_cast<Label>(i));
  }
  return leaves;
}

bool Match(const World& world, std::size_t i, const Labels& row_i, std::size_t j,
           const Labels& row_j) {
  for (const std::vector<Place>& attribute : world.joins) {
    for (const Place& p : attribute) {
      for (const Place& q : attribute) {
        if (p.table != i || q.table != j) continue;
        const Tree& tree = world.trees[*world.tables[i].trees[p.column]];
        if (!tree.OnOnePath(row_i[p.column], row_j[q.column])) return false;
      }
    }
  }
  for (const Forbidden& pair : world.forbidden) {
    const bool straight = pair.a.table == i && pair.b.table == j;
    const bool turned = pair.a.table == j && pair.b.table == i;
    if (straight && IsUnder(world, pair.a, row_i, pair.a_label) &&
        IsUnder(world, pair.b, row_j, pair.b_label)) {
      return false;
    }
    if (turned && IsUnder(world, pair.a, row_j, pair.a_label) &&
        IsUnder(world, pair.b, row_i, pair.b_label)) {
      return false;
    }
  }
  return true;
}

std::vector<Tuple> Join(const World& world) {
  std::vector<Tuple> join;
  Tuple tuple;
  const std::function<void()> extend = [&] {
    const std::size_t j = tuple.size();
    if (j == world.tables.size()) {
      join.push_back(tuple);
      return;
    }
    for (std::size_t row = 0; row < world.tables[j].rows.size(); ++row) {
      bool matches = true;
      for (std::size_t i = 0; i < j && matches; ++i) {
        matches = Match(world, i, world.tables[i].rows[tuple[i]], j, world.tables[j].rows[row]);
      }
      if (!matches) continue;
      tuple.push_back(row);
      extend();
      tuple.pop_back();
    }
  };
  extend();
  return join;
}

std::map<Labels, Facts> GroupByX(const World& world, const std::vector<Tuple>& join,
                                 const Promise& promise) {
  std::map<Labels, Facts> groups;
  for (const Tuple& tuple : join) {
    Labels x;
    for (const Place& place : promise.x) x.push_back(At(world, tuple, place));
    Facts& facts = groups[x];
    ++facts.records;
    facts.rows.insert(tuple[0]);
    for (std::size_t i = 0; i < promise.named.size(); ++i) {
      const Promise::Named& named = promise.named[i];
      const Label label = At(world, tuple, named.place);
      const auto& tree = world.tables[named.place.table].trees[named.place.column];
      const bool has =
          tree ? world.trees[*tree].AtOrAbove(named.label, label) : label == named.label;
      facts.with_y[{static_cast<Label>(i)}] += has ? 1 : 0;
    }
    if (!promise.named.empty()) continue;
    Labels y;
    for (const Place& place : promise.y) y.push_back(At(world, tuple, place));
    for (const std::size_t table : promise.y_keys) y.push_back(static_cast<Label>(tuple[table]));
    ++facts.with_y[y];
  }
  return groups;
}

Answer AnswerOf(const World& world, const std::vector<Tuple>& join, const Promise& promise) {
  Answer answer;
  for (const auto& [x, facts] : GroupByX(world, join, promise)) {
    const Worst worst = WorstOf(promise, x, facts);
    answer.one_row += facts.rows.size() == 1 ? 1 : 0;
    if (promise.anonymity) {
      answer.anonymity = std::min(answer.anonymity.value_or(worst.distinct), worst.distinct);
      answer.violating += worst.distinct < promise.k ? 1 : 0;
      answer.worst.push_back(worst);
      continue;
    }
    if (!answer.linkability) answer.linkability = 0;
    for (const auto& [y, records] : facts.with_y) {
      answer.linkability = std::max(
          *answer.linkability, static_cast<double>(records) / static_cast<double>(facts.records));
    }
    answer.violating += worst.share > worst.threshold ? 1 : 0;
    bool certain = false;
    for (const auto& [y, records] : facts.with_y) certain = certain || records == facts.records;
    answer.certain += certain ? 1 : 0;
    answer.worst.push_back(worst);
  }
  answer.satisfied = answer.violating == 0;
  return answer;
}

Answers AnswersOf(const World& world, const std::vector<Tuple>& join,
                  const std::vector<Promise>& promises) {
  Answers answers;
  for (const Promise& promise : promises) {
    answers.promises.push_back(AnswerOf(world, join, promise));
    answers.satisfied = answers.satisfied && answers.promises.back().satisfied;
  }
  answers.join_rows = static_cast<long>(join.size());
  for (std::size_t i = 0; i < world.tables.size(); ++i) {
    std::set<std::size_t> joined;
    for (const Tuple& tuple : join) joined.insert(tuple[i]);
    answers.dangling.push_back(static_cast<long>(world.tables[i].rows.size() - joined.size()));
  }
  return answers;
}

Answers AnswersOf(const World& world, const std::vector<Promise>& promises) {
  return AnswersOf(world, Join(world), promises);
}

namespace {

std::string Text(const Place& place) {
  return 'T' + std::to_string(place.table) + '.' + std::to_string(place.column);
}

template <typename Items>
std::string List(const Items& items) {
  std::string text;
  for (const auto& item : items) {
    text += ' ';
    if constexpr (requires { Text(item); }) {
      text += Text(item);
    } else {
      text += std::to_string(item);
    }
  }
  return text;
}

}  // namespace

std::string Describe(const World& world) {
  std::string text;
  for (std::size_t i = 0; i < world.trees.size(); ++i) {
    text += "tree " + std::to_string(i) + ", parents:" + List(world.trees[i].parents) + '\n';
  }
  for (std::size_t i = 0; i < world.tables.size(); ++i) {
    text += 'T' + std::to_string(i) + ", trees:";
    for (const auto& tree : world.tables[i].trees)
      text += tree ? ' ' + std::to_string(*tree) : " -";
    text += '\n';
    for (const Labels& row : world.tables[i].rows) text += " " + List(row) + '\n';
  }
  for (const auto& attribute : world.joins) text += "join on" + List(attribute) + '\n';
  for (const Forbidden& pair : world.forbidden) {
    text += "never " + Text(pair.a) + " = " + std::to_string(pair.a_label) + " with " +
            Text(pair.b) + " = " + std::to_string(pair.b_label) + '\n';
  }
  return text;
}

std::string Describe(const Promise& promise) {
  std::string text = "X =" + List(promise.x) + ", Y =" + List(promise.y);
  for (const std::size_t table : promise.y_keys) text += " key of T" + std::to_string(table);
  if (promise.anonymity) return text + ", k = " + std::to_string(promise.k) + '\n';
  for (const auto& named : promise.named) {
    text += ' ' + Text(named.place) + " = " + std::to_string(named.label) + " at most " +
            std::to_string(named.threshold);
  }
  if (promise.named.empty()) text += " at most " + std::to_string(promise.confidence);
  return text + '\n';
}

std::string Describe(const Answers& answers) {
  std::string text = "join rows " + std::to_string(answers.join_rows) + ", dangling" +
                     List(answers.dangling) + (answers.satisfied ? ", kept\n" : ", broken\n");
  for (const Answer& answer : answers.promises) {
    if (answer.anonymity) text += "  anonymity " + std::to_string(*answer.anonymity);
    if (answer.linkability) text += "  linkability " + std::to_string(*answer.linkability);
    text += ", violating " + std::to_string(answer.violating) +
            (answer.satisfied ? ", kept\n" : ", broken\n");
  }
  return text;
}

}  // namespace oracle::xy
