#pragma once
// Repairs of single groups, tried out on top of a draft that stays as it is.

#include <cstdint>
#include <map>
#include <vector>

#include "reissue/models/similarity/publisher/draft.h"
#include "reissue/models/similarity/publisher/leftover.h"
#include "reissue/models/similarity/publisher/questions.h"

namespace reissue::models::similarity::internal {

// A group in which she believes too much.
struct Broken {
  std::uint32_t group = 0;
  std::size_t rows = 0;
  Guard::Verdict verdict;
};

struct Change {
  std::map<std::uint32_t, Bunch> groups;  // as they are to be
  std::vector<std::uint32_t> restored;    // rows that show their true values again
  std::vector<std::uint32_t> out;         // rows in no group any more
};

// Belongs to one thread; the draft must not change meanwhile.
class Trial {
 public:
  Trial(const Draft& draft, Questions& questions, const NearGroups& near);

  // On top of what was repaired before.
  void Mend(const Broken& broken);
  // What has changed by now.
  Change Take() && { return std::move(change_); }

 private:
  const Bunch& Of(std::uint32_t group) const;
  void Put(std::uint32_t group, Bunch bunch);
  void PutFine(std::uint32_t group, Bunch bunch);
  Value Restore(std::uint32_t row);

  bool Fine(const Bunch& bunch);
  bool Exchange(std::uint32_t group, const Guard::Verdict& verdict);
  bool Expel(std::uint32_t group, Guard::Verdict verdict, bool out);
  bool ExpelOne(std::uint32_t group, std::uint32_t row, bool out);
  bool Join(std::uint32_t group, const Guard::Verdict& before);
  void Scatter(std::uint32_t group);
  bool PutAside(std::uint32_t row, std::uint32_t from);

  const Draft& draft_;
  Questions& questions_;
  const NearGroups& near_;
  Shown shown_;
  Change change_;
  std::vector<std::uint32_t> found_;  // near groups
};

}  // namespace reissue::models::similarity::internal
