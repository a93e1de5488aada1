#include "json/source_map.h"

#include "base/text.h"

namespace wmap::json {

void AppendPointerToken(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

void AppendPointerIndex(std::string& pointer, std::size_t index) { CatTo(pointer, '/', index); }

std::string_view ParentPointer(std::string_view pointer) {
  std::size_t slash = pointer.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : pointer.substr(0, slash);
}

void SourceMap::Set(std::string_view pointer, const Entry& entry) {
  auto found = entries_.find(pointer);
  if (found != entries_.end()) {
    found->second = entry;
  } else {
    entries_.emplace(pointer, entry);
  }
}

const SourceMap::Entry* SourceMap::Find(std::string_view pointer) const {
  auto found = entries_.find(pointer);
  return found == entries_.end() ? nullptr : &found->second;
}

void SourceMap::MoveTo(LineColumn origin) {
  auto move = [&](LineColumn& place) {
    if (!place.known()) return;
    if (place.line == 1) place.column += origin.column - 1;
    place.line += origin.line - 1;
  };
  for (auto& [pointer, entry] : entries_) {
    move(entry.key);
    move(entry.value);
  }
}

SourceMap::Entry SourceMap::FindNearest(std::string_view pointer) const {
  for (;; pointer = ParentPointer(pointer)) {
    if (const Entry* entry = Find(pointer)) return *entry;
    if (pointer.empty()) return {};
  }
}

}  // namespace wmap::json
