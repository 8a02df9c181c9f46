#pragma once
// Ways in which several files may belong together that a model plays: the only place where the
// survey asks one.

#include <vector>

#include "reissue/engine/survey_tables.h"

namespace reissue::engine {

// The table only grew: everybody of a file is in all later ones. The files have the same columns.
// Left out, with the reason, where labels of a column overlap and neither contains the other: the
// model reads labels as nodes of a tree.
Result<SurveyReport::Assumption> PlayGrowing(const SurveyTables& tables,
                                             const std::vector<std::uint32_t>& files,
                                             binding::Context& context, std::size_t worst);

}  // namespace reissue::engine
