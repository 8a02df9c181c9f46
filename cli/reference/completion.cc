#include <functional>

#include "cli/reference/manual.h"

namespace reissue::cli {
namespace {

// Calls `visit` for the verb and everything below it.
void Walk(const ManualVerb& verb, const std::function<void(const ManualVerb&)>& visit) {
  visit(verb);
  for (const ManualVerb& child : verb.verbs) Walk(child, visit);
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string Names(const std::vector<ManualVerb>& verbs) {
  std::string text;
  for (const ManualVerb& verb : verbs) text += (text.empty() ? "" : " ") + verb.name;
  return text;
}

// Single-quoted for the shell.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

// `'reissue audit'|'reissue check'|…`: every path below the root.
std::string PathPattern(const ManualVerb& root) {
  std::string pattern;
  Walk(root, [&](const ManualVerb& verb) {
    if (&verb != &root) pattern += (pattern.empty() ? "" : "|") + Quoted(verb.path);
  });
  return pattern;
}

// The shell command that offers what a value may be.
using Offer = std::function<std::string(Expects, const std::vector<std::string>&)>;

// One line per option with a value: `'reissue audit --policy') <offer>; return ;;`.
std::string ValueCases(const ManualVerb& root, const Offer& offer) {
  std::string cases;
  Walk(root, [&](const ManualVerb& verb) {
    for (const ManualOption& option : verb.options) {
      if (option.value.empty()) continue;
      for (const std::string& name : option.names) {
        cases += "    " + Quoted(verb.path + " " + name) + ") " +
                 offer(option.expects, option.choices) + "; return ;;\n";
      }
    }
  });
  return cases;
}

// What the arguments of a verb may be: verbs, files, directories, choices.
std::string ArgumentOffer(const ManualVerb& root, const ManualVerb& verb, const Offer& offer) {
  if (verb.arguments.empty()) return offer(Expects::kNothing, {});
  const ManualOption& argument = verb.arguments.front();
  if (argument.value == "VERB") {
    std::vector<std::string> names;
    for (const ManualVerb& child : root.verbs) names.push_back(child.name);
    return offer(Expects::kChoice, names);
  }
  return offer(argument.expects, argument.choices);
}

std::string BashOffer(Expects expects, const std::vector<std::string>& choices) {
  switch (expects) {
    case Expects::kFile:
      return "_reissue_paths -f";
    case Expects::kDirectory:
      return "_reissue_paths -d";
    case Expects::kChoice:
      return "_reissue_words " + Quoted(Joined(choices));
    case Expects::kNothing:
    case Expects::kText:
      break;
  }
  return ":";
}

std::string ZshOffer(Expects expects, const std::vector<std::string>& choices) {
  switch (expects) {
    case Expects::kFile:
      return "_files";
    case Expects::kDirectory:
      return "_files -/";
    case Expects::kChoice:
      return "compadd -- " + Joined(choices);
    case Expects::kNothing:
    case Expects::kText:
      break;
  }
  return ":";
}

std::string FishOffer(Expects expects, const std::vector<std::string>& choices) {
  switch (expects) {
    case Expects::kFile:
      return " -F";
    case Expects::kDirectory:
      return " -a '(__fish_complete_directories)'";
    case Expects::kChoice:
      return " -a " + Quoted(Joined(choices));
    case Expects::kNothing:
    case Expects::kText:
      break;
  }
  return "";
}

std::string OptionNames(const ManualVerb& verb) {
  std::vector<std::string> names;
  for (const ManualOption& option : verb.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return Joined(names);
}

// An entry of zsh's _describe: `name:what it does`.
std::string ZshEntry(const std::string& name, const std::string& description) {
  std::string escaped;
  for (const char c : name + "\n" + description) {
    if (c == ':') escaped += '\\';
    escaped += c == '\n' ? ':' : c;
  }
  return Quoted(escaped);
}

}  // namespace

std::string BashCompletion(const ManualVerb& root) {
  std::string script =
      "# Completion of reissue for bash; made by `reissue completion bash`.\n"
      "_reissue_words() {\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\")\n"
      "}\n"
      "_reissue_paths() {\n"
      "  compopt -o filenames 2>/dev/null\n"
      "  mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$current\")\n"
      "}\n"
      "_reissue() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local at=reissue i\n"
      "  COMPREPLY=()\n"
      "  # The shell breaks --option=value into three words.\n"
      "  if [[ $current == = ]]; then current=\n"
      "  elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"$at ${COMP_WORDS[i]}\" in\n"
      "      " +
      PathPattern(root) +
      ")\n"
      "        at=\"$at ${COMP_WORDS[i]}\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at $previous\" in\n" +
      ValueCases(root, BashOffer) +
      "  esac\n"
      "  case \"$at\" in\n";
  Walk(root, [&](const ManualVerb& verb) {
    script += "    " + Quoted(verb.path) +
              ")\n      if [[ $current == -* ]]; then _reissue_words " + Quoted(OptionNames(verb)) +
              "\n      else ";
    script += verb.verbs.empty() ? ArgumentOffer(root, verb, BashOffer)
                                 : "_reissue_words " + Quoted(Names(verb.verbs));
    script += "\n      fi ;;\n";
  });
  return script + "  esac\n}\ncomplete -F _reissue reissue\n";
}

std::string ZshCompletion(const ManualVerb& root) {
  std::string script =
      "#compdef reissue\n"
      "# Completion of reissue for zsh; made by `reissue completion zsh`.\n"
      "_reissue() {\n"
      "  local at=reissue i\n"
      "  local -a entries\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n"
      "    case \"$at ${words[i]}\" in\n"
      "      (" +
      PathPattern(root) +
      ")\n"
      "        at=\"$at ${words[i]}\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at ${words[CURRENT-1]}\" in\n" +
      ValueCases(root, ZshOffer) +
      "  esac\n"
      "  case \"$at\" in\n";
  Walk(root, [&](const ManualVerb& verb) {
    script +=
        "    " + Quoted(verb.path) + ")\n      if [[ $PREFIX == -* ]]; then\n        entries=(";
    for (const ManualOption& option : verb.options) {
      script += "\n          " + ZshEntry(option.names.front(), option.description);
    }
    script += ")\n        _describe option entries\n      else\n        ";
    if (verb.verbs.empty()) {
      script += ArgumentOffer(root, verb, ZshOffer);
    } else {
      script += "entries=(";
      for (const ManualVerb& child : verb.verbs) {
        script += "\n          " + ZshEntry(child.name, child.summary);
      }
      script += ")\n        _describe verb entries";
    }
    script += "\n      fi ;;\n";
  });
  // Found by zsh in fpath it is the body of the function; sourced it registers itself.
  return script +
         "  esac\n}\n"
         "if [[ ${funcstack[1]-} == _reissue ]]; then\n"
         "  _reissue \"$@\"\n"
         "else\n"
         "  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"
         "  compdef _reissue reissue\n"
         "fi\n";
}

std::string FishCompletion(const ManualVerb& root) {
  std::string script =
      "# Completion of reissue for fish; made by `reissue completion fish`.\n"
      "function __reissue_at\n"
      "  set -l at reissue\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    switch \"$at $word\"\n"
      "      case";
  Walk(root, [&](const ManualVerb& verb) {
    if (&verb != &root) script += " " + Quoted(verb.path);
  });
  script +=
      "\n"
      "        set at \"$at $word\"\n"
      "    end\n"
      "  end\n"
      "  test \"$at\" = \"$argv\"\n"
      "end\n"
      "complete -c reissue -f\n";
  Walk(root, [&](const ManualVerb& verb) {
    const std::string here = "complete -c reissue -n " + Quoted("__reissue_at " + verb.path);
    for (const ManualVerb& child : verb.verbs) {
      script += here + " -a " + child.name + " -d " + Quoted(child.summary) + "\n";
    }
    if (verb.verbs.empty()) {
      const std::string offer = ArgumentOffer(root, verb, FishOffer);
      if (!offer.empty()) script += here + offer + "\n";
    }
    for (const ManualOption& option : verb.options) {
      std::string line = here;
      for (const std::string& name : option.names) {
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.value.empty()) line += " -r" + FishOffer(option.expects, option.choices);
      script +=
          line + " -d " + Quoted(option.description.substr(0, option.description.find('.'))) + "\n";
    }
  });
  return script;
}

}  // namespace reissue::cli
