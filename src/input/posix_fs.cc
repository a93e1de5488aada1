// The machine's file system.
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/text.h"
#include "input/input.h"

namespace wmap::input {
namespace {

std::unexpected<Error> FailErrno(std::string_view what) {
  int number = errno;
  char buffer[256];
  // The GNU variant: returns the text, which need not stand in the buffer.
  std::string_view reason = strerror_r(number, buffer, sizeof buffer);
  return Fail(number == ENOENT ? Code::kNotFound : Code::kUnreadable, Cat(what, ": ", reason));
}

class PosixReader final : public FileReader {
 public:
  PosixReader(int descriptor, bool is_owned) : descriptor_(descriptor), is_owned_(is_owned) {}
  PosixReader(const PosixReader&) = delete;
  PosixReader& operator=(const PosixReader&) = delete;
  ~PosixReader() override {
    if (is_owned_) close(descriptor_);
  }

  Result<std::size_t> Read(std::span<char> to) override {
    while (true) {
      ssize_t size = read(descriptor_, to.data(), to.size());
      if (size >= 0) return static_cast<std::size_t>(size);
      if (errno != EINTR) return FailErrno("cannot read");
    }
  }

 private:
  int descriptor_;
  bool is_owned_;
};

class PosixFileSystem final : public FileSystem {
 public:
  Result<FileInfo> Stat(const std::string& path) const override {
    struct stat info;
    if (stat(path.c_str(), &info) != 0) return FailErrno("cannot open");
    FileInfo::Type type = S_ISDIR(info.st_mode)   ? FileInfo::Type::kDirectory
                          : S_ISREG(info.st_mode) ? FileInfo::Type::kFile
                                                  : FileInfo::Type::kOther;
    return FileInfo{type, info.st_dev, info.st_ino};
  }

  Result<std::unique_ptr<FileReader>> Open(const std::string& path) const override {
    while (true) {
      int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
      if (descriptor >= 0) return std::make_unique<PosixReader>(descriptor, true);
      if (errno != EINTR) return FailErrno("cannot open");
    }
  }

  Result<std::unique_ptr<FileReader>> OpenStandardInput() const override {
    return std::make_unique<PosixReader>(STDIN_FILENO, false);
  }

  Result<std::vector<std::string>> List(const std::string& path) const override {
    std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
    if (folder == nullptr) return FailErrno("cannot open the folder");
    std::vector<std::string> names;
    while (true) {
      errno = 0;
      const dirent* entry = readdir(folder.get());
      if (entry == nullptr) break;
      std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return FailErrno("cannot read the folder");
    return names;
  }
};

}  // namespace

const FileSystem& SystemFileSystem() {
  static constinit PosixFileSystem files;
  return files;
}

}  // namespace wmap::input
