#include "play.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/engine/publish.h"
#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"

namespace oracle::counterfeits {
namespace {

constexpr std::size_t kRows = 120;
constexpr std::size_t kReleases = 6;

std::string Write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::vector<std::vector<std::string>> Records(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  std::vector<std::vector<std::string>> records;
  const auto read = reissue::io::ReadRecords(text.str(), path, ',').value();
  for (const auto& record : read) {
    records.emplace_back(record.fields.begin(), record.fields.end());
  }
  records.erase(records.begin());
  return records;
}

// The published files of form anatomy.
Release ReadRelease(const std::string& path, std::size_t width) {
  Release release;
  for (const auto& record : Records(path)) {
    release.rows.emplace_back(record.begin(), record.begin() + static_cast<std::ptrdiff_t>(width));
    release.group.push_back(std::stoi(record[width]));
    release.values.resize(
        std::max(release.values.size(), static_cast<std::size_t>(release.group.back()) + 1));
  }
  for (const auto& record : Records(path + ".sensitive.csv")) {
    std::string& values = release.values[std::stoul(record[0])];
    values += (values.empty() ? "" : "|") + record[1];
  }
  return release;
}

// The names of counterfeits, from the holder's copy; empty for people. Of rows that look alike in a
// group, any.
std::vector<std::string> ReadNames(const std::string& copy, const Release& release) {
  std::map<std::vector<std::string>, std::vector<std::string>> known;
  for (const auto& record : Records(copy)) {
    const std::vector<std::string> looks(record.begin() + 1, record.end() - 2);
    known[looks].push_back(record.back() == "yes" ? record[0] : "");
  }
  std::vector<std::string> names;
  for (std::size_t row = 0; row < release.rows.size(); ++row) {
    std::vector<std::string> looks = {std::to_string(release.group[row])};
    looks.insert(looks.end(), release.rows[row].begin(), release.rows[row].end());
    names.push_back(known.at(looks).back());
    known.at(looks).pop_back();
  }
  return names;
}

// Gives counterfeits other looks than the program did.
class Tailor {
 public:
  Tailor(Disguise disguise, Shape shape, std::uint64_t seed)
      : disguise_(disguise), nature_(shape, 0, ~seed), random_(seed) {}

  void Dress(const std::vector<std::string>& names, Release& release) {
    if (disguise_ == Disguise::kProduct) return;
    for (std::size_t row = 0; row < names.size(); ++row) {
      if (names[row].empty()) continue;
      const auto [known, fresh] = worn_.emplace(names[row], Person{});
      if (fresh && disguise_ == Disguise::kPeople) known->second = nature_.Newcomer();
      if (fresh && disguise_ == Disguise::kCopies) {
        known->second.columns = release.rows[Other(names, release, release.group[row])];
      }
      release.rows[row] = known->second.columns;
    }
  }
  void Pass() {
    nature_.Pass();
    if (disguise_ != Disguise::kPeople) return;
    for (auto& [name, person] : worn_) nature_.Change(person);
  }

 private:
  std::size_t Other(const std::vector<std::string>& names, const Release& release, int group) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < names.size(); ++row) {
      if (names[row].empty() && release.group[row] == group) rows.push_back(row);
    }
    return rows.empty() ? 0 : rows[random_() % rows.size()];
  }

  Disguise disguise_;
  World nature_;
  std::mt19937_64 random_;
  std::map<std::string, Person> worn_;
};

}  // namespace

Played Play(Shape shape, int m, Disguise disguise, std::uint64_t seed,
            const std::string& directory) {
  static reissue::ThreadPool pool(1);
  static reissue::Progress progress;
  reissue::binding::Context context{reissue::io::SystemFiles(), pool, progress};
  World world(shape, kRows, seed);
  Tailor tailor(disguise, shape, seed);
  const std::string policy =
      Write(directory + "/policy.toml", world.Policy("m = " + std::to_string(m) + "\n"));
  Played played;
  played.series.numeric = world.numeric();
  for (std::size_t t = 0; t < kReleases; ++t) {
    const std::string path = directory + "/R" + std::to_string(t) + ".csv";
    reissue::contract::PublishRequest request;
    request.vault = directory + "/vault";
    request.policy = policy;
    request.table = Write(directory + "/table.csv", world.Csv());
    request.out = path;
    request.holder_copy = path + ".private";
    request.passphrase.none = true;
    request.seed = seed * 1000 + t;
    request.created = "2026-01-02T03:04:05Z";
    if (reissue::engine::Publish(request, context)) {
      Release release = ReadRelease(path, world.names().size());
      const std::vector<std::string> names = ReadNames(request.holder_copy, release);
      tailor.Dress(names, release);
      played.series.releases.push_back(std::move(release));
      played.truth.emplace_back();
      for (const std::string& name : names) played.truth.back().push_back(!name.empty());
    }
    world.Pass();
    tailor.Pass();
  }
  return played;
}

}  // namespace oracle::counterfeits
