#pragma once
// Where tables live. The engine asks a source for what a model needs: distinct combinations with
// counts, keyed hashes of identifiers beside them (series), or rows (tables in groups). It does not
// know whether a file, a database or several of them answer.
//
// A source is one consistent view of one table for as long as it lives, and consistency() says by
// which means. It belongs to one thread; what it asks for on other threads is its own affair. No
// value of the table gets into an error, a log or a file.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/io/csv.h"
#include "reissue/io/csv_count.h"
#include "reissue/io/policy.h"

namespace reissue::sources {

// The keyed hash of an identifier (ledger::PersonKey). The hash is called from several threads at
// once.
using PersonKey = std::array<std::uint8_t, 16>;
using HashIdentifier = std::function<PersonKey(std::string_view)>;

// What is asked for.
struct Wanted {
  std::vector<std::string> columns;  // of TableSource::columns()
  // One of TableSource::columns() that is not among `columns`; empty: nobody is told apart.
  std::string identifier;
  HashIdentifier hash;  // where there is an identifier
  // Rows in which one of these columns is missing: one of the markers, or NULL in a database.
  // kValue: markers are texts like others (NULL: the first marker, or the empty text).
  std::vector<std::string> missing_markers;
  io::OnMissing on_missing = io::OnMissing::kError;
};

// One row of the source: the key of its identifier, and its row of the counted table.
using Person = io::KeyedRow;

// Two rows with one identifier.
struct Twice {
  Place place;                                // of the later one
  std::optional<std::uint64_t> earlier_line;  // where there are lines
};

struct Counted {
  // One row per distinct combination of the wanted columns, in the order of TableSource::columns();
  // weights say how many rows of the source each stands for. Canonical, so that the same rows give
  // the same ids from any source in any order: dictionaries by text (bytes), rows by value ids.
  // A place (Table::PlaceOf) is that of the first row with the combination.
  Table table;
  std::vector<Person> persons;  // one per row of the source, in any order
  std::optional<Twice> twice;   // the first of them, if there is one
  std::uint64_t dropped_rows = 0;
  // Of everything that was read: io::Digest of the bytes of a file; where there are none, of the
  // combinations and counts.
  std::string digest;
  std::optional<io::Fingerprint> fingerprint;  // of the same bytes
};

struct Listed {
  Table table;  // one row per row of the source; an identifier is a column like others
  std::uint64_t dropped_rows = 0;
  std::string digest;
};

// What makes the view one.
enum class Consistency {
  kOneReading,   // a file, read once from beginning to end
  kOneSnapshot,  // all statements in one transaction of one server
  kBarrier,      // snapshots of several servers, taken while nobody could write
  // Snapshots of several servers, one after the other: rows on the move may be missing or there
  // twice.
  kApart,
};
// For reports and certificates; empty where nothing is to be said.
std::string WordsFor(Consistency consistency);

class TableSource {
 public:
  virtual ~TableSource() = default;
  // As messages call it: the file, or SCHEMA.TABLE.
  virtual const std::string& name() const = 0;
  // Names, in the order of the table. Known before a row is read.
  virtual const std::vector<std::string>& columns() const = 0;
  virtual Consistency consistency() const = 0;
  // One of these, once: a pipe cannot be read again. Errors: whatever is wrong with the table, with
  // its place; no rows. Memory of Count grows with combinations and persons, not with rows.
  virtual Result<Counted> Count(const Wanted& wanted) = 0;
  virtual Result<Listed> Rows(const Wanted& wanted) = 0;
};

// What a name of a table leads to.
class Catalog {
 public:
  virtual ~Catalog() = default;
  // Whether it is the name of a file, which every file system can be asked for: a rehearsal has
  // files of its own.
  virtual bool IsFile(const std::string& table) const {
    (void)table;
    return false;
  }
  // What a policy says of where its tables live; what a command line has said counts more. Errors:
  // what the policy says cannot be.
  virtual Status Follow(const io::PolicySource& source) {
    (void)source;
    return Ok();
  }
  // What is to be said of a table that was opened (WordsFor), in reports and certificates; empty:
  // nothing.
  virtual std::string ViewOf(const std::string& table) const {
    (void)table;
    return {};
  }
  // `options` say how files are written, and which columns are expected (others can pass over what
  // is about files alone).
  virtual Result<std::unique_ptr<TableSource>> Open(const std::string& table,
                                                    const io::CsvOptions& options) = 0;
};

}  // namespace reissue::sources
