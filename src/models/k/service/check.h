#pragma once
// A table that is fine by itself may still not be publishable as asked.

#include <string>

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/io/policy.h"
#include "reissue/models/k/service/promise.h"

namespace reissue::models::k::service {

// What is asked about a table.
struct TableCheck {
  const io::Policy& policy;
  const Promise& promise;
  bool why = false;    // say why columns would not be finer
  bool grows = false;  // the first release of a series that grows so much
  double growth = 0;
};
void CheckTable(const TableCheck& asked, const std::string& path, binding::Context& context,
                contract::CheckReport& report);

}  // namespace reissue::models::k::service
