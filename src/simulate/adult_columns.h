#pragma once
// The columns of the census extract "Adult", in the order of its files.

#include <array>

namespace reissue::simulate {

inline constexpr std::array<const char*, 15> kAdultColumns = {"age",
                                                              "workclass",
                                                              "fnlwgt",
                                                              "education",
                                                              "education-num",
                                                              "marital-status",
                                                              "occupation",
                                                              "relationship",
                                                              "race",
                                                              "sex",
                                                              "capital-gain",
                                                              "capital-loss",
                                                              "hours-per-week",
                                                              "native-country",
                                                              "class"};

}  // namespace reissue::simulate
