#include "reissue/binding/grouped/release.h"

#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "files_fixture.h"
#include "reissue/io/csv.h"

namespace reissue::binding {
namespace {

constexpr char kAwkward[] = "of a name that is longer than most, and has a \"comma\" in it";

std::string Field(const std::string& text) {
  std::string field;
  io::AppendField(field, text);
  return field;
}

std::vector<std::uint32_t> SomeCodes(std::size_t count, std::size_t below, Random& random) {
  std::vector<std::uint32_t> codes(count);
  for (std::uint32_t& code : codes) code = static_cast<std::uint32_t>(random.Below(below));
  return codes;
}

// Few columns and many, with few texts and many; some entries are left out where that is wanted.
GroupedRelease SomeRelease(bool leave_out, Random& random) {
  GroupedRelease release;
  const std::size_t entries = 1 + random.Below(3000);
  release.people = entries - random.Below(entries);
  release.groups = static_cast<std::uint32_t>(1 + random.Below(200));
  release.group = SomeCodes(entries, release.groups, random);
  release.value = SomeCodes(entries, 7, random);
  const std::size_t columns = random.Below(9);
  for (std::size_t c = 0; c < columns; ++c) {
    ShownColumn column{"c" + std::to_string(c), {}, {}};
    const std::size_t texts = 1 + random.Below(random.Below(2) == 0 ? 3 : 70000);
    for (std::size_t t = 0; t < texts; ++t) {
      column.fields.push_back(
          Field(random.Below(5) == 0 ? std::to_string(t) + kAwkward : std::to_string(t)));
    }
    column.code = SomeCodes(entries, texts, random);
    release.columns.push_back(std::move(column));
  }
  for (std::size_t i = 0; leave_out && i < entries; ++i) {
    if (random.Below(4) > 0) continue;
    release.group[i] = kNoGroup;
    for (ShownColumn& column : release.columns) column.code[i] = kNoGroup;
  }
  return release;
}

std::vector<ValueTexts> SomeValues() {
  return {{"b"}, {"a"}, {kAwkward}, {"d,e"}, {"f"}, {"c"}, {""}};
}

// As it says: the entries in the order that the seed gives, field after field.
std::string MainAsItSays(const GroupedRelease& release, bool with_values,
                         const std::vector<ValueTexts>& values, std::uint64_t seed) {
  std::string text;
  for (const ShownColumn& column : release.columns) text += column.name + ',';
  text += with_values ? "v,group\n" : "group\n";
  std::vector<std::uint32_t> order(release.size());
  std::iota(order.begin(), order.end(), 0);
  Random random = Random::Seeded(seed);
  random.Shuffle(order);
  for (const std::uint32_t i : order) {
    if (release.group[i] == kNoGroup) continue;
    AppendShown(release, i, text);
    if (with_values) text += Field(values[release.value[i]][0]) + ',';
    text += std::to_string(release.group[i] + 1) + '\n';
  }
  return text;
}

std::string SensitiveAsItSays(const GroupedRelease& release,
                              const std::vector<ValueTexts>& values) {
  std::map<std::pair<std::uint32_t, std::string>, int> counts;
  for (std::size_t i = 0; i < release.size(); ++i) {
    ++counts[{release.group[i], values[release.value[i]][0]}];
  }
  std::string text = "group,v,count\n";
  for (const auto& [what, count] : counts) {
    text += std::to_string(what.first + 1) + ',' + Field(what.second) + ',' +
            std::to_string(count) + '\n';
  }
  return text;
}

class GroupedReleaseTest : public FilesTest {
 protected:
  std::string Main(const GroupedRelease& release, bool with_values, std::uint64_t seed,
                   Context& context) {
    std::filesystem::remove(Path("r.csv"));
    Random random = Random::Seeded(seed);
    const GroupedFiles files{.values_apart = !with_values, .counterfeits = false};
    EXPECT_TRUE(WriteMain(release, files, {"v"}, SomeValues(), Path("r.csv"), random, context));
    return Read("r.csv");
  }
};

TEST_F(GroupedReleaseTest, WritesWhatAWriterOfFieldsWouldWithAnyNumberOfThreads) {
  ThreadPool two(3);
  Context with_two{context_.files, two, context_.progress};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random = Random::Seeded(seed);
    const GroupedRelease release = SomeRelease(seed % 2 == 1, random);
    for (const bool with_values : {false, true}) {
      const std::string expected = MainAsItSays(release, with_values, SomeValues(), seed);
      EXPECT_EQ(Main(release, with_values, seed, context_), expected) << seed;
      EXPECT_EQ(Main(release, with_values, seed, with_two), expected) << seed;
    }
  }
}

// One value may be as long as a record, and the others are short: no room is made for it elsewhere.
TEST_F(GroupedReleaseTest, AVeryLongValueTakesItsOwnRoomAlone) {
  constexpr std::size_t kLong = std::size_t{4} << 20;
  Random random = Random::Seeded(1);
  GroupedRelease release;
  release.people = 3000;
  release.groups = 10;
  release.group = SomeCodes(release.people, 10, random);
  release.value = SomeCodes(release.people, 7, random);
  release.columns.push_back({"c", {"x", "y", std::string(kLong, 'z')}, {}});
  release.columns[0].code = SomeCodes(release.people, 2, random);
  release.columns[0].code[1234] = 2;
  ThreadPool two(2);
  Context with_two{context_.files, two, context_.progress};
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const std::string text = Main(release, true, 1, with_two);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(text, MainAsItSays(release, true, SomeValues(), 1));
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 * 1024);  // KB
}

TEST_F(GroupedReleaseTest, CountsTheValuesOfEveryGroupInTheOrderOfTheirTexts) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random = Random::Seeded(seed);
    const GroupedRelease release = SomeRelease(false, random);
    std::filesystem::remove(Path("s.csv"));
    ASSERT_TRUE(
        WriteBeside(release, kSensitiveSuffix, {"v"}, SomeValues(), Path("s.csv"), context_));
    EXPECT_EQ(Read("s.csv"), SensitiveAsItSays(release, SomeValues())) << seed;
  }
}

}  // namespace
}  // namespace reissue::binding
