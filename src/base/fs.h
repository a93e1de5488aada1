// The file system seam: what the library needs of files, as an interface. The real one is
// input::SystemFileSystem(); tests pass an in-memory one that can fail on purpose.
//
// Errors are kNotFound where there is nothing, else kUnreadable; they say what failed and why, not
// the path. Implementations may be used from several threads; a FileReader belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace wmap {

struct FileInfo {
  enum class Type : std::uint8_t { kFile, kDirectory, kOther /* pipe, device, socket */ };

  Type type = Type::kFile;
  // Together they tell whether two paths lead to the same thing.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend bool operator==(const FileInfo&, const FileInfo&) = default;
};

// An open file or stream, closed by its destructor.
class FileReader {
 public:
  virtual ~FileReader() = default;
  // Fills the front of `to` and returns how many bytes that were: at least one, but maybe fewer
  // than `to` holds; 0 at the end. Requires room in `to`.
  virtual Result<std::size_t> Read(std::span<char> to) = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // What `path` leads to; links are followed.
  virtual Result<FileInfo> Stat(const std::string& path) const = 0;
  virtual Result<std::unique_ptr<FileReader>> Open(const std::string& path) const = 0;
  virtual Result<std::unique_ptr<FileReader>> OpenStandardInput() const = 0;
  // The names in a directory, without "." and "..", in any order.
  virtual Result<std::vector<std::string>> List(const std::string& path) const = 0;
};

}  // namespace wmap
