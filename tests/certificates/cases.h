#pragma once
// Small series of every model, in every form in which certificates differ. For tests only.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace certificates {

struct Column {
  std::string name, role;
  std::string taxonomy = {};  // a file
  bool numeric = false;
  std::vector<std::string> order = {};
  std::string more = {};  // of its entry in the policy, as it stands there
};

struct Case {
  std::string name;
  std::string model;
  std::vector<Column> columns;
  std::string guarantee;  // of the policy, without the model
  std::string said;       // the same as JSON, with the model: certificates repeat the policy
  std::vector<std::string> tables;                               // of one release each
  std::map<std::string, std::string> files = {};                 // that the policy names
  std::vector<std::pair<std::string, std::string>> priors = {};  // model xy: name, published file
  std::string knowledge = {};                                    // of the policy
  bool seeded = true;

  const Column& Find(const std::string& column) const;
  std::vector<std::string> Named(const std::string& role) const;
  std::string Policy() const;
};

const std::vector<Case>& Cases();

}  // namespace certificates
