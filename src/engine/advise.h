#pragma once
// Says how tables relate, and so which model fits: for whoever has tables and no promise yet.

#include <string>
#include <vector>

#include "reissue/advice/setting.h"
#include "reissue/binding/context.h"
#include "reissue/core/result.h"

namespace reissue::engine {

struct AdviseReport {
  struct File {
    std::string path;
    std::uint64_t rows = 0, columns = 0;
  };
  std::vector<File> tables;  // in their order
  std::string order;         // how it was found
  advice::SettingAdvice setting;
  std::string promised;  // the model of the policy, where one was given
  std::string next;      // the command to type next
};

// `policy`: may be empty; else it tells how tables are written, who is who and what is sensitive.
// `servers`: of tables that are no files, as the next command may show them.
Result<AdviseReport> Advise(const std::vector<std::string>& tables, const std::string& policy,
                            binding::Context& context,
                            const std::vector<std::string>& servers = {});

}  // namespace reissue::engine
