#include "reissue/simulate/adult_tables.h"

namespace reissue::simulate::adult {
namespace {

constexpr std::string_view kSexLabels[] = {"Male", "Female"};

constexpr std::string_view kRaceLabels[] = {"White", "Black", "Asian-Pac-Islander",
                                            "Amer-Indian-Eskimo", "Other"};

constexpr std::string_view kCountryLabels[] = {"United-States",
                                               "Cambodia",
                                               "Canada",
                                               "China",
                                               "Columbia",
                                               "Cuba",
                                               "Dominican-Republic",
                                               "Ecuador",
                                               "El-Salvador",
                                               "England",
                                               "France",
                                               "Germany",
                                               "Greece",
                                               "Guatemala",
                                               "Haiti",
                                               "Holand-Netherlands",
                                               "Honduras",
                                               "Hong",
                                               "Hungary",
                                               "India",
                                               "Iran",
                                               "Ireland",
                                               "Italy",
                                               "Jamaica",
                                               "Japan",
                                               "Laos",
                                               "Mexico",
                                               "Nicaragua",
                                               "Outlying-US(Guam-USVI-etc)",
                                               "Peru",
                                               "Philippines",
                                               "Poland",
                                               "Portugal",
                                               "Puerto-Rico",
                                               "Scotland",
                                               "South",
                                               "Taiwan",
                                               "Thailand",
                                               "Trinadad&Tobago",
                                               "Vietnam",
                                               "Yugoslavia"};

constexpr std::string_view kEducationLabels[] = {
    "Preschool", "1st-4th", "5th-6th",     "7th-8th",      "9th",       "10th",
    "11th",      "12th",    "HS-grad",     "Some-college", "Assoc-voc", "Assoc-acdm",
    "Bachelors", "Masters", "Prof-school", "Doctorate"};

constexpr std::string_view kMaritalLabels[] = {"Never-married",
                                               "Married-civ-spouse",
                                               "Married-AF-spouse",
                                               "Married-spouse-absent",
                                               "Separated",
                                               "Divorced",
                                               "Widowed"};

constexpr std::string_view kRelationshipLabels[] = {"Husband",        "Wife",          "Own-child",
                                                    "Other-relative", "Not-in-family", "Unmarried"};

constexpr Weight kSexWeights[] = {675, 325};

constexpr Weight kAgeWeights[] = {
    41,  57,  71,  79,  86,  98,  112, 115, 114, 117, 124, 128, 130, 136, 141, 144, 146, 147, 148,
    147, 145, 141, 135, 132, 134, 131, 126, 123, 121, 121, 113, 100, 95,  98,  94,  86,  80,  72,
    66,  62,  61,  60,  56,  49,  43,  37,  33,  30,  24,  20,  18,  16,  13,  11,  10,  9,   8,
    6,   6,   5,   4,   3,   3,   3,   3,   2,   1,   1,   1,   1,   1,   1,   2,   6,  // Male
    83,  115, 137, 144, 146, 157, 163, 155, 145, 137, 134, 135, 133, 132, 129, 122, 121, 122, 123,
    125, 120, 116, 119, 120, 114, 107, 102, 100, 104, 108, 102, 89,  80,  78,  77,  70,  61,  56,
    56,  54,  50,  48,  45,  40,  38,  36,  31,  29,  26,  22,  19,  16,  13,  11,  10,  10,  10,
    8,   6,   6,   5,   2,   2,   3,   3,   1,   1,   1,   1,   1,   1,   1,   1,   4,  // Female
};

constexpr Weight kRaceWeights[] = {
    885, 70,  28, 9,  7,  // Male
    809, 142, 30, 11, 9,  // Female
};

constexpr Weight kCountryWeights[] = {
    9343, 1,   41,   1,   19,  32,  15,  8,   35,  28,  8,   46,  12,   20,
    1,    1,   4,    1,   5,   4,   11,  9,   26,  1,   8,   0,   212,  10,
    3,    11,  3,    21,  15,  34,  5,   0,   1,   1,   0,   1,   6,  // White
    9371, 0,   0,    0,   0,   9,   43,  0,   0,   19,  0,   21,  0,    0,
    156,  0,   7,    0,   0,   5,   0,   0,   0,   225, 9,   0,   12,   7,
    19,   0,   5,    0,   0,   31,  0,   0,   0,   0,   47,  0,   0,  // Black
    3054, 177, 0,    844, 0,   0,   0,   0,   0,   15,  0,   23,  0,    0,
    0,    0,   0,    177, 0,   929, 69,  0,   0,   0,   399, 161, 0,    0,
    23,   0,   2049, 0,   0,   0,   0,   752, 399, 184, 31,  622, 0,  // Asian-Pac-Islander
    9586, 0,   0,    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,    0,
    0,    0,   0,    0,   0,   0,   0,   0,   0,   0,   0,   0,   253,  0,
    0,    0,   0,    0,   0,   0,   0,   46,  0,   0,   0,   0,   0,  // Amer-Indian-Eskimo
    4759, 0,   57,   0,   227, 85,  595, 340, 227, 0,   0,   0,   0,    227,
    0,    0,   0,    0,   0,   255, 170, 0,   0,   85,  57,  0,   1728, 113,
    0,    113, 0,    0,   0,   793, 0,   0,   0,   0,   0,   0,   0,  // Other
};

constexpr Weight kEducationWeights[] = {
    0,   0,   6,   8,  65,  304, 471, 116,
    24,  6,   0,   0,  0,   0,   0,   0,  // 17
    2,   2,   5,   10, 13,  40,  178, 67,
    352, 325, 3,   0,  0,   0,   0,   0,  // 18-19
    2,   2,   9,   7,  14,  23,  31,  13,
    337, 459, 29,  25, 49,  1,   0,   0,  // 20-22
    0,   0,   1,   7,  9,   15,  29,  12,
    314, 263, 42,  40, 250, 17,  1,   0,  // 23-25
    0,   0,   0,   6,  8,   23,  29,  8,
    345, 211, 57,  40, 221, 37,  11,  4,  // 26-29
    1,   1,   1,   8,  11,  21,  27,  10,
    361, 202, 56,  41, 193, 44,  15,  9,  // 30-34
    1,   1,   1,   8,  9,   17,  20,  7,
    326, 213, 54,  44, 194, 71,  24,  11,  // 35-44
    1,   2,   5,   19, 12,  22,  24,  8,
    329, 198, 43,  33, 166, 92,  24,  22,  // 45-54
    0,   5,   11,  43, 26,  44,  29,  10,
    361, 174, 32,  20, 132, 70,  22,  20,  // 55-64
    2,   7,   16,  82, 25,  45,  33,  8,
    340, 166, 30,  12, 126, 54,  33,  21,  // 65+
    26,  95,  159, 79, 66,  42,  40,  27,
    230, 120, 17,  11, 66,  17,  3,   2,  // 23+, few years of school abroad
    2,   10,  21,  22, 14,  14,  18,  10,
    253, 150, 40,  39, 236, 95,  36,  38,  // 23+, school abroad
};

constexpr Weight kMaritalWeights[] = {
    992, 0,   0, 0,  0,  0,   0,    // Male 17
    974, 21,  0, 0,  0,  0,   0,    // Male 18-19
    867, 113, 0, 5,  4,  9,   0,    // Male 20-22
    697, 256, 0, 8,  15, 24,  0,    // Male 23-25
    472, 449, 2, 6,  20, 49,  1,    // Male 26-29
    261, 621, 1, 10, 24, 82,  1,    // Male 30-34
    133, 717, 0, 10, 25, 113, 2,    // Male 35-44
    61,  789, 0, 12, 16, 113, 8,    // Male 45-54
    41,  823, 0, 9,  13, 91,  23,   // Male 55-64
    51,  798, 0, 14, 8,  41,  89,   // Male 65+
    996, 0,   0, 0,  0,  0,   0,    // Female 17
    958, 14,  4, 7,  7,  10,  0,    // Female 18-19
    917, 38,  0, 11, 15, 18,  0,    // Female 20-22
    799, 95,  0, 13, 29, 61,  0,    // Female 23-25
    628, 157, 0, 22, 47, 141, 4,    // Female 26-29
    447, 191, 4, 19, 81, 249, 9,    // Female 30-34
    262, 215, 1, 23, 82, 388, 29,   // Female 35-44
    150, 187, 0, 23, 86, 452, 101,  // Female 45-54
    99,  166, 0, 21, 58, 374, 282,  // Female 55-64
    98,  66,  0, 13, 17, 216, 589,  // Female 65+
};

constexpr Weight kRelationshipWeights[] = {
    0,    0,   627, 68,  267, 38,   // Never-married Male <25
    0,    0,   248, 58,  629, 64,   // Never-married Male 25+
    0,    0,   618, 52,  271, 59,   // Never-married Female <25
    0,    0,   206, 45,  575, 174,  // Never-married Female 25+
    935,  0,   29,  35,  0,   0,    // Married-civ-spouse Male <25
    992,  0,   3,   5,   1,   0,    // Married-civ-spouse Male 25+
    0,    757, 83,  139, 0,   0,    // Married-civ-spouse Female <25
    0,    948, 22,  29,  0,   0,    // Married-civ-spouse Female 25+
    1000, 0,   0,   0,   0,   0,    // Married-AF-spouse Male <25
    1000, 0,   0,   0,   0,   0,    // Married-AF-spouse Male 25+
    0,    905, 0,   0,   0,   0,    // Married-AF-spouse Female <25
    0,    905, 0,   0,   0,   0,    // Married-AF-spouse Female 25+
    0,    0,   54,  96,  669, 181,  // Married-spouse-absent Male <25
    0,    0,   54,  96,  669, 181,  // Married-spouse-absent Male 25+
    0,    0,   86,  49,  398, 467,  // Married-spouse-absent Female <25
    0,    0,   86,  49,  398, 467,  // Married-spouse-absent Female 25+
    0,    0,   96,  47,  668, 189,  // Separated Male <25
    0,    0,   96,  47,  668, 189,  // Separated Male 25+
    0,    0,   235, 78,  176, 510,  // Separated Female <25
    0,    0,   69,  54,  267, 610,  // Separated Female 25+
    0,    0,   283, 0,   674, 0,    // Divorced Male <25
    0,    0,   88,  25,  696, 191,  // Divorced Male 25+
    0,    0,   228, 63,  392, 316,  // Divorced Female <25
    0,    0,   49,  27,  447, 478,  // Divorced Female 25+
    0,    0,   21,  46,  592, 340,  // Widowed Male <25
    0,    0,   21,  46,  592, 340,  // Widowed Male 25+
    0,    0,   12,  46,  528, 414,  // Widowed Female <25
    0,    0,   12,  46,  528, 414,  // Widowed Female 25+
};

constexpr std::uint8_t kOriginNumbers[] = {0, 1, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 1,
                                           1, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1,
                                           2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2};
constexpr std::uint8_t kSchoolingNumbers[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7};

}  // namespace

const Labels kSexes = kSexLabels;
const Labels kRaces = kRaceLabels;
const Labels kCountries = kCountryLabels;
const Labels kEducations = kEducationLabels;
const Labels kMaritals = kMaritalLabels;
const Labels kRelationships = kRelationshipLabels;
const Weights kSex = kSexWeights;
const Weights kAge = kAgeWeights;
const Weights kRace = kRaceWeights;
const Weights kCountry = kCountryWeights;
const Weights kEducation = kEducationWeights;
const Weights kMarital = kMaritalWeights;
const Weights kRelationship = kRelationshipWeights;
const std::span<const std::uint8_t> kOriginOfCountry = kOriginNumbers;
const std::span<const std::uint8_t> kSchoolingOfEducation = kSchoolingNumbers;

}  // namespace reissue::simulate::adult
