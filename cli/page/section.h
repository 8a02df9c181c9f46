#pragma once
// What a page says, as plain values: sections of paragraphs, lists, grids and charts. All of it is
// text that has not been escaped; cli/page/blocks.h makes HTML of it.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace reissue::cli::page {

enum class Tone { kPlain, kGood, kWarning, kBad };

struct Paragraph {
  std::string text;
  Tone tone = Tone::kPlain;
};

struct Bullets {
  std::vector<std::string> items;
};

// A table. A cell may have a bar beside its text: a share from 0 to 1.
struct Grid {
  struct Column {
    std::string heading;
    bool number = false;  // set at the right
  };
  struct Cell {
    std::string text;
    std::optional<double> bar = {};
    Tone tone = Tone::kPlain;
  };
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

// A few numbers over the same words: columns, or lines with points. Its numbers must stand in a
// grid as well.
struct Chart {
  struct Line {
    std::string name = {};                 // empty: there is but one
    std::vector<std::optional<double>> y;  // one for each word, from 0
  };
  std::string title = {};
  std::string about = {};  // for whoever cannot see it
  bool percent = false;    // shares
  bool columns = false;
  std::vector<std::string> x = {};
  std::string x_title = {};
  std::vector<Line> lines = {};
  std::optional<double> limit = {};  // what was promised: a line across
  std::string limit_words = {};
};

// Charts beside one another where there is room.
struct Charts {
  std::vector<Chart> charts;
};

// Tables beside one another where there is room.
struct Beside {
  std::vector<Grid> grids;
};

using Block = std::variant<Paragraph, Bullets, Grid, Charts, Beside>;

struct Section {
  std::string title;
  std::vector<Block> blocks;
};

// One number of each release, for the table and the charts of a series.
struct Measure {
  std::string heading;
  std::vector<std::string> texts;                   // one for each release
  std::vector<std::optional<double>> numbers = {};  // for a chart; empty: none is drawn
  std::optional<double> limit = {};
  std::string limit_words = {};
  bool percent = false;
};

}  // namespace reissue::cli::page
