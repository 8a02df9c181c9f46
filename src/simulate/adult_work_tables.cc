#include "reissue/simulate/adult_tables.h"

namespace reissue::simulate::adult {
namespace {

constexpr std::string_view kOccupationLabels[] = {
    "Exec-managerial",  "Prof-specialty",    "Tech-support",    "Sales",        "Adm-clerical",
    "Protective-serv",  "Other-service",     "Priv-house-serv", "Craft-repair", "Machine-op-inspct",
    "Transport-moving", "Handlers-cleaners", "Farming-fishing", "Armed-Forces"};

constexpr std::string_view kWorkclassLabels[] = {"Private",     "Self-emp-not-inc", "Self-emp-inc",
                                                 "Federal-gov", "Local-gov",        "State-gov",
                                                 "Without-pay"};

constexpr std::string_view kClassLabels[] = {"<=50K", ">50K"};

constexpr Weight kOccupationWeights[] = {
    0,   0,   0,  38,  0,   0,  154, 0,   192, 123, 38,  200, 231, 0,  // to 8th Male <25
    31,  13,  0,  39,  21,  11, 131, 0,   222, 143, 123, 105, 157, 0,  // to 8th Male 25+
    17,  11,  11, 51,  34,  0,  402, 132, 25,  250, 0,   37,  22,  0,  // to 8th Female <25
    17,  11,  11, 51,  34,  0,  402, 132, 25,  250, 0,   37,  22,  0,  // to 8th Female 25+
    6,   20,  4,  92,  25,  6,  299, 8,   139, 72,  51,  218, 60,  0,  // 9th-12th Male <25
    43,  8,   4,  51,  27,  15, 94,  0,   293, 134, 159, 98,  74,  0,  // 9th-12th Male 25+
    9,   37,  0,  375, 118, 9,  344, 24,  13,  37,  0,   20,  9,   0,  // 9th-12th Female <25
    47,  14,  12, 105, 117, 12, 386, 40,  35,  157, 21,  40,  13,  0,  // 9th-12th Female 25+
    23,  9,   11, 109, 71,  21, 153, 0,   187, 123, 63,  176, 52,  2,  // HS-grad Male <25
    88,  21,  17, 89,  56,  30, 69,  0,   282, 109, 121, 63,  54,  0,  // HS-grad Male 25+
    38,  19,  17, 207, 270, 3,  281, 14,  26,  76,  9,   37,  0,   0,  // HS-grad Female <25
    92,  32,  24, 117, 317, 8,  220, 19,  35,  86,  16,  28,  6,   0,  // HS-grad Female 25+
    50,  50,  34, 146, 134, 37, 193, 0,   91,  52,  49,  126, 36,  0,  // Some-college Male <25
    157, 64,  39, 148, 78,  44, 54,  0,   215, 61,  64,  40,  36,  0,  // Some-college Male 25+
    38,  61,  35, 243, 297, 10, 244, 9,   10,  26,  3,   17,  6,   0,  // Some-college Female <25
    158, 70,  59, 109, 370, 11, 137, 5,   20,  35,  9,   9,   9,   0,  // Some-college Female 25+
    75,  52,  52, 98,  80,  34, 121, 0,   230, 92,  34,  86,  46,  0,  // Associate Male <25
    142, 96,  83, 118, 71,  50, 48,  0,   230, 51,  37,  25,  47,  0,  // Associate Male 25+
    56,  96,  56, 140, 382, 0,  208, 0,   0,   17,  0,   0,   17,  0,  // Associate Female <25
    145, 210, 99, 78,  294, 7,  101, 5,   25,  20,  6,   8,   3,   0,  // Associate Female 25+
    191, 292, 62, 212, 95,  0,  49,  0,   12,  25,  9,   22,  22,  0,  // Bachelors Male <25
    290, 251, 41, 185, 63,  25, 23,  0,   61,  13,  15,  13,  20,  0,  // Bachelors Male 25+
    173, 304, 47, 148, 244, 0,  52,  0,   0,   8,   8,   0,   0,   0,  // Bachelors Female <25
    217, 375, 49, 109, 163, 12, 48,  4,   9,   7,   0,   3,   4,   0,  // Bachelors Female 25+
    346, 442, 25, 95,  32,  11, 8,   0,   18,  5,   6,   3,   8,   0,  // Masters Male <25
    346, 442, 25, 95,  32,  11, 8,   0,   18,  5,   6,   3,   8,   0,  // Masters Male 25+
    221, 625, 17, 46,  57,  0,  26,  0,   4,   4,   0,   0,   0,   0,  // Masters Female <25
    221, 625, 17, 46,  57,  0,  26,  0,   4,   4,   0,   0,   0,   0,  // Masters Female 25+
    108, 810, 13, 29,  11,  0,  4,   0,   11,  0,   5,   0,   6,   0,  // Prof, Doctorate Male <25
    108, 810, 13, 29,  11,  0,  4,   0,   11,  0,   5,   0,   6,   0,  // Prof, Doctorate Male 25+
    117, 801, 0,  26,  17,  0,  13,  0,   0,   0,   0,   0,   0,   0,  // Prof, Doctorate Female <25
    117, 801, 0,  26,  17,  0,  13,  0,   0,   0,   0,   0,   0,   0,  // Prof, Doctorate Female 25+
};

constexpr Weight kWorkclassWeights[] = {
    884,  12,  18,  24,   24,  39,  0,   // Exec-managerial <25
    676,  87,  93,  45,   52,  47,  0,   // Exec-managerial 25-54
    482,  171, 168, 46,   81,  50,  0,   // Exec-managerial 55+
    659,  28,  0,   24,   155, 129, 0,   // Prof-specialty <25
    555,  88,  38,  41,   178, 100, 0,   // Prof-specialty 25-54
    461,  166, 74,  44,   156, 99,  0,   // Prof-specialty 55+
    821,  0,   0,   28,   17,  123, 0,   // Tech-support <25
    801,  27,  7,   66,   46,  53,  0,   // Tech-support 25-54
    724,  81,  0,   122,  33,  33,  0,   // Tech-support 55+
    970,  13,  9,   3,    2,   2,   0,   // Sales <25
    793,  113, 84,  3,    3,   4,   0,   // Sales 25-54
    604,  235, 148, 5,    0,   4,   0,   // Sales 55+
    843,  12,  8,   28,   45,  64,  0,   // Adm-clerical <25
    737,  9,   7,   102,  78,  67,  0,   // Adm-clerical 25-54
    658,  30,  13,  111,  113, 71,  0,   // Adm-clerical 55+
    541,  0,   0,   0,    333, 117, 0,   // Protective-serv <25
    216,  8,   7,   56,   507, 206, 0,   // Protective-serv 25-54
    619,  0,   0,   25,   280, 68,  0,   // Protective-serv 55+
    922,  15,  5,   5,    19,  33,  0,   // Other-service <25
    792,  67,  11,  13,   73,  44,  0,   // Other-service 25-54
    694,  123, 8,   18,   118, 37,  0,   // Other-service 55+
    1000, 0,   0,   0,    0,   0,   0,   // Priv-house-serv <25
    1000, 0,   0,   0,    0,   0,   0,   // Priv-house-serv 25-54
    1000, 0,   0,   0,    0,   0,   0,   // Priv-house-serv 55+
    899,  59,  18,  0,    15,  5,   0,   // Craft-repair <25
    777,  128, 26,  16,   36,  16,  0,   // Craft-repair 25-54
    672,  211, 35,  20,   44,  20,  0,   // Craft-repair 55+
    974,  7,   7,   0,    7,   0,   0,   // Machine-op-inspct <25
    955,  19,  4,   8,    8,   6,   0,   // Machine-op-inspct 25-54
    929,  45,  0,   0,    0,   10,  0,   // Machine-op-inspct 55+
    901,  31,  13,  0,    13,  31,  0,   // Transport-moving <25
    804,  76,  12,  15,   73,  22,  0,   // Transport-moving 25-54
    712,  110, 38,  24,   75,  38,  0,   // Transport-moving 55+
    955,  9,   4,   9,    16,  6,   0,   // Handlers-cleaners <25
    917,  12,  2,   21,   36,  12,  0,   // Handlers-cleaners 25-54
    897,  0,   0,   21,   62,  0,   0,   // Handlers-cleaners 55+
    726,  165, 57,  0,    26,  17,  0,   // Farming-fishing <25
    458,  426, 58,  9,    31,  15,  0,   // Farming-fishing 25-54
    222,  674, 46,  0,    25,  18,  12,  // Farming-fishing 55+
    0,    0,   0,   1000, 0,   0,   0,   // Armed-Forces <25
    0,    0,   0,   1000, 0,   0,   0,   // Armed-Forces 25-54
    0,    0,   0,   1000, 0,   0,   0,   // Armed-Forces 55+
};

constexpr Weight kHoursKindWeights[] = {
    271, 208, 62,  250, 0,   125, 62,   // <20 Male self
    286, 422, 97,  136, 19,  32,  0,    // <20 Male desk
    161, 312, 108, 301, 54,  54,  0,    // <20 Male road
    246, 406, 60,  226, 21,  25,  15,   // <20 Male other
    291, 513, 65,  118, 0,   0,   0,    // <20 Female self
    291, 513, 65,  118, 0,   0,   0,    // <20 Female desk
    291, 513, 65,  118, 0,   0,   0,    // <20 Female road
    307, 436, 39,  194, 7,   10,  7,    // <20 Female other
    25,  169, 68,  458, 68,  119, 93,   // 20-24 Male self
    71,  206, 62,  410, 109, 107, 35,   // 20-24 Male desk
    46,  169, 57,  474, 63,  97,  94,   // 20-24 Male road
    44,  195, 82,  520, 55,  71,  32,   // 20-24 Male other
    122, 313, 123, 323, 48,  47,  25,   // 20-24 Female self
    122, 313, 123, 323, 48,  47,  25,   // 20-24 Female desk
    0,   130, 109, 543, 109, 0,   0,    // 20-24 Female road
    109, 281, 109, 429, 33,  25,  13,   // 20-24 Female other
    17,  66,  47,  259, 98,  245, 269,  // 25-61 Male self
    8,   26,  38,  407, 155, 242, 123,  // 25-61 Male desk
    7,   41,  37,  512, 113, 149, 142,  // 25-61 Male road
    10,  46,  45,  640, 120, 94,  45,   // 25-61 Male other
    98,  187, 83,  279, 76,  125, 151,  // 25-61 Female self
    28,  92,  107, 486, 108, 124, 55,   // 25-61 Female desk
    22,  133, 93,  556, 107, 31,  58,   // 25-61 Female road
    34,  135, 126, 571, 64,  44,  25,   // 25-61 Female other
    140, 243, 66,  266, 68,  111, 106,  // 62+ Male self
    149, 156, 64,  346, 67,  140, 78,   // 62+ Male desk
    171, 235, 48,  390, 48,  48,  59,   // 62+ Male road
    129, 196, 48,  495, 79,  36,  17,   // 62+ Male other
    233, 278, 89,  178, 33,  89,  100,  // 62+ Female self
    202, 241, 110, 342, 53,  35,  18,   // 62+ Female desk
    202, 241, 110, 342, 53,  35,  18,   // 62+ Female road
    217, 301, 112, 305, 23,  15,  27,   // 62+ Female other
};

constexpr std::uint8_t kWorkNumbers[] = {1, 1, 3, 1, 3, 2, 3, 3, 3, 3, 2, 3, 2, 3};

constexpr Amount kHoursAmounts[] = {
    {1, 6},    {2, 12},   {3, 18},   {4, 24},   {5, 30},   {6, 30},   {7, 16},   {8, 76},
    {9, 12},   {10, 166}, {11, 8},   {12, 100}, {13, 11},  {14, 20},  {15, 260}, {16, 126},
    {17, 20},  {18, 56},  {19, 10},  {20, 319}, {21, 8},   {22, 11},  {23, 7},   {24, 61},
    {25, 163}, {26, 7},   {27, 8},   {28, 24},  {29, 2},   {30, 292}, {31, 2},   {32, 74},
    {33, 12},  {34, 9},   {35, 580}, {36, 101}, {37, 77},  {38, 222}, {39, 20},  {40, 1000},
    {41, 12},  {42, 73},  {43, 49},  {44, 67},  {45, 581}, {46, 28},  {47, 18},  {48, 164},
    {49, 8},   {50, 728}, {51, 4},   {52, 36},  {53, 6},   {54, 10},  {55, 181}, {56, 24},
    {57, 3},   {58, 7},   {59, 1},   {60, 568}, {61, 1},   {62, 6},   {63, 4},   {64, 6},
    {65, 95},  {66, 6},   {67, 2},   {68, 4},   {69, 1},   {70, 114}, {72, 26},  {73, 1},
    {74, 1},   {75, 27},  {76, 1},   {77, 2},   {78, 4},   {79, 1},   {80, 51},  {81, 1},
    {82, 1},   {84, 18},  {85, 5},   {86, 1},   {87, 1},   {88, 1},   {89, 1},   {90, 11},
    {91, 1},   {92, 1},   {94, 1},   {95, 1},   {96, 2},   {97, 1},   {98, 4},   {99, 33},
};

constexpr Amount kLowerGains[] = {
    {114, 6},   {594, 30},  {914, 7},   {1055, 22}, {1086, 4},  {1151, 9},  {1409, 4},  {1471, 6},
    {1506, 16}, {1797, 6},  {1831, 6},  {1848, 6},  {2036, 4},  {2105, 8},  {2174, 51}, {2176, 20},
    {2202, 19}, {2290, 6},  {2329, 4},  {2346, 4},  {2354, 14}, {2407, 16}, {2414, 5},  {2463, 11},
    {2580, 13}, {2597, 20}, {2635, 9},  {2653, 6},  {2829, 28}, {2885, 20}, {2907, 12}, {2964, 7},
    {2977, 8},  {3103, 6},  {3137, 35}, {3273, 5},  {3325, 57}, {3411, 21}, {3418, 4},  {3456, 4},
    {3464, 21}, {3471, 7},  {3674, 14}, {3781, 10}, {3818, 6},  {3887, 6},  {3908, 29}, {3942, 11},
    {4064, 37}, {4101, 20}, {4386, 11}, {4416, 16}, {4508, 15}, {4650, 44}, {4865, 17}, {5013, 82},
    {5455, 13}, {5721, 5},  {6497, 11}, {6849, 29}, {7443, 5},  {10566, 6}};

constexpr Amount kUpperGains[] = {{3103, 58},  {4386, 37},  {4787, 14},  {4934, 4},    {5178, 58},
                                  {6418, 6},   {6514, 4},   {7298, 148}, {7430, 6},    {7688, 165},
                                  {8614, 33},  {9386, 10},  {10520, 27}, {10605, 7},   {13550, 17},
                                  {14084, 20}, {14344, 14}, {15020, 4},  {15024, 210}, {20051, 19},
                                  {25236, 6},  {27828, 24}, {99999, 96}};

constexpr Amount kLowerLosses[] = {
    {213, 5},   {323, 5},   {625, 16},  {880, 6},   {1092, 11}, {1138, 4},  {1258, 5},  {1340, 11},
    {1380, 10}, {1408, 31}, {1485, 22}, {1504, 22}, {1573, 10}, {1579, 28}, {1590, 56}, {1594, 9},
    {1602, 38}, {1617, 11}, {1628, 21}, {1651, 10}, {1668, 8},  {1669, 33}, {1672, 47}, {1719, 32},
    {1721, 21}, {1726, 9},  {1740, 55}, {1741, 40}, {1762, 17}, {1876, 57}, {1902, 17}, {1974, 26},
    {1980, 35}, {2001, 31}, {2002, 30}, {2042, 12}, {2051, 28}, {2057, 14}, {2129, 5},  {2179, 18},
    {2205, 15}, {2206, 5},  {2238, 4},  {2258, 22}, {2339, 23}, {2377, 12}, {2603, 5},  {3770, 4}};

constexpr Amount kUpperLosses[] = {{1485, 38},  {1564, 36},  {1825, 4},  {1848, 59}, {1887, 208},
                                   {1902, 251}, {1977, 224}, {2174, 7},  {2231, 6},  {2246, 7},
                                   {2258, 15},  {2377, 8},   {2392, 9},  {2415, 62}, {2444, 18},
                                   {2472, 4},   {2547, 5},   {2559, 15}, {2824, 11}, {3004, 4}};

constexpr std::int8_t kEducationScores[] = {-4, -7, -6, -6, -6, -5, -4, -3,
                                            -1, 0,  1,  1,  3,  4,  7,  7};
constexpr std::int8_t kRelationshipScores[] = {4, 9, -5, -3, -3, -4};
constexpr std::int8_t kAgeBandScores[] = {-9, -8, -7, -5, -2, 0, 2, 3, 2, 2};
constexpr std::int8_t kOccupationScores[] = {3, 2, 2, 1, 0, 2, -4, -3, 0, -2, -1, -3, -3, 0};
constexpr std::int8_t kHoursKindScores[] = {-4, -4, 0, 0, 2, 2, 2};
constexpr std::int8_t kWorkclassScores[] = {0, -2, 1, 2, -1, -1, -1};
constexpr std::int8_t kSexScores[] = {1, -2};

constexpr std::uint16_t kChanceNumbers[] = {5000, 5622, 6225, 6792, 7311, 7773, 8176, 8520, 8808,
                                            9047, 9241, 9399, 9526, 9627, 9707, 9770, 9820, 9859,
                                            9890, 9914, 9933, 9948, 9959, 9968, 9975, 9981, 9985,
                                            9988, 9991, 9993, 9994, 9996, 9997};

constexpr std::uint32_t kSamplingQuantiles[] = {
    13000,  34000,  47000,  62000,  80000,  94000,  103000, 110000, 117000, 125000, 134000,
    143000, 152000, 160000, 167000, 173000, 178000, 184000, 190000, 195000, 201000, 208000,
    216000, 227000, 238000, 251000, 267000, 286000, 308000, 334000, 363000, 414000, 1490000};

}  // namespace

const Labels kOccupations = kOccupationLabels;
const Labels kWorkclasses = kWorkclassLabels;
const Labels kClasses = kClassLabels;
const Weights kOccupation = kOccupationWeights;
const Weights kWorkclass = kWorkclassWeights;
const Weights kHoursKind = kHoursKindWeights;
const std::span<const std::uint8_t> kWorkOfOccupation = kWorkNumbers;
const std::span<const Amount> kHours = kHoursAmounts;
const std::span<const Amount> kGains[2] = {kLowerGains, kUpperGains};
const std::span<const Amount> kLosses[2] = {kLowerLosses, kUpperLosses};
const Scores kEducationScore = kEducationScores;
const Scores kRelationshipScore = kRelationshipScores;
const Scores kAgeBandScore = kAgeBandScores;
const Scores kOccupationScore = kOccupationScores;
const Scores kHoursKindScore = kHoursKindScores;
const Scores kWorkclassScore = kWorkclassScores;
const Scores kSexScore = kSexScores;
const std::span<const std::uint16_t> kChances = kChanceNumbers;
const std::span<const std::uint32_t> kSamplingWeights = kSamplingQuantiles;

}  // namespace reissue::simulate::adult
