#include "input/input.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "input/delivery.h"
#include "input/stream.h"

namespace wmap::input {
namespace {

constexpr std::string_view kStandardInput = "<stdin>";
// Folders inside each other, besides what the system allows for a path.
constexpr std::size_t kMostFolders = 200;

bool IsReadable(std::string_view name) {
  if (name.ends_with(kCaseFileEnding)) return false;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  constexpr std::array<std::string_view, 3> kEndings = {".yaml", ".yml", ".json"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
}

// Goes through names, folders and files, and reads the files.
class Walk {
 public:
  Walk(const FileSystem& files, Delivery& delivery, Summary& summary)
      : files_(files), delivery_(delivery), summary_(summary) {}

  void ReadNamed(const std::string& name) {
    if (name == "-") return ReadOpened(kStandardInput, files_.OpenStandardInput());
    auto info = files_.Stat(name);
    if (!info) return Fail(name, std::move(info).error());
    if (info->type != FileInfo::Type::kDirectory) return ReadOpened(name, files_.Open(name));
    std::uint64_t before = summary_.files;
    std::uint64_t errors = summary_.errors;
    WalkFolder(name, *info);
    if (summary_.files == before && summary_.errors == errors) {
      delivery_.StartFile(name);
      delivery_.Report({Problem::Severity::kWarning,
                        {.file = name, .item = 0, .place = {}},
                        Error(Code::kNotFound, "no file named *.yaml, *.yml or *.json in it"),
                        {}});
    }
  }

 private:
  struct Folder {
    std::string path;
    FileInfo info;
    std::vector<std::string> names;  // descending, so that the next one is the last
  };

  void Fail(std::string_view name, Error error) {
    delivery_.StartFile(name);
    delivery_.ReportError({.file = name, .item = 0, .place = {}}, std::move(error));
    delivery_.EndFile();
  }

  void ReadOpened(std::string_view name, Result<std::unique_ptr<FileReader>> file) {
    if (!file) return Fail(name, std::move(file).error());
    ++summary_.files;
    summary_.bytes += ReadFile(**file, name, delivery_);
  }

  void WalkFolder(const std::string& name, const FileInfo& info) {
    Enter(name, info);
    while (!folders_.empty()) {
      Folder& folder = folders_.back();
      if (folder.names.empty()) {
        folders_.pop_back();
        continue;
      }
      std::string path = folder.path;
      if (!path.ends_with('/')) path += '/';
      path += folder.names.back();
      bool is_readable = IsReadable(folder.names.back());
      folder.names.pop_back();
      Visit(path, is_readable);
    }
  }

  void Visit(const std::string& path, bool is_readable) {
    auto info = files_.Stat(path);
    if (!info) {
      // A broken link, say; of interest only when it would be read.
      if (is_readable) Fail(path, std::move(info).error());
    } else if (info->type == FileInfo::Type::kDirectory) {
      Enter(path, *info);
    } else if (is_readable && info->type == FileInfo::Type::kFile && IsNew(*info)) {
      ReadOpened(path, files_.Open(path));
    }
  }

  void Enter(const std::string& path, const FileInfo& info) {
    for (const Folder& above : folders_) {
      if (above.info == info) {
        return Fail(path, Error(Code::kUnreadable, Cat("a link back to the folder ", above.path,
                                                       ", which is above it; not followed")));
      }
    }
    if (!IsNew(info)) return;
    if (folders_.size() == kMostFolders) {
      return Fail(
          path, Error(Code::kLimit, Cat("more than ", kMostFolders, " folders inside each other")));
    }
    auto names = files_.List(path);
    if (!names) return Fail(path, std::move(names).error());
    std::ranges::sort(*names, std::greater<>());
    folders_.push_back({path, info, std::move(*names)});
  }

  // False when the file or folder was found before under another name in this walk.
  bool IsNew(const FileInfo& info) { return seen_.insert({info.device, info.inode}).second; }

  const FileSystem& files_;
  Delivery& delivery_;
  Summary& summary_;
  std::vector<Folder> folders_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen_;
};

class TextReader final : public FileReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  Result<std::size_t> Read(std::span<char> to) override {
    std::size_t size = std::min(to.size(), text_.size());
    std::copy_n(text_.data(), size, to.data());
    text_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::string Source::Describe() const {
  std::string text = IsUtf8(file) ? std::string(file) : RepairedUtf8(file);
  if (place.known()) CatTo(text, ':', place.line, ':', place.column);
  if (item != 0) CatTo(text, " item ", item);
  return text;
}

std::string Problem::Describe() const { return Cat(source.Describe(), ": ", error.Describe()); }

Summary Read(std::span<const std::string> names, const FileSystem& files, const Options& options,
             Sink objects, ProblemSink problems) {
  Summary summary;
  Delivery delivery(options, objects, problems, summary);
  for (const std::string& name : names) Walk(files, delivery, summary).ReadNamed(name);
  return summary;
}

Summary ReadText(std::string_view text, std::string_view name, const Options& options, Sink objects,
                 ProblemSink problems) {
  Summary summary;
  Delivery delivery(options, objects, problems, summary);
  TextReader reader(text);
  summary.files = 1;
  summary.bytes = ReadFile(reader, name, delivery);
  return summary;
}

}  // namespace wmap::input
