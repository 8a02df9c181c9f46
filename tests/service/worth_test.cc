// What a release is worth, through the engine: queries of every kind of file, held-out rows,
// codebooks.

#include "engine_fixture.h"
#include "reissue/binding/codebook.h"
#include "reissue/binding/detail.h"
#include "reissue/models/invariance/service/measure.h"

namespace reissue {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WorthTest : public EngineTest {
 protected:
  binding::Detail Measure(const contract::MeasureRequest& request) {
    const auto report = engine::Measure(io::ReadPolicy(context_.files, Path("policy.toml")).value(),
                                        request, context_);
    EXPECT_TRUE(report) << report.error().ToString();
    return report ? report->findings.As<binding::Detail>() : binding::Detail();
  }
  Result<contract::MetricsReport> TryToMeasure(const contract::MeasureRequest& request) {
    return engine::Measure(io::ReadPolicy(context_.files, Path("policy.toml")).value(), request,
                           context_);
  }
};

constexpr char kSmall[] =
    "id,age,sex,illness,note\na,21,f,flu,x\nb,25,f,flu,x\nc,31,m,cold,x\nd,44,m,cold,x\n";

TEST_F(WorthTest, AReleaseThatHidesNothingAnswersEverything) {
  WritePolicy("model = \"k\"\nk = 1\n");
  const std::string table = Write("t.csv", kSmall);
  const std::string release =
      Write("r.csv", "age,sex,illness\n21,f,flu\n25,f,flu\n31,m,cold\n44,m,cold\n");
  const binding::Detail detail = Measure({table, release});
  ASSERT_EQ(detail.worth.queries.size(), 5u);
  for (const auto& error : detail.worth.queries) {
    EXPECT_EQ(error.queries, 1000u);
    EXPECT_EQ(error.mean, 0);
  }
  for (const auto& column : detail.worth.columns) EXPECT_NEAR(column.kept, 1, 1e-12);
  ASSERT_EQ(detail.worth.pairs.size(), 3u);
  EXPECT_NEAR(detail.worth.mean_difference, 0, 1e-9);
  EXPECT_EQ(detail.worth.pairs[2].second, "illness");
}

// Two rows of age 20s: each may be 21 or 25. Of the two rows with flu, one is expected at 21.
TEST_F(WorthTest, LocallyRecodedRowsAreSpreadOverTheirLeaves) {
  WritePolicy("model = \"k\"\nk = 1\n");
  const std::string table = Write("t.csv", kSmall);
  const std::string release =
      Write("r.csv", "age,sex,illness\n20s,f,flu\n20s,f,flu\n31,*,cold\nold,*,cold\n");
  const binding::Detail detail = Measure({table, release});
  EXPECT_GT(detail.worth.queries.back().mean, 0);
  // Age: 2 bits, of which the 20s lose one for two of four rows; "old" is 44, as nobody is 59.
  EXPECT_NEAR(detail.worth.columns[0].entropy, 2, 1e-12);
  EXPECT_NEAR(detail.worth.columns[0].kept, 0.75, 1e-12);
  // Sex: 1 bit, told of the two rows that are not *.
  EXPECT_NEAR(detail.worth.columns[1].kept, 0.5, 1e-12);
}

TEST_F(WorthTest, AsManyQueriesAsAreAskedFor) {
  WritePolicy("model = \"k\"\nk = 1\n");
  const std::string table = Write("t.csv", kSmall);
  const std::string release =
      Write("r.csv", "age,sex,illness\n*,*,flu\n*,*,flu\n*,*,cold\n*,*,cold\n");
  contract::MeasureRequest request{table, release};
  request.queries = 17;
  const binding::Detail detail = Measure(request);
  for (const auto& error : detail.worth.queries) EXPECT_EQ(error.queries, 17u);
  for (const auto& column : detail.worth.columns) EXPECT_EQ(column.kept, 0);
}

// Every form of a release in groups: Anatomy shows quasi-identifiers as they are and hides who has
// which value; the others hide both.
TEST_F(WorthTest, GroupsAnswerInEveryForm) {
  std::string people = "id,age,sex,illness,note\n";
  const char* const ages[] = {"21", "25", "31", "38", "44", "59"};
  const char* const ills[] = {"flu", "cold", "gout", "HIV"};
  for (std::size_t i = 0; i < 60; ++i) {
    people += "p" + std::to_string(i) + "," + ages[i % 6] + (i % 5 < 2 ? ",f," : ",m,") +
              ills[i / 3 % 4] + ",x\n";
  }
  const std::string table = Write("t.csv", people);
  double anatomy = 0;
  for (const std::string form : {"anatomy", "generalized", "partitions"}) {
    const std::string policy =
        WritePolicy("model = \"m-invariance\"\nm = 2\nform = \"" + form + "\"\n");
    contract::PublishRequest request = Request(policy, table);
    request.vault = Path("vault-" + form);
    request.out = Path(form + ".csv");
    const auto published = engine::Publish(request, context_);
    ASSERT_TRUE(published) << published.error().ToString();
    const auto report = TryToMeasure({table, request.out});
    ASSERT_TRUE(report) << report.error().ToString();
    const auto& worth = report->findings.As<models::invariance::service::Metrics>().worth;
    ASSERT_EQ(worth.queries.size(), 5u);
    double sum = 0;
    for (const auto& error : worth.queries) sum += error.mean;
    EXPECT_GT(sum, 0);
    ASSERT_EQ(worth.columns.size(), 2u);
    ASSERT_EQ(worth.pairs.size(), 3u);
    const auto& columns = worth.pairs[0];
    if (form == "anatomy") {
      anatomy = sum;
      EXPECT_GT(worth.columns[0].kept, 0.99);
      EXPECT_NEAR(columns.raw, columns.published, 0.05);  // but for counterfeits
    } else {
      EXPECT_LT(worth.columns[0].kept, 0.99);
      EXPECT_GT(sum, anatomy);
    }
  }
}

// ---- held-out rows

// Whether somebody is young decides, but for noise that the tree prunes away.
std::string People(std::size_t rows, bool published) {
  const std::vector<std::pair<std::string, std::string>> ages = {
      {"21", "20s"}, {"25", "20s"}, {"31", "30s"}, {"38", "30s"}, {"44", "old"}, {"59", "old"}};
  std::string text = published ? "age,sex,illness\n" : "id,age,sex,illness,note\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& [age, label] = ages[i % 6];
    const std::string ill = i % 6 < 4 ? "flu" : "gout";
    text += published ? label + ",*," + ill + "\n"
                      : "p" + std::to_string(i) + "," + age + "," + (i % 2 != 0 ? "f" : "m") + "," +
                            ill + ",x\n";
  }
  return text;
}

TEST_F(WorthTest, HeldOutRowsAreSeenThroughTheLabelsOfTheRelease) {
  WritePolicy("model = \"k\"\nk = 10\n");
  const std::string table = Write("t.csv", People(120, false));
  const std::string release = Write("r.csv", People(120, true));
  // Two of the six are not what the tree says.
  const std::string test =
      Write("test.csv",
            "age,sex,illness\n21,f,flu\n25,m,flu\n38,f,flu\n44,m,gout\n59,f,flu\n31,f,gout\n");
  contract::MeasureRequest request{table, release, "illness"};
  request.test = test;
  const binding::Detail detail = Measure(request);
  ASSERT_TRUE(detail.prediction);
  EXPECT_TRUE(detail.prediction->held_out);
  EXPECT_EQ(detail.prediction->train, 120u);
  EXPECT_EQ(detail.prediction->test, 6u);
  EXPECT_NEAR(detail.prediction->baseline_error, 2.0 / 6, 1e-12);
  EXPECT_NEAR(detail.prediction->release_error, 2.0 / 6, 1e-12);
  EXPECT_NEAR(detail.prediction->majority_error, 2.0 / 6, 1e-12);
  request.test.clear();
  EXPECT_FALSE(Measure(request).prediction->held_out);
}

// Men are shown by exact age, women as young or old: which label a row gets depends on another
// column, so that no column alone can tell.
TEST_F(WorthTest, AHeldOutRowFallsIntoTheNarrowestCellThatContainsIt) {
  WritePolicy("model = \"k\"\nk = 1\n");
  std::string raw = "id,age,sex,illness,note\n", published = "age,sex,illness\n";
  for (int i = 0; i < 40; ++i) {
    // Among men the 21 have flu and the 25 cold; among women it is the other way round for young.
    const std::string id = std::to_string(i);
    raw += "a" + id + ",21,m,flu,x\nb" + id + ",25,m,cold,x\nc" + id + ",21,f,gout,x\n";
    published += "21,m,flu\n25,m,cold\nyoung,f,gout\n";
  }
  const std::string test =
      Write("test.csv", "age,sex,illness\n21,m,flu\n25,m,cold\n21,f,gout\n25,f,gout\n");
  contract::MeasureRequest request{Write("t.csv", raw), Write("r.csv", published), "illness"};
  request.test = test;
  const binding::Detail detail = Measure(request);
  ASSERT_TRUE(detail.prediction);
  EXPECT_EQ(detail.prediction->release_error, 0);
}

TEST_F(WorthTest, NumbersThatTheTableDoesNotHaveFallIntoItsRanges) {
  Write("policy.toml",
        "title = \"T\"\n[columns]\nage = { role = \"quasi\", type = \"numeric\", breakpoints = [0, "
        "30, 60, 100] }\nill = { role = \"sensitive\" }\n[guarantee]\nmodel = \"k\"\nk = 2\n");
  std::string raw = "age,ill\n", published = "age,ill\n";
  for (int i = 0; i < 20; ++i) {
    raw += "10,no\n20,no\n50,yes\n70,yes\n";
    published += "\"[0,30)\",no\n\"[0,30)\",no\n\"[30,60)\",yes\n70,yes\n";
  }
  const std::string test = Write("test.csv", "age,ill\n15,no\n29.5,no\n31,yes\n99,yes\n120,yes\n");
  contract::MeasureRequest request{Write("t.csv", raw), Write("r.csv", published), "ill"};
  request.test = test;
  const binding::Detail detail = Measure(request);
  ASSERT_TRUE(detail.prediction);
  EXPECT_EQ(detail.prediction->test, 5u);
  EXPECT_EQ(detail.prediction->release_error, 0);
}

TEST_F(WorthTest, TestRowsThatCannotBeUsed) {
  WritePolicy("model = \"k\"\nk = 1\n");
  contract::MeasureRequest request{Write("t.csv", kSmall),
                                   Write("r.csv", "age,sex,illness\n20s,f,flu\n"), ""};
  request.test = Write("test.csv", "age,sex,illness\n21,f,flu\n");
  EXPECT_THAT(TryToMeasure(request).error().message, HasSubstr("--test needs a class"));
  request.class_column = "illness";
  Write("test.csv", "age,illness\n21,flu\n");
  const auto lacks = TryToMeasure(request);
  ASSERT_FALSE(lacks);
  EXPECT_EQ(lacks.error().place->column, "sex");
  Write("test.csv", "age,sex,illness\n21,f,flu\n21,zebra,flu\n");
  const auto unknown = TryToMeasure(request);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().place->line, 3u);
  EXPECT_THAT(unknown.error().ToString(), ::testing::Not(HasSubstr("zebra")));
}

// ---- codebooks

TEST_F(WorthTest, ACodebookSaysWhatLabelsStandFor) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 1\n");
  const std::string release =
      Write("r.csv", "age,sex,illness\nold,*,flu\n21,f,cold\nyoung,f,flu\n21,*,gout\n");
  const auto book =
      binding::MakeCodebook(io::ReadPolicy(context_.files, policy).value(), release, context_);
  ASSERT_TRUE(book) << book.error().ToString();
  EXPECT_EQ(book->file, "r.csv");
  EXPECT_EQ(book->rows, 4u);
  ASSERT_EQ(book->columns.size(), 3u);
  const auto& age = book->columns[0];
  EXPECT_EQ(age.role, "quasi");
  ASSERT_EQ(age.labels.size(), 3u);  // in the order of the taxonomy
  EXPECT_EQ(age.labels[0].text, "young");
  EXPECT_THAT(age.labels[0].leaves, ElementsAre("21", "25", "31", "38"));
  EXPECT_EQ(age.labels[1].text, "21");
  EXPECT_EQ(age.labels[1].rows, 2u);
  EXPECT_THAT(age.labels[1].leaves, ElementsAre("21"));
  EXPECT_EQ(age.labels[2].text, "old");
  EXPECT_EQ(book->columns[1].labels[0].text, "*");
  EXPECT_THAT(book->columns[1].labels[0].leaves, ElementsAre("f", "m"));
  EXPECT_EQ(book->columns[2].role, "sensitive");
  EXPECT_EQ(book->columns[2].values, 3u);
  EXPECT_TRUE(book->columns[2].labels.empty());
}

TEST_F(WorthTest, ACodebookSaysWhatRangesStandFor) {
  Write("policy.toml",
        "title = \"T\"\n[columns]\nage = { role = \"quasi\", type = \"numeric\" }\npay = { role = "
        "\"quasi\", type = \"numeric\", breakpoints = [0, 10, 20] }\nzip = { role = \"quasi\" }\n"
        "id = { role = \"identifier\" }\nill = { role = \"sensitive\" }\n[guarantee]\nmodel = "
        "\"m-invariance\"\nm = 2\n");
  const std::string release =
      Write("r.csv",
            "age,pay,zip,ill,group\n\"[20,30)\",*,*,flu,1\n"
            "\"[5,30]\",\"[0,10)\",53000,flu,1\n7,*,*,cold,2\n*,*,*,cold,2\n");
  const io::Policy policy = io::ReadPolicy(context_.files, Path("policy.toml")).value();
  const auto book = binding::MakeCodebook(policy, release, context_);
  ASSERT_TRUE(book) << book.error().ToString();
  std::vector<std::string> words;
  for (std::size_t column = 0; column < 3; ++column) {
    for (const auto& label : book->columns[column].labels) words.push_back(label.words);
  }
  EXPECT_THAT(words, ElementsAre("any number", "at least 5, at most 30", "7",
                                 "at least 20, less than 30", "at least 0, less than 20",
                                 "at least 0, less than 10", "any value", "53000"));
  EXPECT_EQ(book->columns[4].role, "");  // of the group the policy says nothing
  Write("r.csv", "id,age,pay,zip,ill\na,7,*,*,flu\n");
  const auto refused = binding::MakeCodebook(policy, release, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().place->column, "id");
}

TEST_F(WorthTest, ACodebookOfAnotherFileIsRefusedWithoutNamingALabel) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 1\n");
  const std::string release = Write("r.csv", "age,sex,illness\nold,f,flu\nancient,f,flu\n");
  const auto book =
      binding::MakeCodebook(io::ReadPolicy(context_.files, policy).value(), release, context_);
  ASSERT_FALSE(book);
  EXPECT_EQ(book.error().place->line, 3u);
  EXPECT_THAT(book.error().ToString(), ::testing::Not(HasSubstr("ancient")));
}

}  // namespace
}  // namespace reissue
