#pragma once
// A growing table of places, jobs and illnesses, for tests of publishing a series.

#include "series_fixture.h"

namespace reissue {

class PublishSeriesTest : public SeriesEngineTest {
 protected:
  PublishSeriesTest() {
    Write("place.csv", "UK;Europe;*\nFrance;Europe;*\nCanada;America;*\nPeru;America;*\n");
    Write("job.csv", "Lawyer;Office;*\nClerk;Office;*\nPainter;*;*\n");
  }

  // Places, jobs and illnesses in turn; with an identifier if wanted.
  static Growing People(std::size_t rows, bool identifier) {
    const std::vector<std::string> places = {"UK", "France", "Canada", "Peru"};
    const std::vector<std::string> jobs = {"Lawyer", "Clerk", "Painter"};
    const std::vector<std::string> ills = {"flu", "cold", "gout"};
    Growing growing;
    growing.columns = identifier ? "id = { role = \"identifier\" }\n" : "";
    growing.columns +=
        "place = { role = \"quasi\", taxonomy = \"place.csv\" }\n"
        "job = { role = \"quasi\", taxonomy = \"job.csv\" }\n"
        "illness = { role = \"sensitive\" }\n";
    growing.header = identifier ? "id,place,job,illness" : "place,job,illness";
    Random random = Random::Seeded(5);
    for (std::size_t i = 0; i < rows; ++i) {
      growing.rows.push_back((identifier ? "nr-" + std::to_string(i) + "," : "") +
                             places[random.Below(4)] + "," + jobs[random.Below(3)] + "," +
                             ills[random.Below(3)]);
    }
    return growing;
  }
  // Some numbers, and nothing else but an illness.
  static Growing Numbers(const std::vector<int>& numbers) {
    Growing growing;
    growing.columns =
        "pay = { role = \"quasi\", type = \"numeric\" }\nillness = { role = \"sensitive\" }\n";
    growing.header = "pay,illness";
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      growing.rows.push_back(std::to_string(numbers[i]) + (i % 2 == 0 ? ",flu" : ",cold"));
    }
    return growing;
  }
  std::set<std::string> Labels(const std::string& file, std::size_t column) const {
    std::set<std::string> labels;
    const auto records = io::ReadRecords(Read(file), file, ',').value();
    for (std::size_t i = 1; i < records.size(); ++i) labels.insert(records[i].fields[column]);
    return labels;
  }
  bool KeptTogether(const std::string& policy, std::size_t releases) {
    const auto audit =
        engine::Audit(io::ReadPolicy(context_.files, policy).value(), Releases(releases), context_);
    EXPECT_TRUE(audit) << audit.error().ToString();
    return audit && audit->satisfied;
  }
};

}  // namespace reissue
