// Random growing tables, published release after release: what readers have must keep the promise,
// and what they find in the files alone must be what the holder was told.

#include "reissue/models/bcf/service/report.h"
#include "series_fixture.h"

namespace reissue::models::bcf::service {
namespace {

using Pairs = std::vector<std::array<std::optional<std::uint64_t>, 3>>;

Pairs PairsOf(const SeriesFindings& series) {
  Pairs pairs;
  for (const PairAudit& pair : series.pairs) {
    pairs.push_back({pair.forward.anonymity, pair.cross.anonymity, pair.backward.anonymity});
  }
  return pairs;
}

class RandomSeriesTest : public SeriesEngineTest {
 protected:
  RandomSeriesTest() {
    Write("place.csv",
          "UK;Europe;*\nFrance;Europe;*\nItaly;Europe;*\nCanada;America;*\nPeru;America;*\n");
    Write("job.csv", "Lawyer;Office;*\nClerk;Office;*\nPainter;*;*\n");
  }

  // Which columns a table has.
  struct Shape {
    bool identifier = false, place = false, job = false, breakpoints = false, free = false,
         sets = false;
    int sensitive = 0;  // columns
  };

  // Numbers without breakpoints spread as the table grows.
  static Growing Grow(const Shape& shape, std::size_t rows, Random& random) {
    Growing growing;
    std::vector<std::string> names;
    std::vector<std::function<std::string(std::size_t)>> fields;
    const auto add = [&](bool wanted, const std::string& name, const std::string& role,
                         std::function<std::string(std::size_t)> field) {
      if (!wanted) return;
      growing.columns += name + " = { " + role + " }\n";
      growing.header += (growing.header.empty() ? "" : ",") + name;
      fields.push_back(std::move(field));
    };
    const auto one_of = [&random](std::vector<std::string> values) {
      return [&random, values](std::size_t) { return values[random.Below(values.size())]; };
    };
    add(shape.identifier, "id", "role = \"identifier\"",
        [](std::size_t i) { return "person-" + std::to_string(i); });
    add(shape.place, "place",
        shape.sets ? "role = \"quasi\", taxonomy = \"place.csv\", sets = true"
                   : "role = \"quasi\", taxonomy = \"place.csv\"",
        one_of({"UK", "France", "Canada", "Peru"}));
    add(shape.job, "job", "role = \"quasi\", taxonomy = \"job.csv\"",
        one_of({"Lawyer", "Clerk", "Painter"}));
    add(shape.breakpoints, "age",
        "role = \"quasi\", type = \"numeric\", breakpoints = [0, 30, 60, 90]",
        [&](std::size_t) { return std::to_string(random.Below(90)); });
    add(shape.free, "pay", "role = \"quasi\", type = \"numeric\"",
        [&](std::size_t i) { return std::to_string(10 + random.Below(12 + i / 4)); });
    add(shape.sensitive > 0, "illness", "role = \"sensitive\"",
        one_of({"flu", "flu", "cold", "\"gout, bad\""}));
    add(shape.sensitive > 1, "dose", "role = \"sensitive\", type = \"numeric\"",
        one_of({"1", "2", "2.0"}));
    for (std::size_t i = 0; i < rows; ++i) {
      std::string row;
      for (const auto& field : fields) row += (row.empty() ? "" : ",") + field(i);
      growing.rows.push_back(row);
    }
    return growing;
  }

  static std::string Guarantee(const Shape& shape, Random& random, bool local) {
    std::string text = "k = " + std::to_string(2 + random.Below(3)) + "\nbudget = 0.05\n";
    const char* searches[] = {"default", "greedy", "paper", "optimal"};
    const char* scores[] = {"discernibility", "distortion", "loss"};
    text += "search = \"" + std::string(searches[random.Below(local ? 2 : 4)]) + "\"\n";
    if (local) text += "recoding = \"local\"\ngrowth = 0.3\n";
    text += "score = \"" + std::string(scores[random.Below(3)]) + "\"\n";
    text += random.Below(3) == 0 ? "targets = \"real\"\n" : "";
    if (shape.sensitive == 0) return text;
    const char* more[] = {"distinct = 2\n", "entropy = 1.3\n",    "recursive = { c = 6, l = 2 }\n",
                          "alpha = 0.9\n",  "confidence = 0.9\n", "t = 0.6\n",
                          "beta = 3\n"};
    return text + (random.Below(2) == 0 ? more[random.Below(7)] : "");
  }

  // Reads the files as anybody could, and compares with what the holder was told.
  void CheckAsReader(const std::string& policy_file, const contract::PublishReport& report,
                     std::size_t count) {
    const io::Policy policy = io::ReadPolicy(context_.files, policy_file).value();
    const std::vector<std::string> files = Releases(count);
    const auto audit = engine::Audit(policy, files, context_);
    ASSERT_TRUE(audit) << audit.error().ToString();
    ASSERT_TRUE(audit->findings.If<SeriesFindings>() && report.audit.findings.If<SeriesFindings>());
    EXPECT_EQ(PairsOf(audit->findings.As<SeriesFindings>()),
              PairsOf(report.audit.findings.As<SeriesFindings>()));
    EXPECT_EQ(report.audit.findings.As<SeriesFindings>().pairs.size(), count * (count - 1) / 2);
    if (report.audit.findings.As<SeriesFindings>().targets == "any") {
      EXPECT_TRUE(audit->satisfied);
      ASSERT_EQ(audit->findings.As<SeriesFindings>().exact.has_value(),
                report.audit.findings.As<SeriesFindings>().exact.has_value());
      EXPECT_EQ(audit->findings.As<SeriesFindings>().exact->lower,
                report.audit.findings.As<SeriesFindings>().exact->lower);
      EXPECT_EQ(audit->findings.As<SeriesFindings>().exact->upper,
                report.audit.findings.As<SeriesFindings>().exact->upper);
    }
    const auto verified = engine::Verify(report.certificate, files, context_);
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_TRUE(verified->valid) << ::testing::PrintToString(verified->failures);
    const auto history = History();
    ASSERT_EQ(history.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(history[i].target, files[i]);
      EXPECT_EQ(history[i].number, i + 1);
      EXPECT_TRUE(history[i].file_present);
    }
    EXPECT_EQ(history.back().rows, report.rows_in);
  }

  // One series of two to six releases; a table that is refused grows on.
  void PublishOne(std::uint64_t seed, bool local = false, bool stars = false) {
    Random random = Random::Seeded(seed);
    Shape shape;
    shape.identifier = random.Below(2) != 0 || stars;
    shape.place = random.Below(3) != 0;
    shape.job = random.Below(2) != 0;
    shape.breakpoints = random.Below(3) == 0;
    shape.free = !shape.place || random.Below(3) == 0;
    shape.sensitive = static_cast<int>(random.Below(3));
    shape.sets = local && seed % 2 == 0;
    const Growing growing = Grow(shape, 300, random);
    const std::string policy = WritePolicyOf(
        growing, Guarantee(shape, random, local) + (stars ? "suppression = 0.2\n" : ""));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + Read("series.toml"));
    const std::size_t wanted = 2 + random.Below(5);
    std::size_t rows = (stars ? 60 : 20) + random.Below(40), published = 0;
    std::uint64_t starred = 0;
    for (std::size_t tries = 0; tries < 8 && published < wanted; ++tries) {
      const std::string table = WriteFirst(growing, rows, seed + tries);
      const auto files = Files();
      const contract::PublishRequest request = Next(policy, table, published + 1);
      const auto report = engine::Publish(request, context_);
      if (report) {
        ++published;
        ++releases_[published];
        EXPECT_EQ(report->release, published);
        EXPECT_EQ(report->rows_out, rows);
        EXPECT_LE(report->suppressed, rows / 5);
        EXPECT_GE(report->suppressed, starred);  // whoever is starred stays so
        newly_starred_ += report->suppressed > starred ? 1 : 0;
        starred = report->suppressed;
        ASSERT_NO_FATAL_FAILURE(CheckAsReader(policy, *report, published));
      } else {
        ++refused_;
        ASSERT_EQ(report.error().code, ErrorCode::kPromise) << report.error().ToString();
        EXPECT_EQ(Files(), files);
        EXPECT_EQ(History().size(), published);
      }
      rows += random.Below(4) == 0 ? 0 : random.Below(30);
    }
    StartAnew();
  }

  std::map<std::size_t, int> releases_;  // how many n-th releases there are
  int refused_ = 0, newly_starred_ = 0;
};

TEST_F(RandomSeriesTest, WhatIsPublishedSatisfiesItsReaders) {
  constexpr int kSeries = 40;
  for (std::uint64_t seed = 1; seed <= kSeries; ++seed) {
    ASSERT_NO_FATAL_FAILURE(PublishOne(seed));
    if (HasFailure()) return;
  }
  for (const auto& [number, count] : releases_) {
    std::cout << "release " << number << ": " << count << " times\n";
  }
  std::cout << "refused: " << refused_ << "\n";
  EXPECT_GE(releases_[1], kSeries * 8 / 10);
  EXPECT_GE(releases_[2], kSeries / 2);
  EXPECT_GE(releases_[4], kSeries / 5);
  EXPECT_GE(refused_, 1);
}

TEST_F(RandomSeriesTest, BoxesSatisfyTheirReadersToo) {
  constexpr int kSeries = 40;
  for (std::uint64_t seed = 101; seed <= 100 + kSeries; ++seed) {
    ASSERT_NO_FATAL_FAILURE(PublishOne(seed, true));
    if (HasFailure()) return;
  }
  EXPECT_GE(releases_[1], kSeries * 8 / 10);
  EXPECT_GE(releases_[2], kSeries / 2);
  EXPECT_GE(releases_[4], kSeries / 5);
}

TEST_F(RandomSeriesTest, StarsSatisfyTheirReadersToo) {
  constexpr int kSeries = 40;
  for (std::uint64_t seed = 201; seed <= 200 + kSeries; ++seed) {
    ASSERT_NO_FATAL_FAILURE(PublishOne(seed, true, true));
    if (HasFailure()) return;
  }
  std::cout << "releases with new stars: " << newly_starred_ << "\n";
  EXPECT_GE(releases_[2], kSeries / 2);
  EXPECT_GE(releases_[3], kSeries / 5);
  EXPECT_GE(newly_starred_, kSeries / 4);
}

// First releases of other tools: labels and ones above them in one column.
TEST_F(RandomSeriesTest, StarredReleasesGoOn) {
  int adopted = 0, published = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    Shape shape;
    shape.identifier = seed % 2 == 0;
    shape.place = shape.job = true;
    shape.sensitive = seed % 3 == 0 ? 0 : 1;
    const Growing growing = Grow(shape, 120, random);
    const std::string policy =
        WritePolicyOf(growing, std::string("k = 2\nbudget = 0.05\n") +
                                   (seed % 4 == 0 ? "targets = \"real\"\n" : ""));
    std::string text = shape.sensitive == 0 ? "place,job\n" : "place,job,illness\n";
    for (std::size_t i = 0; i < 60; ++i) {
      std::string row =
          growing.rows[i].substr(shape.identifier ? growing.rows[i].find(',') + 1 : 0);
      if (random.Below(4) == 0) row.replace(0, row.find(','), "*");
      const std::size_t job = row.find(',') + 1;
      row.replace(job, std::min(row.find(',', job), row.size()) - job, "*");
      text += row + "\n";
    }
    Write("1.csv", text);
    const auto taken = engine::Adopt(Taking(policy, {Path("1.csv")}), context_);
    ASSERT_TRUE(taken) << taken.error().ToString();
    adopted += taken->recorded ? 1 : 0;
    std::size_t count = 1;
    for (std::size_t rows = 80; rows <= 120 && taken->recorded; rows += 20) {
      const auto report =
          engine::Publish(Next(policy, WriteFirst(growing, rows), count + 1), context_);
      if (!report) {
        ASSERT_EQ(report.error().code, ErrorCode::kPromise) << report.error().ToString();
        continue;
      }
      ++count;
      ++published;
      ASSERT_NO_FATAL_FAILURE(CheckAsReader(policy, *report, count));
    }
    StartAnew();
  }
  std::cout << "adopted: " << adopted << ", published after that: " << published << "\n";
  EXPECT_GE(adopted, 10);
  EXPECT_GE(published, 10);
}

}  // namespace
}  // namespace reissue::models::bcf::service
