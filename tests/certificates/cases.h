#pragma once
// Small series of every model, in every form in which certificates differ. For tests only.

#include <cstddef>
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

// What is other in the policy from a release on; empty: nothing of that.
struct Change {
  std::size_t since = 2;
  std::string title = {};
  std::string guarantee = {}, said = {};
  std::map<std::string, std::string> files = {};
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
  std::vector<Change> changes = {};  // in their order
  std::string title = {};            // empty: the name
  std::size_t since = 1;             // the first release under this policy

  const Column& Find(const std::string& column) const;
  std::vector<std::string> Named(const std::string& role) const;
  std::string Title() const { return title.empty() ? name : title; }
  std::string Policy() const;
  // As the policy is when a release is made, from 1.
  Case At(std::size_t release) const;
};

const std::vector<Case>& Cases();

}  // namespace certificates
