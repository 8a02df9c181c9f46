// Parts as the product publishes them, in the hands of the reader who tries out all worlds.

#include <gtest/gtest.h>

#include "engine_fixture.h"
#include "reader.h"
#include "reissue/ledger/division.h"

namespace reissue {
namespace {

namespace slow = oracle::parts;

// Places a, b, c, d below ab and cd.
slow::Row Parsed(const std::string& line) {
  const std::size_t comma = line.find(',');
  const std::string label = line.substr(0, comma);
  slow::Row row;
  row.low = label == "*" ? 0 : label[0] - 'a';
  row.high = label == "*" ? 3 : label.back() - 'a';
  row.value = line[comma + 1] - '0';
  return row;
}

class PartsPublishOracle : public EngineTest {
 protected:
  static constexpr int kParts = 2;

  struct Table {
    std::vector<slow::Person> people;
    std::string policy;
  };
  // Everybody's part is that of the key that is drawn with the table.
  Table DrawTable(Random& random, int count, int values, int births, const std::string& guarantee) {
    const std::string key = ledger::Division::NewKey();
    Write("parts.key", key);
    Write("x.csv", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n");
    Table table;
    table.policy = Write("policy.toml",
                         "title = \"T\"\n[columns]\nid = { role = \"identifier\" }\n"
                         "x = { role = \"quasi\", taxonomy = \"x.csv\" }\n"
                         "v = { role = \"sensitive\" }\n[guarantee]\n" +
                             guarantee);
    const ledger::Division first = ledger::Division::Of(1, kParts, key, "").value();
    for (int i = 0; i < count; ++i) {
      slow::Person person;
      person.place = static_cast<int>(random.Below(4));
      person.value = static_cast<int>(random.Below(static_cast<std::uint64_t>(values)));
      person.birth = 1 + static_cast<int>(random.Below(static_cast<std::uint64_t>(births)));
      person.part = first.Has("p" + std::to_string(i)) ? 0 : 1;
      table.people.push_back(person);
    }
    return table;
  }
  std::string TableOf(const Table& table, int release) {
    std::string text = "id,x,v\n";
    for (std::size_t i = 0; i < table.people.size(); ++i) {
      const slow::Person& person = table.people[i];
      if (person.birth > release) continue;
      text += "p" + std::to_string(i) + "," + std::string(1, "abcd"[person.place]) + "," +
              std::to_string(person.value) + "\n";
    }
    return Write("table-" + std::to_string(release) + ".csv", text);
  }
  // All parts of all releases; nothing where a promise cannot be kept.
  std::optional<std::vector<slow::Series>> PublishAll(const Table& table, int releases) {
    std::vector<slow::Series> parts(kParts);
    for (int part = 0; part < kParts; ++part) {
      const std::string name = std::to_string(part);
      std::filesystem::remove_all(Path("vault" + name));
      for (int release = 1; release <= releases; ++release) {
        contract::PublishRequest request = Request(table.policy, TableOf(table, release));
        request.vault = Path("vault" + name);
        request.out = Path("R" + std::to_string(release) + "-" + name + ".csv");
        std::filesystem::remove(request.out);
        std::filesystem::remove(request.out + ".certificate.json");
        request.part = {std::to_string(part + 1) + "/2", Path("parts.key")};
        request.mark = Path("mark" + name);
        if (release == 1) std::filesystem::remove(request.mark);
        const auto report = engine::Publish(request, context_);
        if (!report) {
          EXPECT_TRUE(report.error().code == ErrorCode::kPromise ||
                      report.error().code == ErrorCode::kInput)
              << report.error().ToString();
          return std::nullopt;
        }
        slow::Release rows;
        std::istringstream lines(Read("R" + std::to_string(release) + "-" + name + ".csv"));
        std::string line;
        std::getline(lines, line);
        while (std::getline(lines, line)) rows.push_back(Parsed(line));
        parts[static_cast<std::size_t>(part)].push_back(rows);
      }
    }
    return parts;
  }
};

TEST_F(PartsPublishOracle, GrowingTables) {
  Random random = Random::Seeded(11);
  int cases = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Table table = DrawTable(random, 12, 2, 2, "model = \"bcf\"\nk = 2\n");
    const auto parts = PublishAll(table, 2);
    if (!parts) continue;
    ++cases;
    const slow::Series all = slow::Together(*parts);
    for (const slow::Person& person : table.people) {
      const auto known =
          slow::Left((*parts)[static_cast<std::size_t>(person.part)], person.place, person.birth);
      const auto unknown = slow::Left(all, person.place, person.birth);
      ASSERT_TRUE(known && unknown);
      EXPECT_GE(slow::Sum(*known), 2);
      EXPECT_GE(slow::Sum(*unknown), slow::Sum(*known));
    }
  }
  EXPECT_GT(cases, 8);
}

TEST_F(PartsPublishOracle, OneRelease) {
  Random random = Random::Seeded(12);
  int cases = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Table table =
        DrawTable(random, 24, 3, 1, "model = \"k\"\nk = 3\ndistinct = 2\nalpha = 0.7\n");
    const auto parts = PublishAll(table, 1);
    if (!parts) continue;
    ++cases;
    const slow::Series all = slow::Together(*parts);
    const auto keeps = [](const std::map<int, int>& rows) {
      return slow::Sum(rows) >= 3 && slow::Distinct(rows) >= 2 &&
             slow::LargestShare(rows) <= 0.7 + 1e-9;
    };
    for (const auto& [label, values] : slow::Groups(all[0])) EXPECT_TRUE(keeps(values));
    for (const slow::Person& person : table.people) {
      EXPECT_TRUE(keeps(*slow::Left(all, person.place, 1)));
      EXPECT_TRUE(
          keeps(*slow::Left((*parts)[static_cast<std::size_t>(person.part)], person.place, 1)));
    }
  }
  EXPECT_GT(cases, 8);
}

}  // namespace
}  // namespace reissue
