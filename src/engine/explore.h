#pragma once
// Before something is published: what is promised against what is lost, over a grid of settings,
// and what the next releases of a series will cost. All of it in memory; nothing is recorded.

#include "reissue/binding/context.h"
#include "reissue/contract/explore.h"
#include "reissue/core/result.h"

namespace reissue::engine {

// Releases are planned and not written: their attack is that of `publish`. Usage errors: a model
// without a grid, a setting that cannot be chosen any more, a choice that the model does not take.
Result<contract::ExploreReport> Explore(const contract::ExploreRequest& request,
                                        binding::Context& context);

// The table as the next release, and later ones with newcomers who are drawn from its rows: nobody
// leaves, nobody changes. Each is published on a copy of the series in memory. Models whose
// releases are judged together.
Result<contract::ForecastReport> Forecast(const contract::ForecastRequest& request,
                                          binding::Context& context);

// As a policy writes it.
std::string SettingText(const io::Setting& setting);

}  // namespace reissue::engine
