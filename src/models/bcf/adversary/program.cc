#include "reissue/models/bcf/adversary/program.h"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "reissue/core/fragile.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/models/bcf/adversary/program_memo.h"
#include "reissue/models/bcf/adversary/program_place.h"

namespace reissue::models::bcf {
namespace {

using Solution = std::vector<std::uint64_t>;

// Further from a whole number than this is not whole.
constexpr double kWhole = 1e-6;
// Denominators that are tried for dual solutions.
constexpr std::int64_t kDenominators[] = {1, 2, 3, 4, 6, 12};
// Multipliers above this are no small proof, and sums of them might not fit.
constexpr double kLargestMultiplier = 1e6;

// Tells CLP to keep its work areas, and to start from the factors of the last run.
constexpr int kKeepFactors = 1 | 2;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

bool IsWhole(double x) { return std::abs(x - std::round(x)) <= kWhole; }

}  // namespace

struct Program::Impl : ProgramMemo::Knowledge {
  std::vector<std::uint64_t> right;
  std::vector<std::uint32_t> begin, rows;
  ProgramLimits limits;
  Fragile<ClpSimplex> awake;         // the solver; none while the program sleeps
  std::vector<unsigned char> basis;  // where a solver that sleeps left off
  Solution witness;                  // of the question at hand: the best solution found

  enum class Kind : std::uint32_t { kFirst, kPlease, kMaximise };
  struct Question {
    Kind kind = Kind::kFirst;
    std::vector<Wish> wishes = {};
  };
  ProgramMemo* memo = nullptr;  // none, or no more
  ProgramMemo::Place known = ProgramMemo::kStart;
  std::vector<Question> unsolved;  // answered by the memo: the solver has not seen them

  std::size_t variables() const { return begin.size() - 1; }
  std::span<const std::uint32_t> RowsOf(std::size_t v) const {
    return {rows.data() + begin[v], begin[v + 1] - begin[v]};
  }

  ClpSimplex& Solver() {
    if (!awake) Wake();
    return *awake;
  }

  void Wake() {
    const int columns = static_cast<int>(variables());
    const int lines = static_cast<int>(right.size());
    std::vector<int> starts(begin.begin(), begin.end());
    std::vector<int> indices(rows.begin(), rows.end());
    std::vector<double> ones(rows.size(), 1.0);
    std::vector<double> bounds(right.begin(), right.end());
    awake = MakeFragile<ClpSimplex>();
    awake->setLogLevel(0);
    awake->messagesPointer()->toCompact();  // its words take a third of its memory
    awake->coinMessagesPointer()->toCompact();
    awake->loadProblem(columns, lines, starts.data(), indices.data(), ones.data(), nullptr, nullptr,
                       nullptr, bounds.data(), bounds.data());
    awake->setPrimalTolerance(1e-8);
    awake->setDualTolerance(1e-8);
    awake->scaling(0);            // everything is 1
    awake->setPerturbation(100);  // none: vertices stay whole
    if (!basis.empty()) awake->copyinStatus(basis.data());
  }

  // There may be very many programs, and a solver takes hundreds of kilobytes however little it has
  // to solve: those of the first few stay as they are, the others keep no more than where they are
  // between questions.
  void Sleep() {
    if (!awake || place.number < kAwake) return;
    const unsigned char* status = awake->statusArray();
    if (status != nullptr) basis.assign(status, status + right.size() + variables());
    awake.reset();
  }
  static constexpr std::size_t kAwake = 100;
  internal::ProgramPlace place;

  // ---- questions, and what others found out

  void Forget() {
    Knowledge& now = *this;
    now = {};
    low.assign(variables(), 0);
    closed.assign(variables(), 0);
    for (std::size_t v = 0; v < variables(); ++v) {
      high.push_back(kNoLimit);
      for (const std::uint32_t row : RowsOf(v)) high[v] = std::min(high[v], right[row]);
    }
  }

  void Answer(Question question) {
    const std::string asked = memo != nullptr ? BytesOf(question) : std::string();
    Knowledge& now = *this;
    const auto next = memo != nullptr && !seen ? memo->Find(known, asked) : std::nullopt;
    if (next) {
      known = *next;
      now = memo->at(known);
      unsolved.push_back(std::move(question));
      return;
    }
    SolveAnew();
    Do(question);
    if (memo == nullptr) return;
    const auto kept = memo->Keep(known, asked, now);
    if (!kept) memo = nullptr;
    known = kept.value_or(known);
  }

  // The solver goes the way that the memo spared it so far.
  void SolveAnew() {
    if (!unsolved.empty()) Forget();
    for (const Question& question : std::exchange(unsolved, {})) Do(question);
    seen = true;
  }

  void Do(const Question& question) {
    if (question.kind == Kind::kFirst) FindFirst();
    if (question.kind == Kind::kPlease) Please(question.wishes);
    if (question.kind == Kind::kMaximise) {
      Maximise(question.wishes[0].variable, question.wishes[0].enough);
    }
    Sleep();
  }

  // The first question is the program itself, and whether its solver sleeps.
  std::string BytesOf(const Question& question) const {
    std::string bytes(1, static_cast<char>(question.kind));
    if (question.kind != Kind::kFirst) return ProgramMemo::Append<Wish>(question.wishes, bytes);
    const std::uint64_t settings[] = {limits.steps, limits.nodes, place.number < kAwake};
    ProgramMemo::Append<std::uint64_t>(settings, bytes);
    ProgramMemo::Append<std::uint64_t>(right, bytes);
    ProgramMemo::Append<std::uint32_t>(begin, bytes);
    return ProgramMemo::Append<std::uint32_t>(rows, bytes);
  }
  bool seen = false;  // the solver has seen all questions

  bool Exhausted() const { return statistics.steps >= limits.steps; }

  void CountRun(const ClpSimplex& solver) {
    statistics.CountRun(solver.numberIterations());
    spent.CountRun(solver.numberIterations());
  }
  ProgramStatistics spent;

  // How a run of the solver ended.
  enum class End { kOptimal, kInfeasible, kStopped };
  End Run(bool dual) {
    if (Exhausted()) return End::kStopped;
    Solver().setMaximumIterations(static_cast<int>(limits.steps - statistics.steps));
    if (dual) {
      Solver().dual(0, kKeepFactors);
    } else {
      Solver().primal(0, kKeepFactors);
    }
    CountRun(Solver());
    if (Solver().isProvenOptimal()) return End::kOptimal;
    if (Solver().isProvenPrimalInfeasible()) return End::kInfeasible;
    return End::kStopped;
  }

  // A point if it is whole and a solution indeed.
  std::optional<Solution> WholeSolution() { return WholeSolution(Solver().primalColumnSolution()); }
  std::optional<Solution> WholeSolution(const double* point) const {
    Solution solution(variables());
    std::vector<std::uint64_t> sums(right.size(), 0);
    for (std::size_t v = 0; v < variables(); ++v) {
      if (!IsWhole(point[v])) return std::nullopt;
      const double x = std::round(point[v]);
      if (x <= 0) continue;
      solution[v] = static_cast<std::uint64_t>(x);
      for (const std::uint32_t row : RowsOf(v)) sums[row] += solution[v];
    }
    if (sums != right) return std::nullopt;
    return solution;
  }

  void TakeSolution(const Solution& solution) {
    for (std::size_t v = 0; v < variables(); ++v) low[v] = std::max(low[v], solution[v]);
  }

  // Multipliers w with Σ w ≥ 0 for every variable say Σ over v of (Σ w of v)·z(v) = Σ w·g, so
  // every variable with a positive sum is bounded. Scaled by a denominator to whole numbers.
  void TakeDual(const double* prices) {
    for (const std::int64_t denominator : kDenominators) {
      std::vector<std::int64_t> w(right.size());
      bool whole = true;
      for (std::size_t r = 0; r < right.size() && whole; ++r) {
        const double x = -prices[r] * static_cast<double>(denominator);
        whole = IsWhole(x) && std::abs(x) <= kLargestMultiplier;
        if (whole) w[r] = static_cast<std::int64_t>(std::round(x));
      }
      if (whole) return TakeMultipliers(w);
    }
  }

  void TakeMultipliers(const std::vector<std::int64_t>& w) {
    std::int64_t total = 0;
    for (std::size_t r = 0; r < right.size(); ++r) {
      total += w[r] * static_cast<std::int64_t>(right[r]);
    }
    std::vector<std::int64_t> sums(variables(), 0);
    for (std::size_t v = 0; v < variables(); ++v) {
      for (const std::uint32_t row : RowsOf(v)) sums[v] += w[row];
      if (sums[v] < 0) return;
    }
    if (total < 0) {
      if (state != State::kFeasible) {
        state = State::kImpossible;
        proof = w;
      }
      return;
    }
    for (std::size_t v = 0; v < variables(); ++v) {
      if (sums[v] > 0) {
        high[v] = std::min(high[v], static_cast<std::uint64_t>(total / sums[v]));
      }
    }
  }

  void FindFirst() {
    const End end = Run(/*dual=*/false);
    if (end == End::kInfeasible) {
      TakeRay();
      state = State::kImpossible;
      return;
    }
    if (end != End::kOptimal) return;
    if (const std::optional<Solution> solution = WholeSolution()) {
      state = State::kFeasible;
      TakeSolution(*solution);
      return;
    }
    ++statistics.fractional;
    Branching branching(*this, std::nullopt);
    const bool complete = branching.Run();
    if (branching.found) {
      state = State::kFeasible;
    } else if (complete) {
      state = State::kImpossible;
    }
  }

  // A ray of multipliers proves that there is no solution.
  void TakeRay() {
    std::unique_ptr<double[]> ray(Solver().infeasibilityRay());
    if (!ray) return;
    double least = 0;
    for (std::size_t r = 0; r < right.size(); ++r) {
      const double x = std::abs(ray[r]);
      if (x > 1e-9 && (least == 0 || x < least)) least = x;
    }
    if (least == 0) return;
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> prices(right.size());
      for (std::size_t r = 0; r < right.size(); ++r) prices[r] = sign * ray[r] / least;
      TakeDual(prices.data());
      if (!proof.empty()) return;
    }
  }

  // Depth first; every node is a box of variable bounds.
  struct Branching {
    Impl& program;
    std::optional<std::size_t> variable;  // to be as large as possible; none: any solution will do
    std::uint64_t enough;                 // or so large
    std::uint64_t nodes = 0;
    bool found = false;

    Branching(Impl& owner, std::optional<std::size_t> v, std::uint64_t sufficient = kNoLimit)
        : program(owner), variable(v), enough(sufficient) {}

    // Whether everything was looked at.
    bool Run() { return Visit(0); }

    bool Sufficient() const { return variable && program.low[*variable] >= enough; }

    // Whether the node at hand may have something better than is known.
    bool Promising() const {
      if (!variable) return true;
      const double most = std::floor(program.Solver().primalColumnSolution()[*variable] + kWhole);
      const auto least = static_cast<double>(program.low[*variable]);
      return program.witness.empty() ? most >= least : most > least;
    }

    bool Visit(int depth) {
      if (++nodes > program.limits.nodes || depth > kDeepest || Sufficient()) return false;
      const End end = program.Run(/*dual=*/true);
      if (end == End::kInfeasible) return true;
      if (end != End::kOptimal) return false;
      if (!Promising()) return true;
      if (std::optional<Solution> solution = program.WholeSolution()) {
        program.TakeSolution(*solution);
        program.witness = std::move(*solution);
        found = true;
        return true;
      }
      const std::optional<std::size_t> branch = MostFractional();
      if (!branch) return false;
      const int column = static_cast<int>(*branch);
      const double x = program.Solver().primalColumnSolution()[column];
      const double lower = program.Solver().columnLower()[column];
      const double upper = program.Solver().columnUpper()[column];
      bool complete = true;
      for (const bool up : {true, false}) {
        if (!variable && found) break;
        if (up) {
          program.Solver().setColumnBounds(column, std::ceil(x), upper);
        } else {
          program.Solver().setColumnBounds(column, lower, std::floor(x));
        }
        complete = Visit(depth + 1) && complete;
        program.Solver().setColumnBounds(column, lower, upper);
      }
      return complete;
    }

    std::optional<std::size_t> MostFractional() const {
      std::optional<std::size_t> most;
      double distance = kWhole;
      const double* point = program.Solver().primalColumnSolution();
      for (std::size_t v = 0; v < program.variables(); ++v) {
        const double d = std::abs(point[v] - std::round(point[v]));
        if (d > distance) {
          most = v;
          distance = d;
        }
      }
      return most;
    }

    static constexpr int kDeepest = 200;
  };

  // What counts of a variable is at most its wish: a copy of it that is bounded by the wish earns,
  // the variable itself does not. Solutions of the largest sum, with less and less left to earn.
  void Please(std::span<const Wish> wishes) {
    const Fragile<ClpSimplex> copy = MakeFragile<ClpSimplex>(Solver());
    ClpSimplex& earner = *copy;
    std::vector<int> starts = {0}, indices;
    std::vector<double> caps, earnings;
    for (const Wish& wish : wishes) {
      for (const std::uint32_t row : RowsOf(wish.variable)) {
        indices.push_back(static_cast<int>(row));
      }
      starts.push_back(static_cast<int>(indices.size()));
      caps.push_back(static_cast<double>(wish.enough));
      earnings.push_back(-1);
    }
    const std::vector<double> ones(indices.size(), 1.0);
    earner.addColumns(static_cast<int>(wishes.size()), nullptr, caps.data(), earnings.data(),
                      starts.data(), indices.data(), ones.data());
    std::size_t open = wishes.size();
    for (int round = 0; round < kRounds && open > 0 && !Exhausted(); ++round) {
      earner.setMaximumIterations(static_cast<int>(limits.steps - statistics.steps));
      earner.primal(0, kKeepFactors);
      CountRun(earner);
      if (!earner.isProvenOptimal()) return;
      std::vector<double> point(earner.primalColumnSolution(),
                                earner.primalColumnSolution() + variables());
      for (std::size_t i = 0; i < wishes.size(); ++i) {
        point[wishes[i].variable] += earner.primalColumnSolution()[variables() + i];
      }
      const std::optional<Solution> solution = WholeSolution(point.data());
      if (!solution) return;
      state = State::kFeasible;
      TakeSolution(*solution);
      const std::size_t before = open;
      open = 0;
      for (std::size_t i = 0; i < wishes.size(); ++i) {
        const bool granted = low[wishes[i].variable] >= wishes[i].enough;
        if (granted) earner.setObjectiveCoefficient(static_cast<int>(variables() + i), 0);
        open += granted ? 0 : 1;
      }
      if (open == before) return;
    }
  }
  static constexpr int kRounds = 40;

  // Most corners are whole. Before boxes are made, others are tried that are as good, or good
  // enough. Whether one is found; the objective is the variable before and after.
  bool TryCorners(std::size_t v, std::uint64_t enough) {
    const int column = static_cast<int>(v);
    const double most = std::floor(Solver().primalColumnSolution()[column] + kWhole);
    const double upper = Solver().columnUpper()[column];
    Solver().setColumnBounds(column, std::min(most, static_cast<double>(enough)), upper);
    Random random = Random::Seeded(v);
    bool found = false;
    for (int corner = 0; corner < kCorners && !found; ++corner) {
      for (int c = 0; c < static_cast<int>(variables()); ++c) {
        Solver().setObjectiveCoefficient(c, static_cast<double>(random.Below(kPrices)));
      }
      if (Run(/*dual=*/false) != End::kOptimal) break;
      if (std::optional<Solution> solution = WholeSolution()) {
        state = State::kFeasible;
        TakeSolution(*solution);
        witness = std::move(*solution);
        found = true;
      }
    }
    for (int c = 0; c < static_cast<int>(variables()); ++c) Solver().setObjectiveCoefficient(c, 0);
    Solver().setObjectiveCoefficient(column, -1);
    Solver().setColumnBounds(column, 0, upper);
    if (found && static_cast<double>(low[v]) >= most) high[v] = std::min(high[v], low[v]);
    return found;
  }
  static constexpr int kCorners = 8;
  static constexpr std::uint64_t kPrices = 1000;

  // Leaves a solution in `witness` that reaches low[v], unless a limit is reached.
  void Maximise(std::size_t v, std::uint64_t enough = kNoLimit) {
    witness.clear();
    if (state == State::kImpossible || Exhausted()) return;
    const int column = static_cast<int>(v);
    Solver().setObjectiveCoefficient(column, -1);
    const End end = Run(/*dual=*/false);
    if (end == End::kOptimal) {
      std::vector<double> prices(Solver().dualRowSolution(),
                                 Solver().dualRowSolution() + right.size());
      TakeDual(prices.data());
      if (std::optional<Solution> solution = WholeSolution()) {
        state = State::kFeasible;
        TakeSolution(*solution);
        witness = std::move(*solution);
      } else if (++statistics.fractional; !TryCorners(v, enough)) {
        Branching branching(*this, v, enough);
        const bool complete = branching.Run();
        if (branching.found) state = State::kFeasible;
        if (complete && state == State::kFeasible) high[v] = std::min(high[v], low[v]);
      }
    }
    Solver().setObjectiveCoefficient(column, 0);
    closed[v] = low[v] >= enough ? 0 : 1;
    REISSUE_CHECK(low[v] <= high[v]);
  }
};

Program::Program(std::vector<std::uint64_t> right_hand_side, std::vector<std::uint32_t> begin,
                 std::vector<std::uint32_t> rows, ProgramLimits limits, ProgramMemo* memo)
    : impl_(std::make_unique<Impl>()) {
  impl_->right = std::move(right_hand_side);
  impl_->begin = std::move(begin);
  impl_->rows = std::move(rows);
  impl_->limits = limits;
  impl_->memo = memo;
  impl_->Forget();
  impl_->Answer({});
}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

std::size_t Program::variables() const { return impl_->variables(); }
Program::State Program::state() const { return impl_->state; }
const std::vector<std::int64_t>& Program::proof() const { return impl_->proof; }
std::uint64_t Program::lower(std::size_t variable) const { return impl_->low[variable]; }
std::uint64_t Program::upper(std::size_t variable) const { return impl_->high[variable]; }
const ProgramStatistics& Program::statistics() const { return impl_->statistics; }
const ProgramStatistics& Program::spent() const { return impl_->spent; }

void Program::Solve(std::size_t variable, std::uint64_t enough) {
  if (impl_->closed[variable] != 0 || lower(variable) == upper(variable)) return;
  if (lower(variable) >= enough) return;
  impl_->Answer({Impl::Kind::kMaximise, {{variable, enough}}});
}

void Program::Please(std::span<const Wish> wishes) {
  if (impl_->state == State::kImpossible || wishes.empty()) return;
  impl_->Answer({Impl::Kind::kPlease, {wishes.begin(), wishes.end()}});
}

std::vector<std::uint64_t> Program::Witness(std::size_t variable) {
  // What is known of the numbers tells no solution.
  impl_->SolveAnew();
  impl_->memo = nullptr;
  impl_->Answer({Impl::Kind::kMaximise, {{variable, kNoLimit}}});
  if (!impl_->witness.empty() && impl_->witness[variable] != lower(variable)) return {};
  return std::move(impl_->witness);
}

}  // namespace reissue::models::bcf
