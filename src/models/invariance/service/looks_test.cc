#include "reissue/models/invariance/service/looks.h"

#include <gtest/gtest.h>

#include <set>

namespace reissue::models::invariance::service {
namespace {

using Texts = std::vector<std::string>;

struct Clinic {
  explicit Clinic(const std::vector<Texts>& people) : rows(people) {
    const Texts names = {"age", "postcode", "town"};
    table.holder.table = MakeTable(names, rows);
    for (std::uint32_t c = 0; c < names.size(); ++c) table.shown.push_back(ColumnId(c));
    bucket.resize(rows.size());
    fresh.resize(rows.size());
  }

  std::vector<Texts> rows;
  binding::GroupedTable table;
  std::vector<std::uint32_t> bucket;
  std::vector<bool> fresh;
  std::vector<bool> numeric = {true, false, false};
  Random random = Random::Seeded(5);
};

std::vector<Texts> Neighbours(std::size_t count) {
  std::vector<Texts> rows;
  Random random = Random::Seeded(6);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t postcode = random.Below(12);
    rows.push_back({std::to_string(1000 + 7 * i), "P" + std::to_string(postcode),
                    "town" + std::to_string(postcode / 3)});
  }
  return rows;
}

TEST(LooksTest, NobodyWhoIsThereIsCopied) {
  Clinic clinic(Neighbours(100));
  const Crowd crowd(clinic.table, clinic.numeric, clinic.bucket, clinic.fresh, clinic.random);
  Looks looks(crowd, clinic.random);
  const std::set<Texts> there(clinic.rows.begin(), clinic.rows.end());
  std::set<Texts> seen;
  for (int i = 0; i < 200; ++i) {
    const Texts row = looks.New(0);
    EXPECT_FALSE(there.contains(row));
    seen.insert(row);
    // The town is that of the postcode.
    EXPECT_EQ(row[2], "town" + std::to_string(std::stoi(row[1].substr(1)) / 3));
  }
  EXPECT_GT(seen.size(), 150u);
}

TEST(LooksTest, WhereEverybodyHasTwinsCounterfeitsDo) {
  std::vector<Texts> rows;
  for (int i = 0; i < 120; ++i) {
    const int place = i % 6;
    rows.push_back({std::to_string(10 * (i % 4)), "P" + std::to_string(place),
                    "town" + std::to_string(place / 3)});
  }
  Clinic clinic(rows);
  const Crowd crowd(clinic.table, clinic.numeric, clinic.bucket, clinic.fresh, clinic.random);
  Looks looks(crowd, clinic.random);
  const std::set<Texts> there(rows.begin(), rows.end());
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(there.contains(looks.New(0)));
}

TEST(LooksTest, NewcomersLookLikeNewcomers) {
  std::vector<Texts> rows = Neighbours(100);
  Clinic clinic(rows);
  for (std::size_t i = 0; i < 20; ++i) {
    clinic.fresh[i] = true;
    rows[i][2] = "new";
  }
  clinic.table.holder.table = MakeTable({"age", "postcode", "town"}, rows);
  const Crowd crowd(clinic.table, clinic.numeric, clinic.bucket, clinic.fresh, clinic.random);
  Looks looks(crowd, clinic.random);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(looks.New(0)[2], "new");
}

TEST(LooksTest, NumbersChangeAsAGuidesDo) {
  std::vector<Texts> rows;
  for (int i = 0; i < 60; ++i) rows.push_back({std::to_string(30 + i % 20), "P1", "A"});
  Clinic clinic(rows);
  const Crowd crowd(clinic.table, clinic.numeric, clinic.bucket, clinic.fresh, clinic.random);
  Looks looks(crowd, clinic.random);
  Texts row = {"40", "P1", "A"};
  looks.Change({"35", "P1", "A"}, {"36", "P1", "A"}, row);
  EXPECT_EQ(row, (Texts{"41", "P1", "A"}));
  // Never beyond what there is.
  row = {"49", "P1", "A"};
  looks.Change({"35", "P1", "A"}, {"36", "P1", "A"}, row);
  EXPECT_EQ(row[0], "49");
  // Whoever moves lives where somebody does.
  row = {"40", "P7", "A"};
  looks.Change({"35", "P2", "A"}, {"35", "P1", "A"}, row);
  EXPECT_EQ(row, (Texts{"40", "P1", "A"}));
}

TEST(LooksTest, OneRowAndNoColumnWillDo) {
  Clinic clinic({{"5", "P1", "A"}});
  const Crowd crowd(clinic.table, clinic.numeric, clinic.bucket, clinic.fresh, clinic.random);
  EXPECT_EQ(Looks(crowd, clinic.random).New(0).size(), 3u);
  clinic.table.shown.clear();
  clinic.numeric.clear();
  const Crowd bare(clinic.table, clinic.numeric, clinic.bucket, clinic.fresh, clinic.random);
  EXPECT_TRUE(Looks(bare, clinic.random).New(0).empty());
}

}  // namespace
}  // namespace reissue::models::invariance::service
