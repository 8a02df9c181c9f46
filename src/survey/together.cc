#include "reissue/survey/together.h"

#include <map>

#include "reissue/survey/cover.h"

namespace reissue::survey {
namespace {

// A cell of one of the files.
struct Part {
  std::uint32_t file = 0, cell = 0;
};

// Per value: which ends have been seen.
struct Seen {
  bool single = false, not_single = false, certain = false, not_certain = false, met = false;
  bool all() const { return single && not_single && certain && not_certain && met; }
};

// All sets of cells that some x of a cell lies in, and no others.
class Signatures {
 public:
  Signatures(const Columns& columns, const std::vector<Published>& files, std::size_t sensitive,
             Part own, std::uint64_t steps)
      : columns_(columns), files_(files), sensitive_(sensitive), own_(own), steps_(steps) {
    for (const Value& value : Values(own)) seen_.emplace_back().met = value.rows == 0;
  }

  // False: the steps did not suffice.
  bool Run(const std::vector<Part>& others) {
    Visit(BoxOf(columns_, Key(own_)), {own_}, others, {});
    return complete_;
  }
  const std::vector<Seen>& seen() const { return seen_; }
  std::uint64_t steps() const { return steps_; }

 private:
  std::span<const std::uint32_t> Key(const Part& part) const {
    return files_[part.file].key(part.cell);
  }
  std::span<const Value> Values(const Part& part) const {
    return files_[part.file].values(part.cell, sensitive_);
  }
  bool Meets(const Part& part, const Box& box) const {
    for (std::size_t q = 0; q < box.size(); ++q) {
      if (!columns_[q].labels[Key(part)[q]].Meets(box[q])) return false;
    }
    return true;
  }
  bool Contains(const Part& part, const Box& box) const {
    for (std::size_t q = 0; q < box.size(); ++q) {
      if (!columns_[q].labels[Key(part)[q]].Contains(box[q])) return false;
    }
    return true;
  }
  bool Spend(std::uint64_t steps) {
    if (steps_ < steps) complete_ = false;
    steps_ -= std::min(steps, steps_);
    return complete_;
  }
  bool Done() const {
    return !complete_ ||
           std::all_of(seen_.begin(), seen_.end(), [](const Seen& seen) { return seen.all(); });
  }

  // `inside`: cells that contain the box. `outside`: cells that x is not to lie in.
  void Visit(const Box& box, std::vector<Part> inside, const std::vector<Part>& open,
             std::vector<Part> outside) {
    if (!Spend(1 + open.size() + outside.size())) return;
    std::vector<Part> partial;
    for (const Part& part : open) {
      if (!Meets(part, box)) continue;
      (Contains(part, box) ? inside : partial).push_back(part);
    }
    std::erase_if(outside, [&](const Part& part) { return !Meets(part, box); });
    for (std::size_t i = 0; i < partial.size(); ++i) {
      if (Done()) return;
      if (std::any_of(outside.begin(), outside.end(),
                      [&](const Part& part) { return Contains(part, box); }))
        return;
      Box within;
      for (std::size_t q = 0; q < box.size(); ++q) {
        within.push_back(box[q].And(columns_[q].labels[Key(partial[i])[q]]));
      }
      std::vector<Part> now = inside;
      now.push_back(partial[i]);
      Visit(within, std::move(now),
            std::vector<Part>(partial.begin() + static_cast<std::ptrdiff_t>(i) + 1, partial.end()),
            outside);
      outside.push_back(partial[i]);
    }
    if (!Done()) Leaf(box, inside, outside);
  }

  // There is an x in the box outside all of these.
  bool Possible(const Box& box, const std::vector<Part>& outside) {
    std::vector<Cover> covers;
    for (const Part& part : outside) covers.push_back({Key(part), 1});
    const FromTo least = LeastCovered(columns_, box, covers, steps_);
    if (least.lower == 0 && least.upper > 0) complete_ = false;
    return least.upper == 0;
  }

  void Leaf(const Box& box, const std::vector<Part>& inside, const std::vector<Part>& outside) {
    std::map<std::uint32_t, std::vector<std::uint64_t>> rows;  // value → rows per file
    for (const Part& part : inside) {
      for (const Value& value : Values(part)) {
        auto& of_file = rows[value.code];
        of_file.resize(files_.size());
        of_file[part.file] += value.rows;
      }
    }
    if (!Spend(rows.size() * files_.size())) return;
    bool known = false;  // that there is such an x
    const auto own = Values(own_);
    for (std::size_t v = 0; v < own.size(); ++v) {
      const std::vector<std::uint64_t>& mine = rows[own[v].code];
      std::uint64_t left = 0, values = 0, files = 0;
      for (const auto& [code, of_file] : rows) {
        std::uint64_t fewest = ~std::uint64_t{0};
        for (std::size_t f = 0; f < files_.size(); ++f) {
          if (mine[f] > 0) fewest = std::min(fewest, of_file[f]);
        }
        left += fewest;
        values += fewest > 0 ? 1 : 0;
      }
      for (const std::uint64_t here : mine) files += here > 0 ? 1 : 0;
      Seen& seen = seen_[v];
      const bool news = !(left == 1 ? seen.single : seen.not_single) ||
                        !(values == 1 ? seen.certain : seen.not_certain) ||
                        (files > 1 && !seen.met);
      if (!news) continue;
      if (!known && !outside.empty() && !Possible(box, outside)) return;
      known = true;
      (left == 1 ? seen.single : seen.not_single) = true;
      (values == 1 ? seen.certain : seen.not_certain) = true;
      seen.met = seen.met || files > 1;
    }
  }

  const Columns& columns_;
  const std::vector<Published>& files_;
  std::size_t sensitive_;
  Part own_;
  std::uint64_t steps_;
  bool complete_ = true;
  std::vector<Seen> seen_;
};

class Intersecter {
 public:
  Intersecter(const Columns& columns, const std::vector<Published>& files,
              const OverlapTable& overlaps, std::size_t sensitive)
      : columns_(columns), files_(files), sensitive_(sensitive) {
    for (const Published& file : files) meetings_.emplace_back(file, overlaps);
  }

  bool Look(Part own, std::uint64_t steps, std::vector<GroupLeft>& groups,
            std::uint64_t& alone) const {
    const auto values = files_[own.file].values(own.cell, sensitive_);
    std::vector<Part> others;
    bool complete = true;
    std::vector<std::uint32_t> found;
    for (std::uint32_t f = 0; f < files_.size() && complete; ++f) {
      found.clear();
      complete = meetings_[f].Find(files_[own.file].key(own.cell), steps, found);
      for (const std::uint32_t cell : found) {
        if (f != own.file || cell != own.cell) others.push_back({f, cell});
      }
    }
    Signatures signatures(columns_, files_, sensitive_, own, steps);
    complete = complete && signatures.Run(others);
    groups.clear();
    alone = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      const Seen& seen = signatures.seen()[v];
      GroupLeft group{values[v].code, values[v].rows, {}, {}};
      group.singled_out = {complete && !seen.not_single, seen.single || !complete};
      group.certain = {complete && !seen.not_certain, seen.certain || !complete};
      // What was seen on both sides is known, however far the search came.
      if (seen.all()) group.singled_out = group.certain = {false, true};
      groups.push_back(group);
      if (complete && !seen.met) alone += values[v].rows;
    }
    return complete;
  }

 private:
  const Columns& columns_;
  const std::vector<Published>& files_;
  std::size_t sensitive_;
  std::vector<Meeting> meetings_;
};

void CountRows(const Whether& whether, std::uint64_t rows, FromTo& number) {
  if (whether.surely) number.lower += rows;
  if (whether.possibly) number.upper += rows;
}

}  // namespace

Together Intersect(const Columns& columns, const std::vector<Published>& files,
                   const OverlapTable& overlaps, std::size_t sensitive, ThreadPool& pool,
                   const Effort& effort) {
  const Intersecter intersecter(columns, files, overlaps, sensitive);
  Together result;
  for (std::uint32_t f = 0; f < files.size(); ++f) {
    FileTogether file;
    file.cells.resize(files[f].cells());
    std::vector<std::uint64_t> alone(files[f].cells(), 0);
    std::vector<char> complete(files[f].cells(), 0);
    InRounds(files[f].cells(), effort, pool, [&](std::uint32_t cell, std::uint64_t steps) {
      complete[cell] = intersecter.Look({f, cell}, steps, file.cells[cell], alone[cell]) ? 1 : 0;
      return complete[cell] != 0;
    });
    for (std::size_t cell = 0; cell < file.cells.size(); ++cell) {
      file.alone += alone[cell];
      if (complete[cell] == 0) ++file.incomplete;
      for (const GroupLeft& group : file.cells[cell]) {
        CountRows(group.singled_out, group.rows, file.singled_out);
        CountRows(group.certain, group.rows, file.certain);
        CountRows({group.singled_out.surely || group.certain.surely,
                   group.singled_out.possibly || group.certain.possibly},
                  group.rows, file.exposed);
      }
    }
    result.files.push_back(std::move(file));
  }
  return result;
}

}  // namespace reissue::survey
