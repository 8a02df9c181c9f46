#include "reissue/sources/files.h"

#include <algorithm>

#include "reissue/io/csv_count.h"

namespace reissue::sources {
namespace {

class CsvTable final : public TableSource {
 public:
  CsvTable(std::string path, std::unique_ptr<io::CsvStream> stream)
      : path_(std::move(path)), stream_(std::move(stream)) {}

  const std::string& name() const override { return path_; }
  const std::vector<std::string>& columns() const override { return stream_->header(); }
  Consistency consistency() const override { return Consistency::kOneReading; }

  Result<Counted> Count(const Wanted& wanted) override {
    io::CsvCounted file =
        REISSUE_TRY(stream_->Count(wanted.columns, wanted.identifier, wanted.hash));
    Counted counted;
    counted.persons = std::move(file.persons);
    if (file.twice) {
      counted.twice = {
          {file.table.origin().file, file.twice->line, std::nullopt, wanted.identifier},
          file.twice->earlier};
    }
    counted.table = std::move(file.table);
    counted.dropped_rows = file.dropped_rows;
    counted.digest = std::move(file.digest);
    counted.fingerprint = file.fingerprint;
    return counted;
  }

  Result<Listed> Rows(const Wanted& wanted) override {
    std::vector<std::string> columns = wanted.columns;
    if (!wanted.identifier.empty()) columns.push_back(wanted.identifier);
    io::CsvFile file = REISSUE_TRY(stream_->List(columns));
    return Listed{std::move(file.table), file.dropped_rows, std::move(file.digest)};
  }

 private:
  std::string path_;
  std::unique_ptr<io::CsvStream> stream_;
};

}  // namespace

Result<std::unique_ptr<TableSource>> OpenFile(io::FileSystem& files, const std::string& path,
                                              const io::CsvOptions& options, ThreadPool& pool,
                                              Progress& progress) {
  auto stream = REISSUE_TRY(io::CsvStream::Open(files, path, options, pool, progress));
  return std::unique_ptr<TableSource>(std::make_unique<CsvTable>(path, std::move(stream)));
}

}  // namespace reissue::sources
