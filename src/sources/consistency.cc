#include "reissue/sources/table_source.h"

namespace reissue::sources {

std::string WordsFor(Consistency consistency) {
  switch (consistency) {
    case Consistency::kOneReading:
    case Consistency::kOneSnapshot:
      return "";
    case Consistency::kBarrier:
      return "all shards as they were at one moment, in which nobody could write";
    case Consistency::kApart:
      return "shards as they were one after the other: a row that was moved between them meanwhile "
             "may be missing, or be there twice";
  }
  return "";
}

}  // namespace reissue::sources
