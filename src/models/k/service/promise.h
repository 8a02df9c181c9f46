#pragma once
// What a policy promises about the cells of a release. Model `k` promises it of one release, model
// `bcf` of what a series leaves. Plain values.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/load.h"
#include "reissue/binding/settings.h"
#include "reissue/contract/promise.h"
#include "reissue/core/dictionary.h"
#include "reissue/core/result.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::k::service {

struct Promise : contract::Promise {
  Guarantee guarantee;               // without what needs the sensitive values: see Resolve
  std::optional<double> confidence;  // bound for every value
  std::vector<std::pair<std::string, double>> confidence_of;  // bounds of single values
  binding::ValueOrder order;  // of the sensitive values, for distance = "ordered"

  // How the next release is searched for; no part of what is promised.
  Score score = Score::kLoss;
  Search search = Search::kDefault;
  bool local = false;  // recoding = "local"
  double budget_seconds = 3;
  double suppression_share = 0;  // of the rows
  std::optional<std::uint64_t> suppression_rows;
  std::string class_column;
};

// A setting that only one of the models that share this promise has.
struct OwnSetting {
  std::string key;
  std::function<Status(const binding::SettingsReader&, const io::Setting&)> read;
};

// Reads the settings into the promise; its model is set. Errors: unknown keys (with the nearest
// known one), promises on sensitive values without a sensitive column, nothing promised; of a
// policy also columns that do not fit.
Status ReadGuarantee(const contract::Asked& asked, const std::vector<OwnSetting>& own,
                     Promise& promise);

// What the later of two promises promises less, in words.
std::vector<std::string> WeakerThan(const Promise& before, const Promise& now);

// Score, search or budget instead of the policy's.
Status ReadSearch(const binding::Settings& instead, const std::string& file, Promise& promise);

// As policies write it.
std::string NameOf(Score score);

// An error where a bound names a value that the holder's table does not have: a misspelt name would
// be a promise about nothing.
Status BoundValuesOccur(const Promise& promise, const Dictionary& sensitive,
                        const io::Policy& policy);

// The guarantee for the codes of one table or release. A confidence bound or an order that names a
// value is kept for values that do not occur; an order that lacks a value that occurs is an error.
Result<Guarantee> Resolve(const Promise& promise, const Dictionary& sensitive);

}  // namespace reissue::models::k::service
