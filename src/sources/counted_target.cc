#include "reissue/sources/counted_target.h"

#include <optional>
#include <utility>

#include "reissue/core/combinations.h"
#include "reissue/core/dictionary.h"
#include "reissue/sources/digest.h"

namespace reissue::sources {
namespace {

class MemoryTarget : public ReleaseTarget {
 public:
  MemoryTarget(std::string name, ThreadPool& pool) : name_(std::move(name)), pool_(pool) {}

  const std::string& name() const override { return name_; }
  Status Write(const PublishedRows& rows, Random&) override {
    counted_ = REISSUE_TRY(CountedOf(rows, name_, pool_));
    return Ok();
  }
  Result<Counted> ReadBack() override {
    REISSUE_CHECK(counted_.has_value());
    return *counted_;
  }
  Result<std::string> Seal() override { return std::string("in memory"); }
  Status Commit() override { return Ok(); }

 private:
  std::string name_;
  ThreadPool& pool_;
  std::optional<Counted> counted_;
};

class CountedSource : public TableSource {
 public:
  CountedSource(const Counted& counted, std::string name)
      : counted_(counted), name_(std::move(name)) {
    for (const Column& column : counted.table.columns()) columns_.push_back(column.name());
  }

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  Consistency consistency() const override { return Consistency::kOneSnapshot; }
  Result<Counted> Count(const Wanted& wanted) override {
    REISSUE_CHECK(wanted.columns == columns_ && wanted.identifier.empty());
    return counted_;
  }
  Result<Listed> Rows(const Wanted&) override {
    return UsageError("a release that was counted has no rows");
  }

 private:
  const Counted& counted_;
  std::string name_;
  std::vector<std::string> columns_;
};

}  // namespace

Result<Counted> CountedOf(const PublishedRows& rows, const std::string& name, ThreadPool& pool) {
  const std::size_t width = rows.names.size();
  if (rows.counts.empty()) {
    return InputError({name, {}, {}, ""}, "the release has no rows",
                      "There is nothing to publish.");
  }
  std::vector<DictionaryBuilder> dictionaries(width);
  std::vector<std::vector<ValueId>> columns(width);
  std::vector<std::uint64_t> domains(width);
  CodeBlock block;
  block.rows = rows.counts.size();
  block.weights = rows.counts;
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t row = 0; row < rows.counts.size(); ++row) {
      columns[c].push_back(dictionaries[c].Intern(rows.texts[c][rows.codes[row * width + c]]));
    }
    domains[c] = dictionaries[c].size();
    block.columns.emplace_back(columns[c]);
  }
  block.becomes.resize(width);
  Combinations combinations(width);
  combinations.Add({&block, 1}, domains, pool);
  Counted counted;
  counted.table = CountedTable(rows.names, std::move(dictionaries), std::move(combinations),
                               Origin{name, 0, {}}, pool);
  counted.digest = DigestOfCounted(counted.table);
  return counted;
}

std::unique_ptr<ReleaseTarget> TargetInMemory(std::string name, ThreadPool& pool) {
  return std::make_unique<MemoryTarget>(std::move(name), pool);
}

std::unique_ptr<TableSource> SourceOf(const Counted& counted, std::string name) {
  return std::make_unique<CountedSource>(counted, std::move(name));
}

}  // namespace reissue::sources
