#include "reissue/binding/persons.h"

#include "files_fixture.h"

namespace reissue::binding {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PersonsTest : public FilesTest {
 protected:
  PersonsTest() {
    Write("sex.csv", "f;*\nm;*\n");
    policy_ = io::ReadPolicy(context_.files,
                             Write("p.toml",
                                   "title = \"T\"\n[columns]\nid = { role = \"identifier\" }\n"
                                   "sex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
                                   "[guarantee]\nmodel = \"bcf\"\nk = 1\n"))
                  .value();
  }
  HolderTable Table(const std::vector<std::string>& identifiers, ledger::Vault& vault) {
    std::string text = "id,sex\n";
    for (const std::string& id : identifiers) text += id + ",f\n";
    return LoadTable(policy_, Write("t.csv", text), context_, {}, vault.Hash().value()).value();
  }
  // A vault with one release and this record of people.
  ledger::Vault VaultWith(const std::optional<std::string>& persons) {
    std::filesystem::remove_all(Path("vault"));
    ledger::Passphrase none;
    none.none = true;
    auto vault =
        ledger::Vault::Create(context_.files, Path("vault"),
                              {"bcf", "T", policy_.text, policy_.digest, Path("p.toml")}, none)
            .value();
    if (!persons) return vault;
    ledger::Vault::Adopted release;
    release.record.target = Path("1.csv");
    release.secrets.emplace_back(Persons::kSecret, *persons);
    EXPECT_TRUE(vault.Adopt({release}));
    return vault;
  }
  Result<std::optional<Persons>> Load(const std::string& bytes) {
    ledger::Vault vault = VaultWith(bytes);
    return Persons::Load(vault);
  }

  io::Policy policy_;
};

TEST_F(PersonsTest, BirthsAreKept) {
  ledger::Vault vault = VaultWith("");
  Persons first, second, third;
  const auto one = Persons::Arrive(Table({"anna", "bert"}, vault), std::nullopt, 1, first).value();
  EXPECT_THAT(one.birth_of_person, ElementsAre(1, 1));
  EXPECT_EQ(one.newcomers, 2u);
  EXPECT_TRUE(one.all_known);
  const auto two =
      Persons::Arrive(Table({"cleo", "bert", "anna"}, vault), first, 2, second).value();
  EXPECT_THAT(two.birth_of_person, ElementsAre(2, 1, 1));
  EXPECT_EQ(two.newcomers, 1u);
  EXPECT_EQ(two.vanished, 0u);
  const auto three =
      Persons::Arrive(Table({"anna", "dora", "cleo"}, vault), second, 3, third).value();
  EXPECT_THAT(three.birth_of_person, ElementsAre(1, 3, 2));
  EXPECT_EQ(three.newcomers, 1u);
  EXPECT_EQ(three.vanished, 1u);
  EXPECT_EQ(third.size(), 3u);
}

TEST_F(PersonsTest, NobodyKnowsTheBirthsOfAnAdoptedSeries) {
  ledger::Vault vault = VaultWith("");
  Persons second, third;
  const auto two = Persons::Arrive(Table({"anna"}, vault), std::nullopt, 2, second).value();
  EXPECT_THAT(two.birth_of_person, ElementsAre(0));
  EXPECT_FALSE(two.all_known);
  EXPECT_EQ(two.vanished, 0u);
  const auto three = Persons::Arrive(Table({"bert", "anna"}, vault), second, 3, third).value();
  EXPECT_THAT(three.birth_of_person, ElementsAre(3, 0));
  EXPECT_FALSE(three.all_known);
  EXPECT_EQ(three.newcomers, 1u);
}

TEST_F(PersonsTest, WhatIsSavedIsFoundAgainAndNamesNobody) {
  std::vector<std::string> many;
  for (int i = 0; i < 300; ++i) many.push_back("person" + std::to_string(i));
  ledger::Vault maker = VaultWith(std::nullopt);
  Persons before;
  ASSERT_FALSE(Persons::Load(maker).value().has_value());
  ASSERT_TRUE(Persons::Arrive(Table(many, maker), std::nullopt, 1, before));
  const std::string bytes = before.Save();
  EXPECT_EQ(bytes.find("person"), std::string::npos);
  ledger::Vault::Adopted release;
  release.record.target = Path("1.csv");
  release.secrets.emplace_back(Persons::kSecret, bytes);
  ASSERT_TRUE(maker.Adopt({release}));
  const auto loaded = Persons::Load(maker).value();
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->Save(), bytes);
  // The order of the rows tells nothing.
  std::reverse(many.begin(), many.end());
  Persons other;
  ASSERT_TRUE(Persons::Arrive(Table(many, maker), std::nullopt, 1, other));
  EXPECT_EQ(other.Save(), bytes);
}

TEST_F(PersonsTest, AmongManyEverybodyKeepsTheirBirth) {
  ledger::Vault vault = VaultWith("");
  std::vector<std::string> many;
  for (int i = 0; i < 500; ++i) many.push_back("person" + std::to_string(i * 7919 % 500));
  const auto numbered = [](const std::string& name) { return std::stoi(name.substr(6)); };
  Persons first, second;
  std::vector<std::string> some;
  for (const std::string& name : many) {
    if (numbered(name) < 300) some.push_back(name);
  }
  ASSERT_TRUE(Persons::Arrive(Table(some, vault), std::nullopt, 1, first));
  std::erase(many, "person17");
  const HolderTable table = Table(many, vault);
  const auto arrival = Persons::Arrive(table, first, 2, second).value();
  ASSERT_EQ(table.persons.size(), 499u);
  for (std::size_t i = 0; i < table.persons.size(); ++i) {
    const int number = numbered(many[i]);
    ASSERT_EQ(arrival.birth_of_person[i], number < 300 ? 1u : 2u) << number;
  }
  EXPECT_EQ(arrival.newcomers, 200u);
  EXPECT_EQ(arrival.vanished, 1u);
}

TEST_F(PersonsTest, DamageIsNoticed) {
  const std::string known = "sixteen bytes...";  // a key
  EXPECT_TRUE(Load(known + std::string({1, 0, 0, 0})));
  // No whole record; and somebody who was born after the last release, or long after it.
  for (const std::string& bytes : {known, known + std::string({2, 0, 0, 0}), known + "late"}) {
    const auto loaded = Load(bytes);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::kMachine);
    EXPECT_THAT(loaded.error().message, HasSubstr("makes no sense"));
  }
}

}  // namespace
}  // namespace reissue::binding
