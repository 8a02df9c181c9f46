#include "engine_fixture.h"
#include "reissue/models/bcf/service/series.h"

namespace reissue::models::bcf::service {
namespace {

using ::testing::HasSubstr;

class SeriesTest : public EngineTest {
 protected:
  io::Policy ReadPolicy(const std::string& path) {
    return io::ReadPolicy(context_.files, path).value();
  }
  io::Policy PlainPolicy() { return ReadPolicy(WritePolicy("model = \"bcf\"\nk = 2\n")); }
  // Age is numeric without a taxonomy.
  io::Policy NumericPolicy() {
    Write("sex.csv", "f;any\nm;any\n");
    return ReadPolicy(Write("numeric.toml",
                            "[columns]\nage = { role = \"quasi\", type = \"numeric\" }\n"
                            "sex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
                            "illness = { role = \"sensitive\" }\n[guarantee]\nmodel = \"bcf\"\n"
                            "k = 2\n"));
  }
};

TEST_F(SeriesTest, LabelsBecomeNodesAndValuesOneDictionary) {
  Write("1.csv", "age,sex,illness\nyoung,f,flu\nyoung,f,cold\n");
  Write("2.csv", "age,sex,illness\n20s,*,cold\n20s,*,flu\n20s,*,gout\n");
  const auto bound = LoadSeries(PlainPolicy(), {Path("1.csv"), Path("2.csv")}, context_);
  ASSERT_TRUE(bound) << bound.error().ToString();
  EXPECT_EQ(bound->series.size(), 2u);
  EXPECT_EQ(bound->series.release(0).rows(), 2u);
  EXPECT_EQ(bound->series.release(1).groups(), 3u);
  EXPECT_EQ(bound->values->size(), 3u);
  const auto& second = bound->series.release(1);
  EXPECT_EQ((*bound->values)[ValueId(second.value(0))], "flu") << "coded as in the first file";
  EXPECT_EQ(bound->series.tree(0).label(second.node(0, 0)), "20s");
  EXPECT_EQ(second.node(0, 1), taxonomy::Taxonomy::root());
  EXPECT_EQ(bound->series.ComparableCells(1, bound->series.release(0).key(0)).size(), 1u);
}

TEST_F(SeriesTest, ALabelWithoutANodeIsAnErrorWithItsPlace) {
  Write("1.csv", "age,sex,illness\nyoung,f,flu\nmiddling,f,cold\n");
  const auto bound = LoadSeries(PlainPolicy(), {Path("1.csv")}, context_);
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().place->line, 3u);
  EXPECT_EQ(bound.error().place->column, "age");
  EXPECT_EQ(bound.error().ToString().find("middling"), std::string::npos);
}

TEST_F(SeriesTest, NumericColumnsGetATreeOfTheirLabels) {
  Write("1.csv", "age,sex,illness\n\"[20,40)\",*,flu\n\"[40,60)\",f,cold\n");
  Write("2.csv",
        "age,sex,illness\n*,any,flu\n\"[20,30)\",f,flu\n45,f,cold\n05.0,f,cold\n5,f,cold\n");
  const auto bound = LoadSeries(NumericPolicy(), {Path("1.csv"), Path("2.csv")}, context_);
  ASSERT_TRUE(bound) << bound.error().ToString();
  const auto& tree = bound->series.tree(0);
  EXPECT_EQ(tree.label(tree.parent(*tree.Find("45"))), "[40,60)");
  EXPECT_EQ(tree.label(tree.parent(*tree.Find("[20,30)"))), "[20,40)");
  EXPECT_EQ(bound->series.release(1).cells(), 4u)
      << "05.0 and 5 are one number, * and any the root";
  EXPECT_TRUE(bound->from_labels[0]);
  EXPECT_FALSE(bound->from_labels[1]);

  Write("3.csv", "age,sex,illness\n\"[30,50)\",f,flu\n");
  const auto overlap = LoadSeries(NumericPolicy(), {Path("1.csv"), Path("3.csv")}, context_);
  ASSERT_FALSE(overlap);
  EXPECT_THAT(overlap.error().message, HasSubstr("overlap"));
  Write("4.csv", "age,sex,illness\n30-40,f,flu\n");
  const auto other = LoadSeries(NumericPolicy(), {Path("4.csv")}, context_);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().place->line, 2u);
}

TEST_F(SeriesTest, AStoredReleaseComesBack) {
  const io::Policy policy = PlainPolicy();
  const binding::ReleaseColumns columns = binding::ColumnsOf(policy);
  Write("1.csv",
        "sex,age,illness\nf,young,\"gout, \"\"bad\"\"\"\nf,young,flu\nf,young,flu\nm,*,\" x\"\n");
  const PublishedRelease release = ReadPublished(columns, Path("1.csv"), context_).value();
  const std::string text = SaveRelease(release, columns);
  PublishedRelease again = ParseRelease(text, columns, "release 1").value();
  EXPECT_EQ(SaveRelease(again, columns).size(), text.size());
  auto trees = binding::LoadTaxonomies(policy, context_).value();
  const BoundSeries both = BindSeries(columns, trees, {release, std::move(again)}).value();
  ASSERT_EQ(both.cells[0].size(), 3u);
  ASSERT_EQ(both.cells[0].size(), both.cells[1].size());
  for (std::size_t i = 0; i < both.cells[0].size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(both.cells[0].key(CellId(i)), both.cells[1].key(CellId(i))));
    EXPECT_EQ(both.cells[0].count(CellId(i)), both.cells[1].count(CellId(i)));
  }
  EXPECT_FALSE(ParseRelease("age,sex,value,rows\nyoung,f,flu,many\n", columns, "x"));
  EXPECT_FALSE(ParseRelease("age,value,rows\nyoung,flu,1\n", columns, "x"));
}

TEST_F(SeriesTest, AHierarchyOfUsedLabelsComparesThemAsTheTaxonomyDoes) {
  Write("1.csv", "age,sex,illness\nyoung,f,flu\n59,f,flu\n");
  Write("2.csv", "age,sex,illness\n21,*,flu\n25,*,flu\n50s,m,flu\n");
  const BoundSeries bound =
      LoadSeries(PlainPolicy(), {Path("1.csv"), Path("2.csv")}, context_).value();
  const auto hierarchy = HierarchyOf(bound);
  ASSERT_EQ(hierarchy.size(), 2u);
  const auto trees = binding::TreesOf(hierarchy, bound.columns.quasi, "certificate").value();
  for (const auto& [label, above] : hierarchy[0].parents) {
    EXPECT_NE(label, "20s") << "not published";
    for (const auto& [other, unused] : hierarchy[0].parents) {
      const auto& full = bound.series.tree(0);
      EXPECT_EQ(trees[0]->OnOnePath(*binding::FindLabel(*trees[0], label),
                                    *binding::FindLabel(*trees[0], other)),
                full.OnOnePath(*full.Find(label), *full.Find(other)))
          << label << " " << other;
    }
  }
}

TEST_F(SeriesTest, AHierarchyFromAStrangerMayBeNoTree) {
  const std::vector<std::string> columns = {"age"};
  using Parents = std::vector<std::pair<std::string, std::string>>;
  EXPECT_TRUE(binding::TreesOf({{"age", {{"any", ""}}}}, columns, "c"));
  EXPECT_TRUE(binding::TreesOf({{"age", {{"a", "b"}, {"b", "*"}, {"*", ""}}}}, columns, "c"));
  EXPECT_EQ(binding::TreesOf({}, columns, "c").value(), Taxonomies{nullptr});
  for (const Parents& parents :
       {Parents{}, Parents{{"a", "a"}}, Parents{{"a", "b"}, {"b", "a"}},
        Parents{{"x", "a"}, {"a", "b"}, {"b", "a"}}, Parents{{"a", "gone"}},
        Parents{{"a", ""}, {"b", ""}}, Parents{{"", "a"}, {"a", ""}},
        Parents{{"a", "*"}, {"a", "*"}, {"*", ""}}}) {
    EXPECT_FALSE(binding::TreesOf({{"age", parents}}, columns, "c"));
  }
}

}  // namespace
}  // namespace reissue::models::bcf::service
