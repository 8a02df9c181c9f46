#include "reissue/io/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_file_system.h"

namespace reissue::io {
namespace {

using ::testing::ElementsAre;

constexpr const char* kTail = "\n[guarantee]\nmodel = \"k\"\nk = 5\n";

Result<Policy> Parse(const std::string& text) {
  MemoryFileSystem files;
  files.Put("dir/p.toml", text);
  files.Put("dir/age.csv", "1;*\n");
  files.Put("/x/j.csv", "a;*");
  return ReadPolicy(files, "dir/p.toml");
}

// The error of a whole policy.
std::string ErrorOf(const std::string& text) {
  const Result<Policy> policy = Parse(text);
  return policy ? "accepted" : policy.error().ToString();
}

// The error of a policy whose [table] begins on line 1; keys from line 2 on.
std::string TableError(const std::string& keys) {
  return ErrorOf("[table]\n" + keys + "\n[columns]\na = { role = \"quasi\", type = \"numeric\" }" +
                 kTail);
}

// The error of a policy whose [columns] begins on line 1; columns from line 2 on.
std::string ColumnError(const std::string& columns) {
  return ErrorOf("[columns]\n" + columns + kTail);
}

TEST(ReadPolicy, ReadsEveryKey) {
  const Result<Policy> read = Parse(R"(title = "Hospital discharges"
[table]
separator = "tab"
header = false
columns = ["patient", "age", "job", "weight", "height", "disease", "note", "ward"]
trim = true
missing = "drop-row"
missing_markers = ["?", "", "NA"]
comment = "|"

[columns]
patient = { role = "identifier" }
weight  = { role = "quasi", type = "numeric" }
age     = { role = "quasi", taxonomy = "age.csv", type = "numeric" }
job     = { role = "quasi", taxonomy = "/x/j.csv" }
height  = { role = "quasi", breakpoints = [[0, 50, 100.5], [0, 100.5]] }
disease = { role = "sensitive", order = ["mild", "bad"] }
note    = { role = "drop" }
[columns.ward]
role = "publish"

[guarantee]
model = "k"
k = 5
t = 0.25
strict = true
recursive = { c = 2, l = 3 }
[[guarantee.anonymity]]
columns = ["a", "b"]
)");
  ASSERT_TRUE(read) << read.error().ToString();
  const Policy& policy = *read;
  EXPECT_EQ(policy.file, "dir/p.toml");
  EXPECT_EQ(policy.title, "Hospital discharges");
  EXPECT_EQ(policy.csv.separator, '\t');
  EXPECT_FALSE(policy.csv.header);
  EXPECT_EQ(policy.csv.columns.size(), 8u);
  EXPECT_TRUE(policy.csv.trim);
  EXPECT_EQ(policy.csv.on_missing, OnMissing::kDropRow);
  EXPECT_THAT(policy.csv.missing_markers, ElementsAre("?", "", "NA"));
  EXPECT_EQ(policy.csv.comment_prefix, "|");

  std::vector<std::string> names;
  for (const PolicyColumn& column : policy.columns) names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("patient", "weight", "age", "job", "height", "disease", "note",
                                 "ward"));  // the order of the file, not of the alphabet
  EXPECT_EQ(policy.Find("age")->taxonomy, "dir/age.csv");
  EXPECT_TRUE(policy.Find("age")->numeric);
  EXPECT_EQ(policy.Find("age")->line, 14u);
  EXPECT_EQ(policy.Find("job")->taxonomy, "/x/j.csv");
  EXPECT_FALSE(policy.Find("job")->numeric);
  EXPECT_TRUE(policy.Find("height")->numeric);
  EXPECT_THAT(policy.Find("height")->breakpoints,
              ElementsAre(ElementsAre(0, 50, 100.5), ElementsAre(0, 100.5)));
  EXPECT_THAT(policy.Find("disease")->order, ElementsAre("mild", "bad"));
  EXPECT_EQ(policy.Find("ward")->role, Role::kPublish);
  EXPECT_EQ(policy.Find("nobody"), nullptr);
  EXPECT_EQ(policy.WithRole(Role::kQuasi).size(), 4u);

  EXPECT_EQ(policy.guarantee_line, 22u);
  EXPECT_EQ(policy.Get("model")->text, "k");
  EXPECT_EQ(policy.Get("k")->number, 5);
  EXPECT_TRUE(policy.Get("k")->integer);
  EXPECT_EQ(policy.Get("k")->line, 24u);
  EXPECT_FALSE(policy.Get("t")->integer);
  EXPECT_TRUE(policy.Get("strict")->flag);
  EXPECT_EQ(policy.Get("recursive")->table[1].first, "l");
  EXPECT_EQ(policy.Get("anonymity")->list[0].table[0].second.list[1].text, "b");
  EXPECT_EQ(policy.Get("missing"), nullptr);
}

TEST(ReadPolicy, ReadsWhatBecomesOfOtherColumns) {
  const auto parse = [](const std::string& table) {
    return Parse(table + "[columns]\na = { role = \"quasi\", type = \"numeric\" }" + kTail).value();
  };
  EXPECT_FALSE(parse("").drops_others);
  EXPECT_FALSE(parse("[table]\nothers = \"error\"\n").drops_others);
  EXPECT_TRUE(parse("[table]\nothers = \"drop\"\n").drops_others);
  EXPECT_EQ(TableError("others = \"publish\""),
            "dir/p.toml:2: unknown way to treat other columns, \"publish\"\n"
            "  use one of: error, drop");
}

// Who drafts a taxonomy has none yet.
TEST(ReadPolicy, AloneNeedsNoOtherFile) {
  MemoryFileSystem files;
  files.Put("p.toml",
            std::string("[columns]\na = { role = \"quasi\", taxonomy = \"a.csv\" }") + kTail);
  EXPECT_FALSE(ReadPolicy(files, "p.toml"));
  const Result<Policy> alone = ReadPolicyAlone(files, "p.toml");
  ASSERT_TRUE(alone) << alone.error().ToString();
  EXPECT_EQ(alone->Find("a")->taxonomy, "a.csv");
  EXPECT_EQ(alone->digest, "");
}

TEST(ReadPolicy, HasDefaults) {
  const Policy policy =
      Parse(std::string("[columns]\na = { role = \"quasi\", breakpoints = [0, 5, 9] }") + kTail)
          .value();
  EXPECT_EQ(policy.title, "");
  EXPECT_FALSE(policy.csv.separator);
  EXPECT_TRUE(policy.csv.header);
  EXPECT_FALSE(policy.csv.trim);
  EXPECT_EQ(policy.csv.on_missing, OnMissing::kError);
  EXPECT_THAT(policy.csv.missing_markers, ElementsAre(""));
  EXPECT_THAT(policy.Find("a")->breakpoints, ElementsAre(ElementsAre(0, 5, 9)));
}

TEST(ReadPolicy, DigestCoversTheTextAndTheTaxonomies) {
  const std::string text =
      std::string("[columns]\na = { role = \"quasi\", taxonomy = \"a.csv\" }") + kTail;
  const auto digest = [](const std::string& policy, const std::string& taxonomy) {
    MemoryFileSystem files;
    files.Put("p.toml", policy);
    files.Put("a.csv", taxonomy);
    return ReadPolicy(files, "p.toml").value().digest;
  };
  EXPECT_EQ(digest(text, "1;*"), digest(text, "1;*"));
  EXPECT_NE(digest(text, "1;*"), digest(text, "2;*"));
  EXPECT_NE(digest(text, "1;*"), digest(text + "\n", "1;*"));
  EXPECT_EQ(digest(text, "1;*"), Digest(Digest(text) + "\n" + Digest("1;*")));
}

TEST(ReadPolicy, KnowledgeIsReadAndItsBeliefsAreInTheDigest) {
  MemoryFileSystem files;
  const auto read = [&](const std::string& knowledge) {
    files.Put("dir/p.toml",
              "[columns]\na = { role = \"quasi\", type = \"numeric\" }\n[guarantee]\nmodel = "
              "\"any\"\n[knowledge]\n" +
                  knowledge);
    return ReadPolicy(files, "dir/p.toml");
  };
  const std::string all =
      "prior = \"prior.csv\"\ntransition = \"next.csv\"\nsteps = 2\ncompromised = \"c.csv\"\n";
  EXPECT_EQ(read(all).error().ToString(),
            "dir/p.toml:6: the prior beliefs dir/prior.csv: " +
                files.Read("dir/prior.csv").error().message +
                "\n  correct the path, which is relative to the policy's directory, or make them "
                "with `reissue learn`, or write \"uniform\" or \"learned\"");
  EXPECT_TRUE(ReadPolicyWithoutBeliefs(files, "dir/p.toml"));
  files.Put("dir/prior.csv", "1");
  files.Put("dir/next.csv", "2");
  const Policy policy = read(all).value();  // the compromised file need not exist
  EXPECT_EQ(policy.knowledge_line, 5u);
  ASSERT_EQ(policy.knowledge.size(), 4u);
  EXPECT_EQ(policy.knowledge[1].first, "transition");
  EXPECT_EQ(policy.knowledge[1].second.text, "next.csv");
  EXPECT_EQ(policy.knowledge[1].second.line, 7u);
  EXPECT_EQ(policy.digest, Digest(Digest(policy.text) + "\n" + Digest("1") + "\n" + Digest("2")));
  const Policy plain = read("prior = \"uniform\"\ntransition = \"learned\"\n").value();
  EXPECT_EQ(plain.digest, Digest(Digest(plain.text)));
  EXPECT_EQ(Beside("dir/p.toml", "x.csv"), "dir/x.csv");
  EXPECT_EQ(Beside("dir/p.toml", "/x.csv"), "/x.csv");
  EXPECT_EQ(Beside("p.toml", "x.csv"), "x.csv");
}

TEST(ReadPolicy, TellsAboutSyntax) {
  const std::string remedy =
      "\n  correct the line: texts stand in quotes, a key occurs once, and a table `{ … }` stays "
      "on "
      "one line";
  EXPECT_EQ(
      ErrorOf("title = \"x\"\n[columns\n"),
      "dir/p.toml:2: not valid TOML: Error while parsing table header: expected ']', saw '\\n'" +
          remedy);
  EXPECT_EQ(ColumnError("a = { role = \"drop\" }\na = { role = \"drop\" }"),
            "dir/p.toml:3: not valid TOML: Error while parsing key-value pair: cannot redefine "
            "existing table 'a'" +
                remedy);
  EXPECT_EQ(ErrorOf("a" + std::string(100'000, '.')),
            "dir/p.toml:1: more than 200 dots in one key\n  nest tables less deeply");
  EXPECT_EQ(ErrorOf("title = \"x\"\n[~]\n"),
            "dir/p.toml:2: not valid TOML: Error while parsing key: expected bare key starting "
            "character or string delimiter, saw '~'" +
                remedy);
  EXPECT_EQ(ErrorOf(std::string("title = \"x\"\n[\0]", 16)),
            "dir/p.toml:2: a control character (byte 0x00)\n"
            "  save the policy as plain UTF-8 text");
  EXPECT_EQ(ErrorOf("[guarantee]\nx = 1979-05-27"),
            "dir/p.toml:2: a date or time, which no key takes\n"
            "  put it in quotes if it is meant as text");
  EXPECT_EQ(ErrorOf("[guarantee]\nx = nan"),
            "dir/p.toml:2: a number that is not finite\n  write a plain number");
}

TEST(ReadPolicy, AllowsAnyTextInQuotesAndComments) {
  const std::string dots(300, '.');
  const Result<Policy> policy =
      Parse("\xEF\xBB\xBFtitle = \"\"\"\nä\\\" " + dots +
            "\"\"\"\"  # ö\n[columns]\n\"größe\" = { role = 'quasi', type = "
            "'numeric' } # it's " +
            dots + "\n'ä\\' = { role = 'drop' }" + kTail);
  ASSERT_TRUE(policy) << policy.error().ToString();
  EXPECT_EQ(policy->title, "ä\" " + dots + "\"");
  EXPECT_EQ(policy->columns[0].name, "größe");
  EXPECT_EQ(policy->columns[1].name, "ä\\");
}

TEST(ReadPolicy, TellsAboutTheTopLevel) {
  EXPECT_EQ(ErrorOf("[colums]\n"),
            "dir/p.toml:1: unknown key \"colums\" at the top of the policy\n"
            "  did you mean \"columns\"? known are: title, source, table, columns, "
            "guarantee, inconsistent, knowledge");
  EXPECT_EQ(ErrorOf("zebra = 1\n"),
            "dir/p.toml:1: unknown key \"zebra\" at the top of the policy\n"
            "  known are: title, source, table, columns, guarantee, inconsistent, knowledge");
  EXPECT_EQ(ErrorOf("title = 1\n"),
            "dir/p.toml:1: \"title\" must be text, not a number\n  put it in quotes");
  EXPECT_EQ(ErrorOf("table = 1\n"),
            "dir/p.toml:1: [table] must be a table, not a number\n"
            "  see docs/formats/policy.md for examples");
  EXPECT_EQ(
      ErrorOf(""),
      "dir/p.toml: the policy has no [columns]\n"
      "  name every column of the table with its role, for example `age = { role = \"quasi\", "
      "taxonomy = \"age.csv\" }`");
  EXPECT_EQ(ErrorOf("columns = true"),
            "dir/p.toml:1: [columns] must be a table, not true or false\n"
            "  see docs/formats/policy.md for examples");
}

TEST(ReadPolicy, TellsAboutTheTable) {
  EXPECT_EQ(TableError("seperator = \";\""),
            "dir/p.toml:2: unknown key \"seperator\" in [table]\n"
            "  did you mean \"separator\"? known are: separator, header, columns, trim, missing, "
            "missing_markers, comment, others, encoding, decimal");
  EXPECT_EQ(TableError("header = \"no\""),
            "dir/p.toml:2: \"header\" in [table] must be true or false, not text\n"
            "  see docs/formats/policy.md for examples");
  EXPECT_EQ(TableError("separator = \":\""),
            "dir/p.toml:2: unknown separator \":\"\n"
            "  use \",\", \";\" or \"tab\", or leave the key out: it is recognised");
  EXPECT_EQ(TableError("missing = \"drop_row\""),
            "dir/p.toml:2: unknown way to treat missing values, \"drop_row\"\n"
            "  did you mean \"drop-row\"? use one of: error, drop-row, value");
  EXPECT_EQ(
      TableError("missing_markers = [\"?\", 0]"),
      "dir/p.toml:2: every item of \"missing_markers\" in [table] must be text, not a number\n"
      "  put it in quotes");
  EXPECT_EQ(TableError("comment = [\"|\"]"),
            "dir/p.toml:2: \"comment\" in [table] must be text, not a list\n  put it in quotes");
  EXPECT_EQ(TableError("header = false"),
            "dir/p.toml:1: header = false, but [table] does not name the columns\n"
            "  add `columns = [\"first\", \"second\", …]` with the names in file order");
  EXPECT_EQ(TableError("columns = [\"a\"]"),
            "dir/p.toml:2: \"columns\" in [table] is only for tables without a header\n"
            "  remove it, or add `header = false`");
  EXPECT_EQ(TableError("header = false\ncolumns = [\"a\", \"a\"]"),
            "dir/p.toml:3: \"a\" stands twice in \"columns\" in [table]\n  name each once");
  EXPECT_EQ(TableError("header = false\ncolumns = [\"a\", \"\"]"),
            "dir/p.toml:3: \"columns\" in [table] is empty or has an empty name\n"
            "  name every column of the file, in file order");
}

TEST(ReadPolicy, TellsAboutAColumn) {
  EXPECT_EQ(ColumnError("age = \"quasi\""),
            "dir/p.toml:2, column \"age\": a column must be a table, not text\n"
            "  write for example `{ role = \"drop\" }`");
  EXPECT_EQ(ColumnError("größe = { role = \"drop\" }"),
            "dir/p.toml:2: a letter beyond ASCII in a name without quotes\n"
            "  put the name in quotes, for example `\"größe\" = { … }`");
  EXPECT_EQ(ColumnError("\"\" = { role = \"drop\" }"),
            "dir/p.toml:2: a column without a name in [columns]\n  name the column");
  EXPECT_EQ(ColumnError("age = { type = \"numeric\" }"),
            "dir/p.toml:2, column \"age\": the column has no role\n"
            "  add `role = …`; the roles are: identifier, quasi, sensitive, publish, drop");
  EXPECT_EQ(ColumnError("age = { role = \"quazi\" }"),
            "dir/p.toml:2, column \"age\": unknown role \"quazi\"\n"
            "  did you mean \"quasi\"? the roles are: identifier, quasi, sensitive, publish, drop");
  EXPECT_EQ(
      ColumnError("age = { role = 1 }"),
      "dir/p.toml:2, column \"age\": \"role\" must be text, not a number\n  put it in quotes");
  EXPECT_EQ(ColumnError("age = { role = \"quasi\", taxonmy = \"age.csv\" }"),
            "dir/p.toml:2, column \"age\": unknown key \"taxonmy\"\n"
            "  did you mean \"taxonomy\"? a column knows: role, taxonomy, sets, levels, "
            "floor, ceiling, keep, weight, type, breakpoints, ranges, order");
  EXPECT_EQ(ColumnError("age = { role = \"quasi\", type = \"integer\" }"),
            "dir/p.toml:2, column \"age\": unknown type \"integer\"\n"
            "  the only type is \"numeric\"; leave the key out for anything else");
  EXPECT_EQ(ColumnError("age = { role = \"quasi\", ranges = \"data\" }"),
            "dir/p.toml:2, column \"age\": unknown ranges \"data\"\n"
            "  the only ones are \"round\"; leave the key out for ranges found from the data");
  EXPECT_EQ(ColumnError("age = { role = \"quasi\", taxonomy = \"\" }"),
            "dir/p.toml:2, column \"age\": \"taxonomy\" is empty\n"
            "  name the file, relative to the policy");
  const std::string breakpoints =
      "dir/p.toml:2, column \"age\": \"breakpoints\" must be a list of at least two numbers, or a "
      "list of such lists\n"
      "  write for example `breakpoints = [0, 20, 40, 60]`, or from the finest to the coarsest "
      "`[[0, 10, 20, 30, 40], [0, 20, 40]]`";
  for (const char* wrong : {"7", "[]", "[1]", "[1, \"2\"]", "[[1, 2], 3]", "[1, [2, 3]]", "[[]]"}) {
    EXPECT_EQ(ColumnError(std::string("age = { role = \"quasi\", breakpoints = ") + wrong + " }"),
              breakpoints);
  }
  EXPECT_EQ(ColumnError("d = { role = \"sensitive\", order = [] }"),
            "dir/p.toml:2, column \"d\": \"order\" is empty\n"
            "  list the values from the least to the greatest");
  EXPECT_EQ(ColumnError("d = { role = \"sensitive\", order = [\"x\", \"x\"] }"),
            "dir/p.toml:2, column \"d\": \"x\" stands twice in \"order\"\n  name each once");
}

TEST(ReadPolicy, TellsAboutLevels) {
  const std::string quasi = "age = { role = \"quasi\", breakpoints = [0, 5, 9], ";
  EXPECT_EQ(ColumnError(quasi + "floor = 1.5 }"),
            "dir/p.toml:2, column \"age\": \"floor\" must be a level: a whole number from 0\n"
            "  0 are the raw values, 1 is one step above them");
  EXPECT_EQ(ColumnError(quasi + "ceiling = true }"),
            "dir/p.toml:2, column \"age\": \"ceiling\" must be text, not true or false\n"
            "  put it in quotes");
  EXPECT_EQ(ColumnError(quasi + "floor = \"county\" }"),
            "dir/p.toml:2, column \"age\": \"county\" is no level of this column that has a name\n"
            "  name the levels, from the raw values up, for example `levels = [\"town\", "
            "\"county\", \"country\"]`, or write a number");
  EXPECT_EQ(ColumnError(quasi + "floor = \"conty\", levels = [\"town\", \"county\"] }"),
            "dir/p.toml:2, column \"age\": \"conty\" is no level of this column that has a name\n"
            "  did you mean \"county\"? the levels are: town, county");
  EXPECT_EQ(ColumnError(quasi + "ceiling = 1, floor = 2 }"),
            "dir/p.toml:2, column \"age\": the ceiling lies below the floor\n"
            "  levels count from the raw values up: the ceiling is at least the floor");
  EXPECT_EQ(ColumnError(quasi + "ceiling = 1, keep = true }"),
            "dir/p.toml:2, column \"age\": both `keep` and a ceiling\n"
            "  keep one of the two: `keep = true` is the floor as the ceiling");
  EXPECT_EQ(ColumnError("age = { role = \"quasi\", type = \"numeric\", floor = 1 }"),
            "dir/p.toml:2, column \"age\": a floor, a ceiling or `keep` needs a taxonomy or "
            "breakpoints\n"
            "  ranges that are found from the data have no levels: name a taxonomy or breakpoints, "
            "or remove the key");
  EXPECT_EQ(ColumnError("age = { role = \"publish\", floor = 1 }"),
            "dir/p.toml:2, column \"age\": floors are only for quasi-identifiers\n"
            "  remove `floor`, or change the role to \"quasi\"");
  EXPECT_EQ(ColumnError(quasi + "weight = 0 }"),
            "dir/p.toml:2, column \"age\": a weight must be a number from 0.001 to 1000\n"
            "  a column of weight 2 counts as much as two of weight 1");
}

TEST(ReadPolicy, TellsWhatDoesNotGoTogether) {
  EXPECT_EQ(ColumnError("job = { role = \"drop\", taxonomy = \"age.csv\" }"),
            "dir/p.toml:2, column \"job\": a taxonomy is only for quasi-identifiers and sensitive "
            "columns\n  remove `taxonomy`, or change the role");
  EXPECT_EQ(ColumnError("job = { role = \"sensitive\", breakpoints = [1, 2] }"),
            "dir/p.toml:2, column \"job\": breakpoints are only for quasi-identifiers\n"
            "  remove `breakpoints`, or change the role to \"quasi\"");
  EXPECT_EQ(ColumnError("a = { role = \"quasi\", breakpoints = [1, 2], taxonomy = \"age.csv\" }"),
            "dir/p.toml:2, column \"a\": both a taxonomy and breakpoints\n  keep one of the two");
  EXPECT_EQ(ColumnError("a = { role = \"publish\", ranges = \"round\" }"),
            "dir/p.toml:2, column \"a\": ranges are only for quasi-identifiers\n"
            "  remove `ranges`, or change the role to \"quasi\"");
  EXPECT_EQ(ColumnError("a = { role = \"quasi\", ranges = \"round\", breakpoints = [1, 2] }"),
            "dir/p.toml:2, column \"a\": both breakpoints and ranges\n  keep one of the two");
  EXPECT_EQ(ColumnError("a = { role = \"quasi\", ranges = \"round\", taxonomy = \"age.csv\" }"),
            "dir/p.toml:2, column \"a\": both a taxonomy and ranges\n  keep one of the two");
  EXPECT_EQ(ColumnError("a = { role = \"quasi\", taxonomy = \"age.csv\", order = [\"x\"] }"),
            "dir/p.toml:2, column \"a\": an order of values is only for sensitive columns\n"
            "  remove `order`, or change the role to \"sensitive\"");
  EXPECT_EQ(ColumnError("a = { role = \"identifier\" }\nb = { role = \"identifier\" }"),
            "dir/p.toml:3, column \"b\": a second identifier; \"a\" on line 2 is one already\n"
            "  keep the one that links a person across tables, and give the other `role = "
            "\"drop\"`");
  EXPECT_EQ(ColumnError("a = { role = \"sensitive\", taxonomy = \"age.csv\" }"),
            "dir/p.toml:1: no column has the role \"quasi\"\n"
            "  give that role to the columns by which somebody who knows a person could find them: "
            "age, sex, place, job, dates");
  EXPECT_EQ(
      ColumnError("a = { role = \"quasi\", taxonomy = \"none.csv\" }"),
      "dir/p.toml:2, column \"a\": the taxonomy dir/none.csv: cannot read this file: "
      "not there\n  correct the path, which is relative to the policy's directory, or make a first "
      "file with `reissue taxonomy draft`");
}

TEST(ReadPolicy, TellsAboutTheGuarantee) {
  const std::string columns = "[columns]\na = { role = \"quasi\", type = \"numeric\" }\n";
  EXPECT_EQ(ErrorOf(columns),
            "dir/p.toml: the policy has no [guarantee]\n"
            "  add what is promised, for example `[guarantee]` with `model = \"k\"` and `k = 5`");
  EXPECT_EQ(ErrorOf(columns + "[guarantee]\nk = 5\n"),
            "dir/p.toml:3: [guarantee] has no model\n  add for example `model = \"k\"`");
  EXPECT_EQ(
      ErrorOf(columns + "[guarantee]\nmodel = 5\n"),
      "dir/p.toml:4: \"model\" in [guarantee] must be text, not a number\n  put it in quotes");
  EXPECT_EQ(ErrorOf("guarantee = 5\n" + columns),
            "dir/p.toml:1: [guarantee] must be a table, not a number\n"
            "  see docs/formats/policy.md for examples");
  MemoryFileSystem none;
  EXPECT_EQ(ReadPolicy(none, "p.toml").error().ToString(),
            "p.toml: cannot read this file: not there");
}

TEST(Nearest, FindsSlipsOfTheFinger) {
  const std::vector<std::string> known = {"identifier", "quasi", "sensitive", "publish", "drop"};
  EXPECT_EQ(Nearest("qausi", known), "quasi");
  EXPECT_EQ(Nearest("Drop", known), "drop");
  EXPECT_EQ(Nearest("sensitve", known), "sensitive");
  EXPECT_EQ(Nearest("banana", known), "");
  EXPECT_EQ(Nearest("", known), "");
  EXPECT_EQ(Nearest("ab", {"ac"}), "");  // two letters: no edit allowed
  EXPECT_EQ(Nearest(std::string(10'000, 'x'), known), "");
}

TEST(ReadPolicy, InconsistentPairsAreAmongThePromises) {
  const std::string columns = "[columns]\na = { role = \"quasi\", type = \"numeric\" }";
  const Result<Policy> read = Parse(columns + kTail +
                                    "[[inconsistent]]\na = \"1\"\n\"prior.b\" = \"x\"\n"
                                    "[[inconsistent]]\na = \"2\"\n\"prior.b\" = \"y\"\n");
  ASSERT_TRUE(read) << read.error().ToString();
  const Setting* pairs = read->Get("inconsistent");
  ASSERT_NE(pairs, nullptr);
  ASSERT_EQ(pairs->list.size(), 2U);
  EXPECT_EQ(pairs->list[1].line, 9U);
  ASSERT_EQ(pairs->list[1].table.size(), 2U);
  EXPECT_EQ(pairs->list[1].table[1].first, "prior.b");
  EXPECT_EQ(pairs->list[1].table[1].second.text, "y");
  EXPECT_EQ(ErrorOf("inconsistent = \"sex\"\n" + columns + kTail),
            "dir/p.toml:1: \"inconsistent\" must be a list of tables\n"
            "  write each pair as `[[inconsistent]]` with two lines below it, for example `sex = "
            "\"Male\"` and `\"prior.condition\" = \"Pregnant\"`");
}

TEST(ReadWholePolicy, ListsEveryProblem) {
  MemoryFileSystem files;
  files.Put("p.toml",
            "tittle = 1\n[table]\nmissing = \"skip\"\nseparatr = 2\n[columns]\n"
            "a = { role = \"qausi\" }\nb = { rolle = \"quasi\", weight = \"heavy\" }\n"
            "c = { role = \"quasi\", type = \"numeric\" }\nd = { role = \"identifier\" }\n"
            "e = { role = \"identifier\" }\n[guarantee]\nk = 2\n");
  const PolicyReading reading = ReadWholePolicy(files, "p.toml");
  std::vector<std::uint64_t> lines;
  for (const Error& problem : reading.problems) lines.push_back(problem.place->line.value_or(0));
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{1, 3, 4, 6, 7, 7, 7, 10, 11}));
  EXPECT_TRUE(reading.has_columns);
  ASSERT_EQ(reading.policy.columns.size(), 5u);
  EXPECT_EQ(reading.policy.Find("c")->role, Role::kQuasi);
  EXPECT_EQ(reading.policy.Find("a")->role, Role::kDrop);
  // Who stops at the first problem meets the same one.
  EXPECT_EQ(ReadPolicy(files, "p.toml").error().ToString(), reading.problems[0].ToString());
}

}  // namespace
}  // namespace reissue::io
