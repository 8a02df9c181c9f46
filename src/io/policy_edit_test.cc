#include "reissue/io/policy_edit.h"

#include <gtest/gtest.h>

namespace reissue::io {
namespace {

constexpr char kPolicy[] =
    "# The ward.\n"
    "title = \"Ward\"  # for people\n"
    "\n"
    "[columns]\n"
    "# who\n"
    "id = { role = \"identifier\" }\n"
    "age = { role = \"quasi\", breakpoints = [0, 20, 40] } # years\n"
    "\"zip code\" = { role = \"quasi\", taxonomy = \"zip.csv\" }\n"
    "\n"
    "# what is promised\n"
    "[guarantee]\n"
    "model = \"k\"\n"
    "k = 5 # enough\n"
    "list = [\n"
    "  1, # one\n"
    "]\n";

std::string Edited(const std::vector<std::string>& settings, std::string text = kPolicy) {
  const auto edit = EditPolicy(text, "p.toml", settings);
  return edit ? edit->text : "error: " + edit.error().ToString();
}
std::string With(std::string_view from, std::string_view to) {
  std::string text = kPolicy;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(PolicyEdit, ReplacesInPlaceAndKeepsComments) {
  EXPECT_EQ(Edited({"guarantee.k=10"}), With("k = 5 #", "k = 10 #"));
  EXPECT_EQ(Edited({"columns.age.role=sensitive"}),
            With("age = { role = \"quasi\"", "age = { role = \"sensitive\""));
  EXPECT_EQ(Edited({"columns.age.breakpoints=[0, 50]"}), With("[0, 20, 40]", "[0, 50]"));
  EXPECT_EQ(Edited({"title=7"}), With("\"Ward\"", "\"7\""));
  EXPECT_EQ(Edited({"title=a \"b\" \\ c"}), With("\"Ward\"", "\"a \\\"b\\\" \\\\ c\""));
}

TEST(PolicyEdit, AddsWhatIsNotThere) {
  EXPECT_EQ(Edited({"guarantee.recoding=local"}), std::string(kPolicy) + "recoding = \"local\"\n");
  EXPECT_EQ(Edited({"columns.age.weight=2"}), With("40] }", "40], weight = 2 }"));
  EXPECT_EQ(Edited({"columns.zip code.weight=2"}),
            With("\"zip.csv\" }", "\"zip.csv\", weight = 2 }"));
  EXPECT_EQ(Edited({"columns.\"zip code\".weight=2"}), Edited({"columns.zip code.weight=2"}));
  EXPECT_EQ(Edited({"columns.job.title.role=drop"}),
            With("\"zip.csv\" }\n", "\"zip.csv\" }\n\"job.title\" = { role = \"drop\" }\n"));
  EXPECT_EQ(Edited({"table.missing=value"}),
            std::string(kPolicy) + "\n[table]\nmissing = \"value\"\n");
  EXPECT_EQ(Edited({"title=x"}, "# all\n\n# two\n[columns]\n"),
            "# all\n\ntitle = \"x\"\n# two\n[columns]\n");
  EXPECT_EQ(Edited({"columns.a.role=drop"}, "[columns]\na = {}"),
            "[columns]\na = { role = \"drop\" }");
  EXPECT_EQ(Edited({"columns.a.role=drop"}, "[columns.a]\n# here\nweight = 1\n[columns.b]\n"),
            "[columns.a]\n# here\nweight = 1\nrole = \"drop\"\n[columns.b]\n");
}

TEST(PolicyEdit, Removes) {
  EXPECT_EQ(Edited({"columns.zip code.taxonomy="}), With(", taxonomy = \"zip.csv\"", ""));
  EXPECT_EQ(Edited({"columns.age.role="}), With(" role = \"quasi\", breakpoints", " breakpoints"));
  EXPECT_EQ(Edited({"guarantee.k="}), With("k = 5 # enough", "# enough"));
  EXPECT_EQ(Edited({"guarantee.model="}), With("model = \"k\"\n", ""));
  EXPECT_EQ(Edited({"guarantee.nothing="}), kPolicy);
}

TEST(PolicyEdit, OneAfterTheOther) {
  EXPECT_EQ(Edited({"columns.sex.role=quasi", "columns.sex.taxonomy=sex.csv"}),
            With("\"zip.csv\" }\n",
                 "\"zip.csv\" }\nsex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"));
}

TEST(PolicyEdit, RefusesWhatItCannotDo) {
  EXPECT_NE(Edited({"guarantee.list=[2]"}).find("p.toml:14"), std::string::npos);
  EXPECT_NE(Edited({"guarantee.k"}).find("no value"), std::string::npos);
  EXPECT_NE(Edited({"garantee.k=1"}).find("guarantee"), std::string::npos);
  EXPECT_NE(Edited({"columns.age=quasi"}).find("name the key"), std::string::npos);
  EXPECT_NE(Edited({"guarantee.=1"}).find("empty"), std::string::npos);
  EXPECT_EQ(Edited({"guarantee.k={ a = 1 }\nx = 2"}).find("\nx = 2"), std::string::npos);
  EXPECT_NE(Edited({"guarantee.a.b.c=1"}).find("not there"), std::string::npos);
  EXPECT_NE(Edited({"columns.age.weight=1 # }"}).find("error"), std::string::npos);
  EXPECT_NE(Edited({"k=1"}, "[guarantee\n").find("error"), std::string::npos);
}

TEST(PolicyEdit, SaysWhatChanged) {
  const auto edit = EditPolicy(kPolicy, "p.toml", {"guarantee.k=10", "guarantee.l=2"});
  ASSERT_TRUE(edit);
  EXPECT_EQ(edit->changes[0].line, 13u);
  EXPECT_EQ(edit->changes[0].before, "5");
  EXPECT_EQ(edit->changes[0].after, "10");
  EXPECT_EQ(edit->changes[1].line, 17u);
  EXPECT_EQ(edit->changes[1].before, "");
}

}  // namespace
}  // namespace reissue::io
