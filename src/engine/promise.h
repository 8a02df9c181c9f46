#pragma once
// The [guarantee] of a policy, in the words of the policy: model `k` (one release), model `bcf` (a
// series of a table that only grows), model `xy` (a release beside earlier ones of other columns)
// and models `m-invariance` and `j-similarity` (a series of a table whose rows come and go). The
// same reader serves policies and certificates, so a certificate is checked by what it says and
// nothing else.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/dictionary.h"
#include "reissue/core/result.h"
#include "reissue/engine/invariance_promise.h"
#include "reissue/engine/linked_promise.h"
#include "reissue/engine/similarity_promise.h"
#include "reissue/io/policy.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::engine {

// Whom model `bcf` protects: everybody who could be there as far as readers can tell, or only the
// people of the holder's table.
enum class Targets { kAny, kReal };

struct Promise {
  std::string model = "k";              // "k", "bcf", "xy", "m-invariance" or "j-similarity"
  std::optional<LinkedPromise> linked;  // xy: everything, and nothing else below counts
  std::optional<InvariancePromise> invariance;  // m-invariance: the same
  std::optional<SimilarityPromise> similarity;  // j-similarity: the same
  Targets targets = Targets::kAny;              // bcf only
  models::k::Guarantee guarantee;    // without what needs the sensitive values: see Resolve
  std::optional<double> confidence;  // bound for every value
  std::vector<std::pair<std::string, double>> confidence_of;  // bounds of single values
  std::vector<std::string> order;  // sensitive values in order, for distance = "ordered"
  bool numeric_order = false;      // or: order the values as numbers

  // How the next release is searched for; no part of what is promised.
  models::k::Score score = models::k::Score::kDiscernibility;
  models::k::Search search = models::k::Search::kDefault;
  double budget_seconds = 3;
  double suppression_share = 0;  // of the rows
  std::optional<std::uint64_t> suppression_rows;
  std::string class_column;
};

using Settings = std::vector<std::pair<std::string, io::Setting>>;

// Reads the settings of the model they name; `file` is for error messages. Unknown models are an
// error, unknown keys too, with the nearest known one. `has_sensitive`: promises on sensitive
// values are an error without. `knowledge`: j-similarity.
Result<Promise> ReadPromise(const Settings& settings, const std::string& file, bool has_sensitive,
                            const Settings& knowledge = {});

// The promise of a policy, with the order of its sensitive column.
Result<Promise> PromiseOf(const io::Policy& policy);

// An error where a bound names a value that the holder's table does not have: a misspelt name would
// be a promise about nothing.
Status BoundValuesOccur(const Promise& promise, const Dictionary& sensitive,
                        const std::string& file);

// The guarantee for the codes of one table or release. A confidence bound or an order that names a
// value is kept for values that do not occur; an order that lacks a value that occurs is an error.
Result<models::k::Guarantee> Resolve(const Promise& promise, const Dictionary& sensitive);

}  // namespace reissue::engine
