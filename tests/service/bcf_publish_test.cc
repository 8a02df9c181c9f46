// The second release and later ones, on files: what works, what is refused, and what is kept.

#include <array>

#include "people_fixture.h"
#include "reissue/models/bcf/service/earlier.h"
#include "reissue/models/bcf/service/report.h"

namespace reissue::models::bcf::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(PublishSeriesTest, NewcomersAreCounted) {
  const Growing growing = People(90, true);
  const std::string policy = WritePolicyOf(growing, "k = 3\n");
  const auto first = engine::Publish(Next(policy, WriteFirst(growing, 50), 1), context_);
  ASSERT_TRUE(first) << first.error().ToString();
  EXPECT_EQ(first->newcomers, 50u);
  EXPECT_EQ(first->earlier_releases, 0u);
  // The vault knows the policy.
  const auto second = engine::Publish(Next("", WriteFirst(growing, 70), 2), context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_EQ(second->newcomers, 20u);
  EXPECT_EQ(second->earlier_releases, 1u);
  const auto third = engine::Publish(Next("", WriteFirst(growing, 90), 3), context_);
  ASSERT_TRUE(third) << third.error().ToString();
  EXPECT_EQ(third->newcomers, 20u);
  EXPECT_EQ(third->audit.findings.As<SeriesFindings>().pairs.size(), 3u);
  EXPECT_TRUE(KeptTogether(policy, 3));
}

// Of a column of numbers the taxonomy, the table and a release of another tool spell each in a way
// of its own. Whoever verifies must read them as whoever audits.
TEST_F(PublishSeriesTest, NumbersAreKnownByTheirWorthInAuditAndVerifyAlike) {
  for (const auto& [own, published, raw] : std::vector<std::array<std::string, 3>>{
           {"5", "5.0", "5"}, {"5.0", "5", "5"}, {"5.0", "5.0", "5"}, {"5.00", "+5", "5.0"}}) {
    SCOPED_TRACE(own + " " + published + " " + raw);
    StartAnew();
    Write("age.csv", own + ";low;*\n6;low;*\n15;high;*\n16;high;*\n");
    Growing growing;
    growing.columns =
        "age = { role = \"quasi\", type = \"numeric\", taxonomy = \"age.csv\" }\n"
        "illness = { role = \"sensitive\" }\n";
    growing.header = "age,illness";
    for (const std::string& age : {raw, std::string("15"), std::string("6"), std::string("16")}) {
      growing.rows.push_back(age + ",flu");
      growing.rows.push_back(age + ",cold");
    }
    const std::string policy = WritePolicyOf(growing, "k = 2\n");
    Write("1.csv", "age,illness\n" + published + ",flu\n" + published +
                       ",cold\n15,flu\n15.0,cold\n15.0,flu\n15,cold\n");
    growing.rows.insert(growing.rows.end(), {"15,flu", "15,cold"});
    const auto adopted = engine::Adopt(Taking(policy, Releases(1)), context_);
    ASSERT_TRUE(adopted) << adopted.error().ToString();
    ASSERT_TRUE(adopted->recorded);
    const auto report =
        engine::Publish(Next(policy, WriteFirst(growing, growing.rows.size()), 2), context_);
    ASSERT_TRUE(report) << report.error().ToString();
    EXPECT_TRUE(KeptTogether(policy, 2));
    const auto verified = engine::Verify(report->certificate, Releases(2), context_);
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  }
}

TEST_F(PublishSeriesTest, TheSameTableAgainForOtherReaders) {
  for (const bool identifier : {false, true}) {
    const Growing growing = People(60, identifier);
    const std::string policy = WritePolicyOf(growing, "k = 3\n");
    const std::string table = WriteFirst(growing, 60);
    ASSERT_TRUE(engine::Publish(Next(policy, table, 1), context_));
    contract::PublishRequest request = Next(policy, table, 2);
    io::Setting loss;
    loss.kind = io::Setting::Kind::kText;
    loss.text = "loss";
    request.search = {{"score", loss}};
    const auto again = engine::Publish(request, context_);
    ASSERT_TRUE(again) << again.error().ToString();
    EXPECT_EQ(again->details.As<k::service::SearchDetails>().score, "loss");
    EXPECT_FALSE(again->audit.findings.As<SeriesFindings>().backward.has_value())
        << "nobody was added";
    EXPECT_TRUE(KeptTogether(policy, 2));
    const auto verified = engine::Verify(again->certificate, Releases(2), context_);
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid);
    if (identifier) {
      EXPECT_EQ(again->newcomers, 0u);
    }
    request.out = Path("3.csv");
    loss.text = "class";
    request.search = {{"score", loss}};
    ExpectRefused(request, ErrorCode::kUsage, "class column");
    StartAnew();
  }
}

TEST_F(PublishSeriesTest, RangesOfNumbersKeepTheirMeaning) {
  // First from 20 to 59; then also halves between; then beyond on both sides.
  Growing growing = Numbers({});
  const auto add = [&](const std::string& number) {
    growing.rows.push_back(number + (growing.rows.size() % 3 == 0 ? ",flu" : ",cold"));
  };
  for (int i = 20; i < 60; ++i) add(std::to_string(i));
  for (int i = 20; i < 60; ++i) add(std::to_string(i) + (i % 2 == 0 ? ".5" : ""));
  for (int i = 0; i < 40; ++i) add(std::to_string(i % 2 == 0 ? 2 + i % 7 : 70 + i % 9));
  const std::string policy = WritePolicyOf(growing, "k = 3\nscore = \"loss\"\n");
  for (std::size_t number = 1; number <= 3; ++number) {
    const auto report =
        engine::Publish(Next(policy, WriteFirst(growing, 40 * number), number), context_);
    ASSERT_TRUE(report) << report.error().ToString();
    EXPECT_TRUE(KeptTogether(policy, number));
    const auto verified = engine::Verify(report->certificate, Releases(number), context_);
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
  }
  EXPECT_GT(Labels("1.csv", 0).size(), 1u);
  EXPECT_GT(Labels("2.csv", 0).size(), 1u);
}

TEST_F(PublishSeriesTest, PeopleMayNotVanish) {
  const Growing growing = People(90, true);
  const std::string policy = WritePolicyOf(growing, "k = 3\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 1), context_));
  Growing others = growing;
  others.rows.erase(others.rows.begin() + 5);
  ExpectRefused(Next(policy, WriteFirst(others, 80), 2), ErrorCode::kInput,
                "1 person of earlier releases is not in this table");
  others.rows.erase(others.rows.begin() + 7);
  ExpectRefused(Next(policy, WriteFirst(others, 80), 2), ErrorCode::kInput,
                "2 people of earlier releases are not in this table");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 90), 2), context_));
}

TEST_F(PublishSeriesTest, RowsMayNotVanish) {
  const Growing growing = People(90, false);
  const std::string policy = WritePolicyOf(growing, "k = 3\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 1), context_));
  Growing others = growing;
  others.rows.erase(others.rows.begin(), others.rows.begin() + 40);
  ExpectRefused(Next(policy, WriteFirst(others, 30), 2), ErrorCode::kInput, "table.csv");
  ExpectRefused(Next(policy, WriteFirst(others, 50), 2), ErrorCode::kInput, "release 1");
  // A value that nobody has any more.
  others = growing;
  std::erase_if(others.rows, [](const std::string& row) { return row.ends_with("gout"); });
  ExpectRefused(Next(policy, WriteFirst(others, 50), 2), ErrorCode::kInput, "table.csv");
}

// Also where they were published as they are, and are not in the table any more.
TEST_F(PublishSeriesTest, NumbersMayNotVanish) {
  for (const std::string breakpoints : {"", ", breakpoints = [0, 7, 20]"}) {
    std::vector<int> numbers(10, 5);
    numbers.insert(numbers.end(), 50, 9);
    Growing growing = Numbers(numbers);
    growing.columns.insert(growing.columns.find(" }"), breakpoints);
    const std::string policy = WritePolicyOf(growing, "k = 3\n");
    ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 20), 1), context_));
    ASSERT_EQ(Labels("1.csv", 0), (std::set<std::string>{"5", "9"}));
    Growing others = growing;
    others.rows.erase(others.rows.begin(), others.rows.begin() + 10);
    ExpectRefused(Next(policy, WriteFirst(others, 50), 2), ErrorCode::kInput,
                  "10 of the 20 rows of release 1");
    StartAnew();
  }
}

TEST_F(PublishSeriesTest, WhoChangesIsNoticed) {
  for (const std::string targets : {"any", "real"}) {
    const Growing growing = People(120, true);
    const std::string policy =
        WritePolicyOf(growing, "k = 2\nscore = \"loss\"\ntargets = \"" + targets + "\"\n");
    ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 1), context_));
    ASSERT_GT(Labels("1.csv", 0).size(), 1u);
    for (const auto& [column, values] :
         {std::pair<int, std::vector<std::string>>{1, {"UK", "Peru"}},
          {2, {"Lawyer", "Painter"}},
          {3, {"flu", "a new illness"}}}) {
      Growing others = growing;
      auto fields = io::ReadRecords(others.rows[0], "row", ',').value()[0].fields;
      std::string& field = fields[static_cast<std::size_t>(column)];
      field = field == values[0] ? values[1] : values[0];
      others.rows[0] = fields[0] + "," + fields[1] + "," + fields[2] + "," + fields[3];
      const auto files = Files();
      const auto published = engine::Publish(Next(policy, WriteFirst(others, 120), 2), context_);
      ASSERT_FALSE(published) << column;
      EXPECT_EQ(published.error().code, ErrorCode::kInput) << published.error().ToString();
      EXPECT_THAT(published.error().ToString(), HasSubstr("have other values in this table"));
      EXPECT_THAT(published.error().ToString(), Not(HasSubstr("nr-0")));
      EXPECT_EQ(Files(), files);
    }
    // Somebody moves, and a newcomer comes in just the same place.
    Growing others = growing;
    others.rows[0] = "nr-0" + others.rows[1].substr(others.rows[1].find(','));
    others.rows[119] = "nr-119" + growing.rows[0].substr(growing.rows[0].find(','));
    ASSERT_NE(others.rows[0], growing.rows[0]);
    ExpectRefused(Next(policy, WriteFirst(others, 120), 2), ErrorCode::kInput,
                  "have other values in this table");
    StartAnew();
  }
}

TEST_F(PublishSeriesTest, EarlierFilesAreNotNeeded) {
  const Growing growing = People(90, false);
  const std::string policy = WritePolicyOf(growing, "k = 3\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 40), 1), context_));
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 2), context_));
  std::filesystem::create_directory(Path("archive"));
  std::filesystem::rename(Path("1.csv"), Path("archive/1.csv"));
  std::filesystem::rename(Path("2.csv"), Path("archive/2.csv"));
  const auto third = engine::Publish(Next(policy, WriteFirst(growing, 90), 3), context_);
  ASSERT_TRUE(third) << third.error().ToString();
  EXPECT_FALSE(History()[0].file_present);
  std::filesystem::rename(Path("archive/1.csv"), Path("1.csv"));
  std::filesystem::rename(Path("archive/2.csv"), Path("2.csv"));
  EXPECT_TRUE(KeptTogether(policy, 3));
  EXPECT_TRUE(engine::Verify(third->certificate, Releases(3), context_)->valid);
}

// A vault that does not know the first release makes a second one that exposes people with it.
TEST_F(PublishSeriesTest, ForgettingAReleaseExposesPeople) {
  const Growing growing = People(90, false);
  const std::string policy = WritePolicyOf(growing, "k = 3\nscore = \"loss\"\n");
  int broken = 0;
  for (std::size_t first = 30; first < 60; first += 5) {
    for (const std::size_t count : {first, first + 7}) {
      contract::PublishRequest request =
          Next(policy, WriteFirst(growing, count), count == first ? 1 : 2);
      request.vault = Path("vault-" + std::to_string(count));
      ASSERT_TRUE(engine::Publish(request, context_));
    }
    broken += KeptTogether(policy, 2) ? 0 : 1;
    StartAnew();
    for (const std::size_t count : {first, first + 7}) {
      std::filesystem::remove_all(Path("vault-" + std::to_string(count)));
    }
  }
  EXPECT_GE(broken, 3);
}

TEST_F(PublishSeriesTest, OtherModelsAndSettings) {
  const Growing growing = People(60, true);
  const std::string table = WriteFirst(growing, 60);
  const std::string suppression = WritePolicyOf(growing, "k = 3\nsuppression = 0.1\n");
  ExpectRefused(Next(suppression, table, 1), ErrorCode::kInput, "suppression");
  const std::string k = Write("k.toml", "title = \"K\"\n[columns]\n" + growing.columns +
                                            "[guarantee]\nmodel = \"k\"\nk = 3\n");
  ASSERT_TRUE(engine::Publish(Next(k, table, 1), context_));
  ExpectRefused(Next(k, table, 2), ErrorCode::kPromise, "adopt");
  // Another model is another policy, and so is another k.
  const std::string bcf = WritePolicyOf(growing, "k = 3\n");
  ExpectRefused(Next(bcf, table, 2), ErrorCode::kInput, "another policy");
}

TEST_F(PublishSeriesTest, TooFewNewcomers) {
  const Growing growing = People(90, false);
  const std::string policy = WritePolicyOf(growing, "k = 5\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 60), 1), context_));
  ExpectRefused(Next(policy, WriteFirst(growing, 62), 2), ErrorCode::kPromise, "2 rows were added");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 90), 2), context_));
  EXPECT_TRUE(KeptTogether(policy, 2));
}

TEST_F(PublishSeriesTest, OddValuesSurviveTheVault) {
  Growing growing = People(60, false);
  const std::vector<std::string> odd = {
      "\"a\nb\"", "\"say \"\"no\"\"\"", "\" space \"", "x;y\t", "#", "\"c,d\""};
  for (std::size_t i = 0; i < growing.rows.size(); ++i) {
    const std::string& row = growing.rows[i];
    growing.rows[i] = row.substr(0, row.rfind(',') + 1) + odd[i % odd.size()];
  }
  const std::string policy = WritePolicyOf(growing, "k = 2\n");
  for (std::size_t number = 1; number <= 3; ++number) {
    const auto report =
        engine::Publish(Next(policy, WriteFirst(growing, 20 * number), number), context_);
    ASSERT_TRUE(report) << report.error().ToString();
  }
  EXPECT_TRUE(KeptTogether(policy, 3));
}

TEST_F(PublishSeriesTest, AdoptedSeriesGoOn) {
  for (const bool identifier : {false, true}) {
    const Growing growing = People(120, identifier);
    const std::string policy = WritePolicyOf(growing, "k = 2\n");
    std::string text = "place,job,illness\n";
    for (std::size_t i = 0; i < 60; ++i) {
      const auto fields = io::ReadRecords(growing.rows[i], "row", ',').value()[0].fields;
      text += (fields[identifier ? 1 : 0] == "UK" || fields[identifier ? 1 : 0] == "France"
                   ? "Europe,*,"
                   : "America,*,") +
              fields.back() + "\n";
    }
    Write("1.csv", text);
    ASSERT_TRUE(engine::Adopt(Taking(policy, {Path("1.csv")}), context_)->recorded);
    const auto second = engine::Publish(Next(policy, WriteFirst(growing, 90), 2), context_);
    ASSERT_TRUE(second) << second.error().ToString();
    EXPECT_EQ(second->release, 2u);
    EXPECT_FALSE(second->newcomers.has_value()) << "nobody knows who was in release 1";
    const auto third = engine::Publish(Next(policy, WriteFirst(growing, 120), 3), context_);
    ASSERT_TRUE(third) << third.error().ToString();
    if (identifier) {
      EXPECT_EQ(third->newcomers, 30u);
    }
    EXPECT_TRUE(KeptTogether(policy, 3));
    EXPECT_TRUE(engine::Verify(third->certificate, Releases(3), context_)->valid);
    StartAnew();
  }
}

// Starred rows: a label and one above it in one column.
TEST_F(PublishSeriesTest, AdoptedStarredRowsGoOn) {
  for (const std::string targets : {"any", "real"}) {
    const Growing growing = People(120, false);
    const std::string policy = WritePolicyOf(growing, "k = 2\ntargets = \"" + targets + "\"\n");
    std::string text = "place,job,illness\n";
    for (std::size_t i = 0; i < 60; ++i) {
      const auto fields = io::ReadRecords(growing.rows[i], "row", ',').value()[0].fields;
      text += (i % 6 == 0 ? "*" : fields[0]) + ",*," + fields[2] + "\n";
    }
    Write("1.csv", text);
    ASSERT_TRUE(engine::Adopt(Taking(policy, {Path("1.csv")}), context_)->recorded);
    std::size_t published = 1;
    for (const std::size_t rows : {90u, 120u}) {
      const auto next =
          engine::Publish(Next(policy, WriteFirst(growing, rows), published + 1), context_);
      if (!next) {
        EXPECT_EQ(next.error().code, ErrorCode::kPromise) << next.error().ToString();
        continue;
      }
      ++published;
      if (targets == "any") {
        EXPECT_TRUE(KeptTogether(policy, published));
      }
      EXPECT_TRUE(engine::Verify(next->certificate, Releases(published), context_)->valid);
    }
    EXPECT_GE(published, 2u) << targets;
    StartAnew();
  }
}

// What is out and broken stays broken: no release can mend it, and none is made as if it did.
TEST_F(PublishSeriesTest, ABrokenReleaseIsNotMended) {
  Growing growing = People(0, false);
  const auto add = [&](const std::string& row, int times) {
    for (int i = 0; i < times; ++i) growing.rows.push_back(row);
  };
  // Shares that are far from those of release 1, and nearer to those of all rows now.
  add("UK,Lawyer,flu", 1);
  add("UK,Lawyer,cold", 9);
  add("Peru,Lawyer,flu", 60);
  add("Peru,Lawyer,cold", 130);
  Write("broken.csv", "place,job,illness\n" + Times("UK,*,flu", 1) + Times("UK,*,cold", 9) +
                          Times("Peru,*,flu", 50) + Times("Peru,*,cold", 50));
  for (const std::string promise :
       {"k = 11\n", "alpha = 0.8\n", "confidence = 0.8\n", "entropy = 1.7\n", "t = 0.25\n",
        "beta = 0.65\n", "recursive = { c = 3, l = 2 }\n"}) {
    SCOPED_TRACE(promise);
    const std::string policy = WritePolicyOf(growing, promise);
    contract::AdoptRequest request = Taking(policy, {Path("broken.csv")});
    request.anyway = true;
    const auto adopted = engine::Adopt(request, context_);
    ASSERT_TRUE(adopted) << adopted.error().ToString();
    ASSERT_FALSE(adopted->audit.satisfied);
    ExpectRefused(Next(policy, WriteFirst(growing, growing.rows.size()), 2), ErrorCode::kPromise,
                  "release");
    StartAnew();
  }
}

TEST_F(PublishSeriesTest, NothingRawIsLeftUnsealed) {
  Growing growing = People(90, true);
  for (std::string& row : growing.rows) row.replace(0, 3, "secretid-");
  const std::string policy = WritePolicyOf(growing, "k = 3\n");
  for (std::size_t number = 1; number <= 2; ++number) {
    contract::PublishRequest request = Next(policy, WriteFirst(growing, 30 + 30 * number), number);
    request.passphrase = {false, "open sesame"};
    const auto report = engine::Publish(request, context_);
    ASSERT_TRUE(report) << report.error().ToString();
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(Path("vault"))) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string bytes = Read("vault/" + entry.path().filename().string());
    for (const char* secret : {"secretid", "gout", "Painter,", "open sesame"}) {
      EXPECT_EQ(bytes.find(secret), std::string::npos) << entry.path() << " " << secret;
    }
  }
  EXPECT_GE(files, 1u);
  for (const std::string& file : Releases(2)) {
    EXPECT_THAT(Read(std::filesystem::path(file).filename()), Not(HasSubstr("secretid")));
    EXPECT_THAT(Read(std::filesystem::path(file).filename().string() + ".certificate.json"),
                Not(HasSubstr("secretid")));
  }
  Growing others = growing;
  others.rows.erase(others.rows.begin());
  contract::PublishRequest request = Next(policy, WriteFirst(others, 89), 3);
  request.passphrase = {false, "open sesame"};
  const auto refused = engine::Publish(request, context_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().ToString(), Not(HasSubstr("secretid")));
  request.passphrase.text = "wrong";
  EXPECT_FALSE(engine::Publish(request, context_));
}

}  // namespace
}  // namespace reissue::models::bcf::service
