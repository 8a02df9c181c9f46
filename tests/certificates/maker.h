#pragma once
// Makes a certificate anew, as MakeAnew (anew.h) says: from published files and policy. What all
// certificates have is in anew.cc, what was measured in measured.cc, files that are joined in
// joined.cc. For tests only.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "anew.h"
#include "bcf/worlds.h"
#include "k/oracle.h"
#include "published.h"
#include "xy/join.h"

namespace certificates {

namespace growing = oracle::bcf;
namespace linked = oracle::xy;
namespace one = oracle::k;

inline constexpr double kSlack = 1e-9;

class Maker {
 public:
  Maker(const Case& about, const Out& out) : about_(about), release_(ReadCsv(out.release)) {
    for (const std::string& text : out.earlier) earlier_.push_back(ReadCsv(text));
    for (const auto& [suffix, text] : out.beside) beside_[suffix] = ReadCsv(text);
    for (const auto& [name, text] : about.priors) priors_.push_back(ReadCsv(text));
    guarantee_ = Json::parse(about.said);
  }

  Json Make(const Out& out, const std::string& program, const std::string& created) const;

 private:
  bool Asks(const std::string& key) const { return guarantee_.contains(key); }
  bool Grouped() const { return about_.model == "m-invariance" || about_.model == "j-similarity"; }
  bool First() const { return earlier_.empty(); }

  // ---- rows and groups

  std::string ValueAt(const File& file, const std::vector<std::string>& row) const;
  std::vector<std::string> LabelsAt(const File& file, const std::vector<std::string>& row) const;
  std::vector<std::string> CellAt(const std::vector<std::string>& row) const;
  std::map<std::vector<std::string>, std::size_t> CellSizes() const;
  std::size_t Smallest() const;

  // ---- what the policy says

  Json Columns() const;

  // ---- what was measured

  static Json Number(const std::string& promise, double asked, double measured, bool kept);
  static Json Proof(const std::string& promise, double asked, const std::string& proof);
  static Json AtLeast(const std::string& promise, double asked, double measured);
  static Json AtMost(const std::string& promise, double asked, double measured);

  Json Measured() const;

  one::Rows RowsOf(const File& file) const;

  // All values of the release in their order.
  std::vector<std::string> Order(const one::Rows& rows) const;

  // The worst of all classes.
  using Measure = std::function<double(const one::Rows&)>;
  static double Most(const std::vector<one::Rows>& classes, const Measure& measure);
  static double Least(const std::vector<one::Rows>& classes, const Measure& measure);
  double Distance(const one::Rows& rows, const one::Rows& all) const;

  Json OfOneRelease() const;

  void AddConfidence(const std::vector<one::Rows>& classes, Json& list) const;

  // ---- model bcf

  std::vector<const File*> Series() const;

  // The whole tree of a column: its taxonomy, or what lies in what among the labels of all files.
  Tree TreeOf(const std::string& column, const std::vector<const File*>& files) const;

  // Whoever is starred, told as `*` throughout beside others who are not, stays so: a column more.
  static void AddStars(std::vector<growing::Taxonomy>& taxonomies, growing::Series& series);

  Json OfSeries() const;

  // ---- model xy

  // Columns of a file that readers may have; the policy's identifiers are in none.
  const File& TableAt(std::size_t table) const;
  std::size_t Tables() const { return priors_.size() + 1; }
  std::string PriorName(std::size_t prior) const;
  linked::Place PlaceOf(const std::string& name) const;
  const std::string& NameAt(const linked::Place& place) const;

  // The join by rows, with the labels of a column as numbers.
  class Numbers {
   public:
    explicit Numbers(const std::vector<std::string>& known) {
      for (const std::string& label : known) (void)Of(label);
    }
    linked::Label Of(const std::string& label) {
      return numbers_.emplace(label, static_cast<linked::Label>(numbers_.size())).first->second;
    }

   private:
    std::map<std::string, linked::Label> numbers_;
  };

  struct Joined {
    linked::World world;
    std::map<std::string, Numbers> labels;  // by column
  };

  Joined Join() const;

  std::vector<linked::Promise> Promises(Joined& joined) const;

  Json OfJoin() const;

  // Columns of the release that are part of a join or of a promise, in the order in which they are
  // met.
  std::vector<linked::Place> Met() const;

  // ---- models in groups

  // How often each value is in each group.
  std::map<std::string, std::map<std::string, std::size_t>> Values() const;

  Json OfValues() const;
  double E() const;

  Json OfGroups() const;

  // ---- members of single models

  void AddOwn(const Out& out, Json& json) const;

  static void Insert(const std::vector<std::string>& labels, std::set<std::string>& into);

  // The labels of a column, each once, as they follow one another in its tree.
  Json LabelsOf(const std::string& name) const;

  Json Recoding() const;

  // The nearest label above each that occurs; the root always does.
  static Json Hierarchy(const Tree& tree, std::set<std::string> occur);

  Json HierarchyOfJoin() const;

  Json Linked() const;

  Json Changing(const Out& out) const;

  Json Evolving() const;

  const Case& about_;
  File release_;
  std::vector<File> earlier_, priors_;
  std::map<std::string, File> beside_;
  Json guarantee_;
};

}  // namespace certificates
