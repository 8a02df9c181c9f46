#include "measures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace reissue::readers {
namespace {

double Sum(const Counts& counts) {
  double sum = 0;
  for (const auto& [value, rows] : counts) sum += rows;
  return sum;
}

double ShareOf(const std::string& value, const Counts& counts) {
  const auto at = counts.find(value);
  return at == counts.end() ? 0 : at->second / Sum(counts);
}

std::uint64_t Different(const Counts& rows) {
  return static_cast<std::uint64_t>(
      std::count_if(rows.begin(), rows.end(), [](const auto& one) { return one.second > 0; }));
}

double Entropy(const Counts& rows) {
  double entropy = 0;
  for (const auto& [value, count] : rows) {
    const double share = ShareOf(value, rows);
    if (share > 0) entropy -= share * std::log(share);
  }
  return entropy;
}

// The most frequent value has fewer rows than c times those from the l-th most frequent one on.
bool Recursive(const Counts& rows, double c, std::size_t l) {
  std::vector<double> sorted;
  for (const auto& [value, count] : rows) sorted.push_back(count);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double tail = 0;
  for (std::size_t i = l - 1; i < sorted.size(); ++i) tail += sorted[i];
  return sorted.front() < c * tail - kTolerance;
}

double Closeness(const Counts& rows, const Counts& all, bool ordered) {
  double distance = 0, carried = 0;
  for (const auto& [value, count] : all) {
    const double difference = ShareOf(value, rows) - ShareOf(value, all);
    carried += difference;
    distance += std::abs(ordered ? carried : difference);
  }
  if (!ordered) return distance / 2;
  return all.size() < 2 ? 0 : distance / static_cast<double>(all.size() - 1);
}

double Likeness(const Counts& rows, const Counts& all) {
  double most = 0;
  for (const auto& [value, count] : rows) {
    const double share = ShareOf(value, all);
    if (count > 0) most = std::max(most, (ShareOf(value, rows) - share) / share);
  }
  return most;
}

double LargestShare(const Counts& rows) {
  double most = 0;
  for (const auto& [value, count] : rows) most = std::max(most, ShareOf(value, rows));
  return most;
}

}  // namespace

std::vector<std::string> Broken(const Case& one, const Counts& rows, const Counts& all) {
  std::vector<std::string> broken;
  const auto check = [&](const std::string& key, const std::function<bool(double)>& kept) {
    if (one.Asks(key) && !kept(one.asked.at(key))) broken.push_back(key);
  };
  check("k", [&](double k) { return Sum(rows) >= k - kTolerance; });
  check("distinct", [&](double l) { return static_cast<double>(Different(rows)) >= l; });
  check("entropy", [&](double l) { return Entropy(rows) >= std::log(l) - kTolerance; });
  check("recursive.l", [&](double l) {
    return Recursive(rows, one.asked.at("recursive.c"), static_cast<std::size_t>(l));
  });
  check("alpha", [&](double most) { return LargestShare(rows) <= most + kTolerance; });
  check("confidence", [&](double most) { return LargestShare(rows) <= most + kTolerance; });
  check("confidence.u", [&](double most) { return ShareOf("u", rows) <= most + kTolerance; });
  const bool ordered = one.settings.contains("distance");
  check("t", [&](double t) { return Closeness(rows, all, ordered) <= t + kTolerance; });
  check("beta", [&](double beta) { return Likeness(rows, all) <= beta + kTolerance; });
  return broken;
}

void AskSomething(Chance& chance, Case& one) {
  if (!chance.OneIn(5)) one.asked["k"] = static_cast<double>(chance.From(1, 3));
  const auto share = [&] { return static_cast<double>(chance.From(2, 5)) / 6; };
  for (std::uint64_t more = chance.Below(3); more > 0 || one.asked.empty(); more -= more > 0) {
    switch (chance.Below(8)) {
      case 0:
        one.asked["distinct"] = static_cast<double>(chance.From(1, 3));
        break;
      case 1:
        one.asked["entropy"] = 1 + static_cast<double>(chance.Below(5)) / 4;
        break;
      case 2:
        one.asked["recursive.c"] = static_cast<double>(chance.From(2, 6)) / 2;
        one.asked["recursive.l"] = static_cast<double>(chance.From(1, 3));
        break;
      case 3:
        one.asked["alpha"] = share();
        break;
      case 4:
        one.asked[one.Asks("confidence.u") ? "confidence.u" : "confidence"] = share();
        break;
      case 5:
        if (!one.Asks("confidence")) one.asked["confidence.u"] = share();
        break;
      case 6:
        one.asked["t"] = share();
        if (chance.OneIn(2)) one.settings["distance"] = "ordered";
        break;
      default:
        one.asked["beta"] = static_cast<double>(chance.From(1, 6)) / 3;
    }
  }
}

std::string DiseaseColumn(const std::vector<Sheet>& sheets) {
  std::set<std::string> values;
  for (const Sheet& sheet : sheets) {
    for (std::size_t r = 0; r < sheet.rows.size(); ++r) values.insert(sheet.At(r, "disease"));
  }
  std::string order;
  for (const std::string& value : values) order += (order.empty() ? "\"" : ", \"") + value + "\"";
  return "disease = { role = \"sensitive\", order = [" + order + "] }\n";
}

}  // namespace reissue::readers
