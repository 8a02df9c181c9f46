#pragma once
// The building blocks of a verb's command line. CLI11 is slow to compile: only cmd/*.cc and
// command_line.cc include this.
//
// Conventions that help, man page and completion rely on (reference/manual.h):
// - the description is one line, then, after an empty line, paragraphs;
// - the footer is the example: one command per line;
// - the type name says what a value is: FILE, POLICY, TABLE, RELEASE, CERTIFICATE (files), DIR
//   (directories), a|b|c (a choice), anything else (free text);
// - positional arguments have upper-case names of the same kind.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/session.h"
#include "reissue/binding/priors.h"
#include "reissue/contract/model.h"

namespace reissue::cli {

// A verb with --format and --threads. `example` is what its help ends in.
CLI::App* AddVerb(CLI::App& parent, Session& session, const std::string& name,
                  const std::string& description, const std::string& example);
// A verb that only prints what the program knows about itself: no common options.
CLI::App* AddPlainVerb(CLI::App& parent, const std::string& name, const std::string& description,
                       const std::string& example);
// A verb that only has verbs.
CLI::App* AddFamily(CLI::App& parent, const std::string& name, const std::string& description,
                    const std::string& example);

// --part and --part-key.
void AddPart(CLI::App& verb, contract::AskedPart& part);

// --labels, -v: lists in full. For verbs whose text is shortened; `what` says where.
void AddLabels(CLI::App& verb, Session& session, const std::string& what);
// -d CONNINFO, any number of times: for verbs whose tables may be those of a server.
void AddServers(CLI::App& verb, Session& session, const std::string& what = "TABLE");
// --duckdb FILE: for verbs whose tables or releases may be Parquet. AddServers has it.
void AddDuckDb(CLI::App& verb, Session& session);
// --seed N.
inline constexpr std::uint64_t kDefaultSeed = 1;
void AddSeed(CLI::App& verb, Session& session, const std::string& description);
// A whole number of at least `least` and at most `most`.
CLI::Option* AddNumber(CLI::App& verb, const std::string& name, std::uint64_t& target,
                       const std::string& description, std::uint64_t least = 0,
                       std::uint64_t most = ~std::uint64_t{0});
CLI::Option* AddNumber(CLI::App& verb, const std::string& name,
                       std::optional<std::uint64_t>& target, const std::string& description);
// A real number of at least `least` and at most `most`.
CLI::Option* AddReal(CLI::App& verb, const std::string& name, double& target,
                     const std::string& description, double least, double most);
// A number of bytes: 500M, 16G.
CLI::Option* AddSize(CLI::App& verb, const std::string& name, std::uint64_t& target,
                     const std::string& description);
// Nothing where the word is a choice; else what was expected, and what may have been meant.
std::string NotAmong(const std::string& word, const std::vector<std::string>& choices);
// One of the words.
CLI::Option* AddChoice(CLI::App& verb, const std::string& name, std::string& target,
                       const std::vector<std::string>& choices, const std::string& description);
// A text; `value` says what it is.
CLI::Option* AddText(CLI::App& verb, const std::string& name, std::string& target,
                     const std::string& value, const std::string& description);
// "model a", "models a and b": those that can be given something.
std::string Of(contract::Extra extra);
// --prior FILE, or --prior NAME=FILE, any number of times.
CLI::Option* AddPriors(CLI::App& verb, std::vector<std::string>& target);
std::vector<binding::PriorFile> Priors(const std::vector<std::string>& texts);
// Positional arguments; the name says what they are.
CLI::Option* AddInput(CLI::App& verb, const std::string& name, std::string& target,
                      const std::string& description);
CLI::Option* AddInputs(CLI::App& verb, const std::string& name, std::vector<std::string>& target,
                       const std::string& description);

}  // namespace reissue::cli
