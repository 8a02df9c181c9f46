#include "draw.h"

#include <algorithm>
#include <numeric>

namespace oracle::survey {
namespace {

constexpr int kNumbers = 18, kWords = 6, kLeast = -1;
const char* const kWord[] = {"ant", "bee", "cat", "dog", "eel", "fox"};
using Lines = std::vector<std::vector<std::string>>;

struct Label {
  std::string text;
  Meaning meaning;
};

Label Range(int low, int high, std::uint64_t notation) {  // numbers, both included
  Label label{"", Meaning(kNumbers, 0)};
  for (int n = low; n <= high; ++n) label.meaning[static_cast<std::size_t>(n - kLeast)] = 1;
  const std::string a = std::to_string(low), b = std::to_string(high);
  const std::string after = std::to_string(high + 1), before = std::to_string(low - 1);
  if (low == high && notation % 3 != 0) {
    label.text = a;
    return label;
  }
  switch (notation % 5) {
    case 0:
      label.text = "[" + a + "-" + b + "]";
      break;
    case 1:
      label.text = "[" + a + "," + b + "]";
      break;
    case 2:
      label.text = "[" + a + "," + after + ")";
      break;
    case 3:
      label.text = "(" + before + ";" + b + "]";
      break;
    default:
      label.text = a + ".." + b;
  }
  return label;
}
Label AtLeast(int low) {
  Label label = Range(low, kNumbers + kLeast - 1, 0);
  label.text = ">=" + std::to_string(low);
  return label;
}
Label Words(std::vector<int> of, std::uint64_t notation) {
  std::sort(of.begin(), of.end());
  of.erase(std::unique(of.begin(), of.end()), of.end());
  Label label{"", Meaning(kWords, 0)};
  for (const int word : of) {
    label.meaning[static_cast<std::size_t>(word)] = 1;
    if (!label.text.empty()) label.text += notation % 2 == 0 ? ", " : "|";
    label.text += kWord[word];
  }
  if (of.size() > 1 && notation % 2 == 0) label.text = "{" + label.text + "}";
  return label;
}
// A node of the tree: every word that has it on its line.
Label Node(const Lines& tree, const std::string& name) {
  Label label{name, Meaning(kWords, 0)};
  for (std::size_t word = 0; word < tree.size(); ++word) {
    label.meaning[word] = std::find(tree[word].begin(), tree[word].end(), name) != tree[word].end();
  }
  return label;
}
Label NodeOn(const Lines& tree, int word, std::size_t level) {
  const auto& line = tree[static_cast<std::size_t>(word)];
  return Node(tree, line[std::min(level, line.size() - 1)]);
}
// The lowest node above all of them.
Label NodeAbove(const Lines& tree, const std::vector<int>& words) {
  for (std::size_t level = 0;; ++level) {
    const Label label = NodeOn(tree, words[0], level);
    if (std::all_of(words.begin(), words.end(),
                    [&](int word) { return label.meaning[static_cast<std::size_t>(word)] != 0; }))
      return label;
  }
}
Label Star(bool number, std::uint64_t notation) {
  return {notation % 7 == 0 ? "?" : "*", Meaning(number ? kNumbers : kWords, 1)};
}

}  // namespace

void Drawer::DrawTree() {
  const std::uint64_t groups = 1 + Below(4), above = 1 + Below(2);
  std::vector<std::uint64_t> above_group;
  for (std::uint64_t g = 0; g < groups; ++g) above_group.push_back(Below(above));
  tree_.clear();
  const std::string root = Below(2) == 0 ? "*" : "all";
  for (const char* word : kWord) {
    std::vector<std::string> line = {word};
    const std::uint64_t group = Below(groups);
    if (Below(5) > 0) {  // some stand directly below the root
      line.push_back("group " + std::to_string(group));
      line.push_back("kind " + std::to_string(above_group[group]));
    }
    line.push_back(root);
    tree_.push_back(std::move(line));
  }
}

std::vector<Drawer::Person> Drawer::People(std::size_t columns, std::size_t numbers, double again) {
  std::vector<Person> people;
  for (const Person& person : before_) {
    if (static_cast<double>(Below(1000)) < again * 1000) people.push_back(person);
  }
  const std::size_t fresh = 1 + Below(people.empty() ? 9 : 3);
  const std::uint64_t values = 1 + Below(4);
  for (std::size_t i = 0; i < fresh; ++i) {
    Person person;
    for (std::size_t c = 0; c < columns; ++c) {
      person.raw.push_back(static_cast<int>(c < numbers ? Below(11) : Below(5)));
    }
    person.value = static_cast<int>(Below(values));
    people.push_back(person);
  }
  return people;
}

Drawn Drawer::Draw(Kind kind, std::size_t numbers, std::size_t words, double again) {
  const std::size_t columns = numbers + words;
  const std::vector<Person> people = People(columns, numbers, again);
  before_ = people;
  const std::uint64_t notation = Below(1000);
  std::vector<std::vector<Label>> labels(people.size());
  if (kind == Kind::kMondrian) {
    std::vector<std::vector<std::size_t>> groups = {std::vector<std::size_t>(people.size())};
    std::iota(groups[0].begin(), groups[0].end(), std::size_t{0});
    for (std::size_t g = 0; g < groups.size(); ++g) {
      while (groups[g].size() > 1 + Below(4)) {  // halved along some column
        std::vector<std::size_t>& group = groups[g];
        const std::size_t c = Below(columns);
        std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
          return people[a].raw[c] < people[b].raw[c];
        });
        const auto half = group.begin() + static_cast<std::ptrdiff_t>(1 + Below(group.size() - 1));
        std::vector<std::size_t> second(half, group.end());
        group.erase(half, group.end());
        groups.push_back(std::move(second));
      }
      for (const std::size_t p : groups[g]) {
        for (std::size_t c = 0; c < columns; ++c) {
          std::vector<int> raw;
          for (const std::size_t other : groups[g]) raw.push_back(people[other].raw[c]);
          const auto [low, high] = std::minmax_element(raw.begin(), raw.end());
          labels[p].push_back(c < numbers      ? Range(*low, *high, notation)
                              : !tree_.empty() ? NodeAbove(tree_, raw)
                                               : Words(raw, notation));
        }
      }
    }
  } else if (kind == Kind::kFullDomain) {
    std::vector<int> width;
    for (std::size_t c = 0; c < columns; ++c) width.push_back(static_cast<int>(1 + Below(5)));
    const bool open = Below(3) == 0;
    for (std::size_t p = 0; p < people.size(); ++p) {
      const bool starred = Below(6) == 0;
      for (std::size_t c = 0; c < columns; ++c) {
        const int raw = people[p].raw[c], w = width[c];
        if (starred || (w == 5 && c % 2 == 1)) {
          labels[p].push_back(Star(c < numbers, notation));
        } else if (c < numbers) {
          const bool top = open && raw / w * w + w > 8;
          labels[p].push_back(top ? AtLeast(raw / w * w)
                                  : Range(raw / w * w, raw / w * w + w - 1, notation));
        } else if (!tree_.empty()) {
          labels[p].push_back(NodeOn(tree_, raw, static_cast<std::size_t>(w - 1)));
        } else {
          std::vector<int> of;
          for (int i = raw / w * w; i < std::min(raw / w * w + w, 5); ++i) of.push_back(i);
          labels[p].push_back(Words(of, notation));
        }
      }
    }
  } else {
    const std::uint64_t share = 2 + Below(4);
    for (std::size_t p = 0; p < people.size(); ++p) {
      for (std::size_t c = 0; c < columns; ++c) {
        const int raw = people[p].raw[c];
        if (Below(share) == 0) {
          labels[p].push_back(Star(c < numbers, notation));
        } else if (c >= numbers && !tree_.empty()) {
          labels[p].push_back(NodeOn(tree_, raw, Below(4)));
        } else {
          labels[p].push_back(c < numbers ? Range(raw, raw, 1) : Words({raw}, notation));
        }
      }
    }
  }
  Drawn drawn;
  drawn.numbers = numbers;
  drawn.hierarchy = tree_;
  for (std::size_t p = 0; p < people.size(); ++p) {
    Row row;
    drawn.texts.emplace_back();
    for (Label& label : labels[p]) {
      drawn.texts.back().push_back(label.text);
      row.labels.push_back(std::move(label.meaning));
    }
    drawn.texts.back().push_back("v" + std::to_string(people[p].value));
    row.value = people[p].value;
    drawn.file.push_back(std::move(row));
  }
  return drawn;
}

}  // namespace oracle::survey
