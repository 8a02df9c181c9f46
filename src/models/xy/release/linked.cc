#include "reissue/models/xy/release/linked.h"
