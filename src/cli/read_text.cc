#include "cli/read_text.h"

#include <span>

#include "base/text.h"

namespace wmap::cli {

Result<std::string> ReadText(const std::string& name, const Context& context) {
  if (name != "-") {
    WMAP_TRY(FileInfo info, context.files->Stat(name));
    if (info.type == FileInfo::Type::kDirectory) {
      return Fail(Code::kUnreadable, "is a directory; name the files in it");
    }
  }
  WMAP_TRY(std::unique_ptr<FileReader> reader,
           name == "-" ? context.files->OpenStandardInput() : context.files->Open(name));
  std::string text;
  std::string buffer(std::size_t{64} << 10, '\0');
  while (true) {
    WMAP_TRY(std::size_t count, reader->Read(std::span(buffer)));
    if (count == 0) return text;
    if (text.size() + count > kMaxTextBytes) {
      return Fail(Code::kLimit, Cat("is larger than ", kMaxTextBytes >> 20, " MiB"));
    }
    text.append(buffer, 0, count);
  }
}

}  // namespace wmap::cli
