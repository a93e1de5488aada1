#include "input/read_text.h"

#include <memory>
#include <span>

#include "base/text.h"

namespace wmap::input {

Result<std::string> ReadText(const FileSystem& files, const std::string& path, std::size_t most) {
  if (path != "-") {
    WMAP_TRY(FileInfo info, files.Stat(path));
    if (info.type == FileInfo::Type::kDirectory) {
      return Fail(Code::kUnreadable, "is a directory; name the files in it");
    }
  }
  WMAP_TRY(std::unique_ptr<FileReader> reader,
           path == "-" ? files.OpenStandardInput() : files.Open(path));
  std::string text;
  std::string buffer(std::size_t{64} << 10, '\0');
  while (true) {
    WMAP_TRY(std::size_t count, reader->Read(std::span(buffer)));
    if (count == 0) return text;
    if (text.size() + count > most) {
      return Fail(Code::kLimit, most >= (std::size_t{1} << 20)
                                    ? Cat("is larger than ", most >> 20, " MiB")
                                    : Cat("is larger than ", most >> 10, " KiB"));
    }
    text.append(buffer, 0, count);
  }
}

}  // namespace wmap::input
