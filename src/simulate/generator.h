#pragma once
// Tables out of nothing: seeded generators that write CSV lines one after the other and never hold
// a table. Row i depends on the seed and on i alone, so a table can be cut anywhere, written in
// chunks by several threads, or continued later (more rows = the same rows and some more). The same
// seed gives the same bytes on any machine. What each kind models is in docs/simulate.md.
//
// A generator is immutable once made: any number of threads may call it, each with its own string.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/core/result.h"

namespace reissue::simulate {

struct GeneratorOptions {
  // Adds a first column `id` with an identifier of its own for every row (R0000001, R0000002, …).
  // The kind `hospital` has an identifier anyway and gets no second one.
  bool ids = false;
};

class Generator {
 public:
  virtual ~Generator() = default;
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  // Names of the columns.
  const std::vector<std::string>& header() const { return header_; }
  // Every value a column can take, as written (before quoting), or empty where there are too many
  // to list (identifiers, weights). `column` < header().size().
  virtual std::vector<std::string> Domain(std::size_t column) const = 0;

  // Appends the line of the column names, or of one row (counted from 0), with its line feed.
  void AppendHeader(std::string& out) const;
  void Append(std::uint64_t row, std::string& out) const;
  // Appends rows first … first + count − 1.
  void AppendRows(std::uint64_t first, std::uint64_t count, std::string& out) const;

 protected:
  // `identifier` is the letter before the number of the row in the first column, or 0 where the
  // kind has no such column; `header` names all columns, the first one included.
  Generator(std::uint64_t seed, std::vector<std::string> header, char identifier);

  // Appends the values after the identifier, and the line feed.
  virtual void AppendValues(std::uint64_t row, Random& random, std::string& out) const = 0;

 private:
  std::uint64_t seed_;
  std::vector<std::string> header_;
  char identifier_;
};

// The kinds that MakeGenerator knows: adult, occ, sal, hospital.
const std::vector<std::string>& GeneratorKinds();

// Errors (kUsage): an unknown kind.
Result<std::unique_ptr<Generator>> MakeGenerator(std::string_view kind, std::uint64_t seed,
                                                 const GeneratorOptions& options = {});

}  // namespace reissue::simulate
