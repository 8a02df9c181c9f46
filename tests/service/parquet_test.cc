// Tables and releases in Parquet through the engine, against the same in CSV.
#include <map>

#include "duckdb_files.h"
#include "engine_fixture.h"
#include "reissue/binding/rows.h"

namespace reissue {
namespace {

using ::reissue::testing::DuckDb;
using ::testing::HasSubstr;
using ::testing::Not;

class ParquetEngineTest : public EngineTest {
 protected:
  ParquetEngineTest() { context_.duckdb = DuckDb::LibraryPath(); }

  // The same table; DuckDB finds types for its columns, and may turn its rows round.
  std::string AsParquet(const std::string& csv, const std::string& order = "") {
    const std::string path = csv.substr(0, csv.rfind('.')) + ".parquet";
    DuckDb::Write("SELECT * FROM read_csv('" + csv + "', header = true) " + order, path);
    return path;
  }
  // Publishes into a vault of its own; the bytes of the release, empty where there is none.
  std::string Published(const std::string& policy, const std::string& table,
                        const std::string& out) {
    contract::PublishRequest request = Request(policy, table);
    request.vault = Path("vault-" + out);
    request.out = Path(out);
    const auto published = engine::Publish(request, context_);
    EXPECT_TRUE(published) << published.error().ToString();
    return published ? Read(out) : "";
  }
  // Every row of a release, and how often it is there.
  std::map<std::string, int> RowsOf(const std::string& name) {
    auto file = binding::ReadRows(Path(name), {}, context_);
    EXPECT_TRUE(file) << file.error().ToString();
    std::map<std::string, int> rows;
    for (std::size_t r = 0; file && r < file->table.rows(); ++r) {
      std::string row;
      for (const Column& column : file->table.columns()) {
        row += column.name() + "=" + std::string(column.text(RowId(r))) + ";";
      }
      ++rows[row];
    }
    return rows;
  }
  // Of rows in order.
  std::vector<std::string> ColumnOf(const std::string& name, const std::string& column) {
    auto file = binding::ReadRows(Path(name), {}, context_);
    std::vector<std::string> texts;
    for (std::size_t r = 0; file && r < file->table.rows(); ++r) {
      texts.emplace_back(file->table[*file->table.Find(column)].text(RowId(r)));
    }
    return texts;
  }
};

TEST_F(ParquetEngineTest, TheSameReleaseAsFromCsv) {
  const std::string csv = WriteTable(300, 3);
  const std::string parquet = AsParquet(csv, "ORDER BY hash(id)");
  for (const std::string guarantee :
       {"model = \"k\"\nk = 5\n", "model = \"k\"\nk = 4\nrecoding = \"local\"\n",
        "model = \"bcf\"\nk = 5\n"}) {
    const std::string policy = WritePolicy(guarantee);
    const std::string from_csv = Published(policy, csv, "from_csv.csv");
    EXPECT_EQ(Published(policy, parquet, "from_parquet.csv"), from_csv) << guarantee;
    EXPECT_THAT(from_csv, HasSubstr("age,sex,illness\n"));
    for (const char* name : {"from_csv.csv", "from_parquet.csv"}) {
      std::filesystem::remove(Path(name));
      std::filesystem::remove(Path(std::string(name) + ".certificate.json"));
      std::filesystem::remove_all(Path(std::string("vault-") + name));
    }
  }
}

TEST_F(ParquetEngineTest, AReleaseInParquetIsTheOneInCsv) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 5\ndistinct = 2\n");
  const std::string csv = WriteTable(200, 1);
  Published(policy, csv, "release.csv");
  const std::string bytes = Published(policy, AsParquet(csv), "release.parquet");
  EXPECT_EQ(bytes.substr(0, 4), "PAR1");
  EXPECT_EQ(RowsOf("release.parquet"), RowsOf("release.csv"));
  // In the same order, too: by the same chance.
  EXPECT_EQ(ColumnOf("release.parquet", "illness"), ColumnOf("release.csv", "illness"));
  EXPECT_THAT(bytes, Not(HasSubstr("private")));

  const auto read = io::ReadPolicy(context_.files, policy).value();
  const auto audit = engine::Audit(read, {Path("release.parquet")}, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_TRUE(audit->satisfied);
  EXPECT_GE(audit->smallest, 5u);
  const auto verified =
      engine::Verify(Path("release.parquet.certificate.json"), {Path("release.parquet")}, context_);
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_TRUE(verified->valid);
  EXPECT_THAT(verified->failures, ::testing::IsEmpty());
}

TEST_F(ParquetEngineTest, ASeriesGoesOnInParquet) {
  const std::string policy = WritePolicy("model = \"bcf\"\nk = 4\n");
  std::vector<std::string> releases;
  for (int number = 1; number <= 3; ++number) {
    const std::string table =
        AsParquet(WriteTable(100 * static_cast<std::size_t>(number), 9, "t.csv"));
    contract::PublishRequest request = Request(policy, table);
    request.out = Path("r" + std::to_string(number) + ".parquet");
    const auto published = engine::Publish(request, context_);
    ASSERT_TRUE(published) << published.error().ToString();
    releases.push_back(request.out);
  }
  const auto audit =
      engine::Audit(io::ReadPolicy(context_.files, policy).value(), releases, context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_TRUE(audit->satisfied);
}

TEST_F(ParquetEngineTest, AChangedReleaseIsNoticed) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 5\n");
  Published(policy, WriteTable(200, 1), "release.parquet");
  DuckDb::Write("SELECT * FROM read_parquet('" + Path("release.parquet") + "') LIMIT 150",
                Path("shorter.parquet"));
  const auto verified =
      engine::Verify(Path("release.parquet.certificate.json"), {Path("shorter.parquet")}, context_);
  ASSERT_TRUE(verified) << verified.error().ToString();
  EXPECT_FALSE(verified->valid);
}

TEST_F(ParquetEngineTest, ADryRunWritesNothing) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 5\n");
  contract::PublishRequest request = Request(policy, AsParquet(WriteTable(200, 1)));
  request.out = Path("release.parquet");
  const auto tried = engine::DryRun(request, context_);
  ASSERT_TRUE(tried) << tried.error().ToString();
  EXPECT_FALSE(std::filesystem::exists(Path("release.parquet")));
  EXPECT_FALSE(std::filesystem::exists(Path("vault")));
}

TEST_F(ParquetEngineTest, WithoutTheLibraryNothingIsBegun) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 5\n");
  contract::PublishRequest request = Request(policy, WriteTable(200, 1));
  request.out = Path("release.parquet");
  context_.duckdb = "/nonexistent/libduckdb.so";
  const auto published = engine::Publish(request, context_);
  ASSERT_FALSE(published);
  EXPECT_EQ(published.error().code, ErrorCode::kUsage);
  EXPECT_THAT(published.error().remedy, HasSubstr("--duckdb"));
  EXPECT_FALSE(std::filesystem::exists(Path("vault")));
}

TEST_F(ParquetEngineTest, ReleasesInGroupsAreCsv) {
  const std::string policy = WritePolicy("model = \"m-invariance\"\nm = 2\n");
  contract::PublishRequest request = Request(policy, AsParquet(WriteTable(200, 1)));
  request.out = Path("release.parquet");
  const auto published = engine::Publish(request, context_);
  ASSERT_FALSE(published);
  EXPECT_THAT(published.error().message, HasSubstr("several files in CSV"));
  request.out = Path("release.csv");
  const auto csv = engine::Publish(request, context_);
  EXPECT_TRUE(csv) << csv.error().ToString();
}

// Values are marked, and looked for wherever a publication that fails leaves something.
TEST_F(ParquetEngineTest, NoValueGetsIntoAnError) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 5\n");
  Write("t.csv", "id,age,sex,illness,note\np1,MARKED,f,MARKED,n\np2,21,m,flu,n\n");
  const auto published = engine::Publish(Request(policy, AsParquet(Path("t.csv"))), context_);
  ASSERT_FALSE(published);
  EXPECT_THAT(published.error().ToString(), Not(HasSubstr("MARKED")));
  EXPECT_THAT(published.error().ToString(), HasSubstr("t.parquet"));
}

}  // namespace
}  // namespace reissue
