#pragma once
// What a reader has: published files as texts, and the taxonomies that the policy names. Read with
// means of its own, so that nothing of the product is believed. For tests only.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace certificates {

struct File {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;

  // The column of this name; it is there.
  std::size_t At(const std::string& name) const;
  bool Has(const std::string& name) const;
  std::vector<std::string> Column(const std::string& name) const;
};
File ReadCsv(const std::string& text);

// Labels with the one above each (empty: the root), in preorder.
struct Tree {
  std::vector<std::string> labels;
  std::map<std::string, std::string> above;

  bool AtOrAbove(const std::string& upper, const std::string& lower) const;
};
// One line per value, from the value to the root.
Tree ReadTaxonomy(const std::string& text);
// Numbers, ranges [a,b) and *: what lies inside what.
Tree TreeOfRanges(const std::vector<std::string>& labels);

// 5, 5.0 and 05 are one number.
std::string Canonical(const std::string& number);

}  // namespace certificates
