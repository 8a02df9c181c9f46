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
  Write("2.csv", "age,sex,illness\n20s,*,cold\n20s,*,flu\n20s,*,angina\n");
  const auto bound = LoadSeries(PlainPolicy(), {Path("1.csv"), Path("2.csv")}, context_);
  ASSERT_TRUE(bound) << bound.error().ToString();
  EXPECT_EQ(bound->series.size(), 2u);
  EXPECT_EQ(bound->series.release(0).rows(), 2u);
  EXPECT_EQ(bound->series.release(1).groups(), 3u);
  EXPECT_EQ(bound->values->size(), 3u);
  const auto& second = bound->series.release(1);
  EXPECT_EQ((*bound->values)[ValueId(second.value(0))], "cold") << "coded as in the first file";
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

  Write("4.csv", "age,sex,illness\n30-40,f,flu\n");
  const auto other = LoadSeries(NumericPolicy(), {Path("4.csv")}, context_);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().place->line, 2u);
}

TEST_F(SeriesTest, RangesThatOverlapAreRegions) {
  Write("1.csv", "age,sex,illness\n\"[20,40)\",f,flu\n\"[40,60)\",f,cold\n*,*,flu\n");
  Write("2.csv", "age,sex,illness\n\"[30,50)\",f,flu\n\"[30.0,50)\",f,flu\n39,f,cold\n");
  const auto bound = LoadSeries(NumericPolicy(), {Path("1.csv"), Path("2.csv")}, context_);
  ASSERT_TRUE(bound) << bound.error().ToString();
  const Series& series = bound->series;
  ASSERT_NE(series.regions(0), nullptr);
  EXPECT_EQ(series.regions(1), nullptr);
  EXPECT_TRUE(series.pairwise());
  EXPECT_TRUE(bound->from_labels[0]);
  EXPECT_EQ(series.release(1).cells(), 2u) << "[30.0,50) is [30,50)";
  const auto comparable = [&](const char* a, const char* b) {
    return series.regions(0)->Meet(*series.regions(0)->Find(a), *series.regions(0)->Find(b));
  };
  EXPECT_TRUE(comparable("[20,40)", "[30,50)"));
  EXPECT_TRUE(comparable("[40,60)", "[30,50)"));
  EXPECT_FALSE(comparable("[40,60)", "39"));
  const Status nested = LabelsAreNested(*bound);
  ASSERT_FALSE(nested);
  EXPECT_THAT(nested.error().message, HasSubstr("[20,40) and [30,50) overlap"));
  EXPECT_EQ(nested.error().place->column, "age");
  EXPECT_EQ(HierarchyOf(*bound).size(), 1u) << "of sex";
}

// As files without a policy are bound: labels are known by what they stand for.
TEST_F(SeriesTest, LabelsAsSetsOfAtoms) {
  const binding::ReleaseColumns columns = binding::ColumnsOf(PlainPolicy());
  Write("1.csv", "age,sex,illness\n20-39,f|m,flu\n40+,f,cold\n");
  Write("2.csv", "age,sex,illness\n\"[20;39]\",x|m,flu\n30-49,f|x,cold\n*,f,cold\n");
  const auto releases = [&] {
    std::vector<PublishedRelease> read;
    for (const char* file : {"1.csv", "2.csv"}) {
      read.push_back(ReadPublished(columns, Path(file), context_).value());
    }
    return read;
  };
  // Ages: below 20, 20 to 29, 30 to 39, 40 to 49, from 50 on.
  const LabelSets ages = {5,
                          {{"20-39", {1, 2}},
                           {"[20;39]", {1, 2}},
                           {"30-49", {2, 3}},
                           {"40+", {3, 4}},
                           {"*", {0, 1, 2, 3, 4}}}};
  const LabelSets sexes = {3, {{"f", {0}}, {"f|m", {0, 1}}, {"f|x", {0, 2}}, {"x|m", {1, 2}}}};
  const bool age_first = columns.quasi[0] == "age";
  const auto sets = age_first ? std::vector{ages, sexes} : std::vector{sexes, ages};
  const auto bound = BindRegions(columns, sets, releases());
  ASSERT_TRUE(bound) << bound.error().ToString();
  const Series& series = bound->series;
  const std::size_t age = age_first ? 0 : 1, sex = age_first ? 1 : 0;
  ASSERT_NE(series.regions(age), nullptr);
  EXPECT_TRUE(series.regions(age)->intervals());
  EXPECT_EQ(series.regions(age)->Find("20-39"), series.regions(age)->Find("[20;39]"));
  EXPECT_FALSE(series.regions(sex)->intervals());
  EXPECT_FALSE(series.pairwise());

  // Nested sets become a tree, whichever of their labels a file has.
  LabelSets nested = ages;
  nested.atoms_of["30-49"] = {2};
  const auto trees = BindRegions(
      columns, age_first ? std::vector{nested, sexes} : std::vector{sexes, nested}, releases());
  ASSERT_TRUE(trees) << trees.error().ToString();
  ASSERT_EQ(trees->series.regions(age), nullptr);
  EXPECT_EQ(trees->series.tree(age).nodes(), 4u);

  LabelSets unknown = ages;
  unknown.atoms_of.erase("40+");
  const auto missing = BindRegions(
      columns, age_first ? std::vector{unknown, sexes} : std::vector{sexes, unknown}, releases());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().place->line, 3u);
  EXPECT_EQ(missing.error().ToString().find("40+"), std::string::npos);
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
