// A file system in memory, with faults on request.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fs.h"

namespace wmap::testing {

class MemoryFileSystem final : public FileSystem {
 public:
  // Adds a file; the folders above it appear by themselves.
  void Add(const std::string& path, std::string text) {
    nodes_[path] = {FileInfo::Type::kFile, std::move(text), "", NextInode()};
    AddFoldersAbove(path);
  }
  void AddFolder(const std::string& path) {
    nodes_.try_emplace(path, Node{FileInfo::Type::kDirectory, "", "", NextInode()});
    AddFoldersAbove(path);
  }
  // `path` leads to `target`, a path that need not be there.
  void Link(const std::string& path, const std::string& target) {
    nodes_[path] = {FileInfo::Type::kOther, "", target, 0};
    AddFoldersAbove(path);
  }
  void SetStandardInput(std::string text) { standard_input_ = std::move(text); }

  // From here on no read returns more than `bytes`.
  void LimitReads(std::size_t bytes) { most_bytes_ = bytes; }
  // Opening or listing `path` fails.
  void MakeUnreadable(const std::string& path) { unreadable_.push_back(path); }
  // Reading `path` fails behind its first `bytes` bytes.
  void BreakAfter(const std::string& path, std::size_t bytes) { broken_[path] = bytes; }

  Result<FileInfo> Stat(const std::string& path) const override {
    const Node* node = Find(path);
    if (node == nullptr) return Fail(Code::kNotFound, "cannot open: No such file or directory");
    return FileInfo{node->type, 1, node->inode};
  }
  Result<std::unique_ptr<FileReader>> Open(const std::string& path) const override {
    const Node* node = Find(path);
    if (node == nullptr) return Fail(Code::kNotFound, "cannot open: No such file or directory");
    if (IsUnreadable(path)) return Fail(Code::kUnreadable, "cannot open: Permission denied");
    auto broken = broken_.find(path);
    return std::make_unique<Reader>(node->text, most_bytes_,
                                    broken == broken_.end() ? kNever : broken->second);
  }
  Result<std::unique_ptr<FileReader>> OpenStandardInput() const override {
    return std::make_unique<Reader>(standard_input_, most_bytes_, kNever);
  }
  Result<std::vector<std::string>> List(const std::string& path) const override {
    if (IsUnreadable(path)) {
      return Fail(Code::kUnreadable, "cannot open the folder: Permission denied");
    }
    std::string folder = Resolve(path) + "/";
    std::vector<std::string> names;
    for (const auto& [name, node] : nodes_) {
      if (name.starts_with(folder) && name.find('/', folder.size()) == std::string::npos) {
        names.push_back(name.substr(folder.size()));
      }
    }
    return names;
  }

 private:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  struct Node {
    FileInfo::Type type;
    std::string text;
    std::string target;  // of a link
    std::uint64_t inode;
  };

  class Reader final : public FileReader {
   public:
    Reader(std::string_view text, std::size_t most_bytes, std::size_t breaks_after)
        : text_(text), most_bytes_(most_bytes), breaks_after_(breaks_after) {}

    Result<std::size_t> Read(std::span<char> to) override {
      if (done_ >= breaks_after_) return Fail(Code::kUnreadable, "cannot read: Input/output error");
      std::size_t size =
          std::min({to.size(), text_.size() - done_, most_bytes_, breaks_after_ - done_});
      text_.copy(to.data(), size, done_);
      done_ += size;
      return size;
    }

   private:
    std::string_view text_;
    std::size_t most_bytes_;
    std::size_t breaks_after_;
    std::size_t done_ = 0;
  };

  std::uint64_t NextInode() { return ++inodes_; }

  void AddFoldersAbove(const std::string& path) {
    std::size_t slash = path.rfind('/');
    if (slash != std::string::npos && slash != 0) AddFolder(path.substr(0, slash));
  }

  // `path` with the links in it followed; links that go round and round lead nowhere.
  std::string Resolve(std::string path) const {
    for (int hops = 0; hops < 40; ++hops) {
      bool is_final = true;
      for (const auto& [link, node] : nodes_) {
        if (node.target.empty()) continue;
        if (path == link || path.starts_with(link + "/")) {
          path = node.target + path.substr(link.size());
          is_final = false;
          break;
        }
      }
      if (is_final) return path;
    }
    return "";
  }
  const Node* Find(const std::string& path) const {
    auto found = nodes_.find(Resolve(path));
    return found == nodes_.end() ? nullptr : &found->second;
  }
  bool IsUnreadable(const std::string& path) const {
    return std::find(unreadable_.begin(), unreadable_.end(), path) != unreadable_.end();
  }

  std::map<std::string, Node> nodes_;
  std::string standard_input_;
  std::uint64_t inodes_ = 0;
  std::size_t most_bytes_ = kNever;
  std::vector<std::string> unreadable_;
  std::map<std::string, std::size_t> broken_;
};

}  // namespace wmap::testing
