#pragma once
// A release that is no file and needs no server: what is committed stays in memory, and what became
// of it can be asked. Does wrong what a test asks for. For tests only.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/combinations.h"
#include "reissue/core/dictionary.h"
#include "reissue/core/parallel.h"
#include "reissue/sources/digest.h"
#include "reissue/sources/release_target.h"

namespace reissue::testing {

// The rows as they are read back.
inline sources::Counted CountedOf(const sources::PublishedRows& rows, const std::string& name,
                                  ThreadPool& pool) {
  const std::size_t width = rows.names.size();
  std::vector<DictionaryBuilder> dictionaries(width);
  std::vector<std::vector<ValueId>> columns(width);
  std::vector<std::uint64_t> domains(width);
  CodeBlock block;
  block.rows = rows.counts.size();
  block.weights = rows.counts;
  block.becomes.resize(width);
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t row = 0; row < rows.counts.size(); ++row) {
      columns[c].push_back(dictionaries[c].Intern(rows.texts[c][rows.codes[row * width + c]]));
    }
    domains[c] = dictionaries[c].size();
    block.columns.emplace_back(columns[c]);
  }
  Combinations combinations(width);
  combinations.Add({&block, 1}, domains, pool);
  sources::Counted counted;
  counted.table = CountedTable(rows.names, std::move(dictionaries), std::move(combinations),
                               Origin{name, 0, {}}, pool);
  counted.digest = sources::DigestOfCounted(counted.table);
  return counted;
}

class MemoryServer : public sources::TargetServer {
 public:
  explicit MemoryServer(ThreadPool& pool) : pool_(pool) {}

  std::vector<std::string> steps;                           // in the order in which they came
  std::map<std::string, sources::PublishedRows> committed;  // by name
  bool silent = false;                                      // to FateOf
  std::function<void(sources::PublishedRows&)> spoil;       // what is written
  std::function<Status()> at_commit;                        // before it; an error ends it
  std::function<Status()> after_commit;                     // the deed is done

  Result<std::unique_ptr<sources::ReleaseTarget>> OpenTarget(const std::string& table) override {
    steps.emplace_back("open");
    if (committed.contains(table)) {
      return InputError({table, {}, {}, ""}, "there is a table of that name already");
    }
    return std::unique_ptr<sources::ReleaseTarget>(std::make_unique<Target>(*this, table));
  }
  Result<sources::Fate> FateOf(std::string_view seal) override {
    steps.emplace_back("ask");
    if (silent) return MachineError("the server does not answer");
    return committed.contains(std::string(seal)) ? sources::Fate::kPublished
                                                 : sources::Fate::kForgotten;
  }

 private:
  class Target : public sources::ReleaseTarget {
   public:
    Target(MemoryServer& server, std::string name) : server_(server), name_(std::move(name)) {}
    const std::string& name() const override { return name_; }
    Status Write(const sources::PublishedRows& rows, Random&) override {
      server_.steps.emplace_back("write");
      rows_ = rows;
      if (server_.spoil) server_.spoil(rows_);
      return Ok();
    }
    Result<sources::Counted> ReadBack() override {
      server_.steps.emplace_back("read back");
      return CountedOf(rows_, name_, server_.pool_);
    }
    Result<std::string> Seal() override {
      server_.steps.emplace_back("seal");
      return name_;
    }
    Status Commit() override {
      server_.steps.emplace_back("commit");
      if (server_.at_commit) REISSUE_TRY(server_.at_commit());
      server_.committed[name_] = rows_;
      return server_.after_commit ? server_.after_commit() : Ok();
    }

   private:
    MemoryServer& server_;
    std::string name_;
    sources::PublishedRows rows_;
  };

  ThreadPool& pool_;
};

}  // namespace reissue::testing
