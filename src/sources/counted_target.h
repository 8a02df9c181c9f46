#pragma once
// Releases that are no files, as far as no server is needed: one that exists in memory alone, for
// publications that are only tried out, and what a target has given back as a table to be read.

#include <memory>
#include <string>

#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/sources/release_target.h"
#include "reissue/sources/table_source.h"

namespace reissue::sources {

// The rows as they would be read back. An error where there are none.
Result<Counted> CountedOf(const PublishedRows& rows, const std::string& name, ThreadPool& pool);

// Nothing of it is anywhere else; Commit does nothing.
std::unique_ptr<ReleaseTarget> TargetInMemory(std::string name, ThreadPool& pool);

// A table that was counted already, as often as it is asked for. All of its columns are wanted, and
// nobody asks it for rows. `counted` must outlive it.
std::unique_ptr<TableSource> SourceOf(const Counted& counted, std::string name);

}  // namespace reissue::sources
