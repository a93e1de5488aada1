#include "tests/mutants/tree.h"

#include <algorithm>
#include <charconv>

#include "base/arena.h"
#include "base/text.h"
#include "definition/karta.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::mutants {

Tree Tree::String(std::string_view text) {
  Tree tree;
  tree.kind = Kind::kString;
  tree.text = text;
  return tree;
}

Tree Tree::Scalar(std::string_view json) {
  Tree tree;
  tree.text = json;
  return tree;
}

Tree Tree::Of(const json::Value& value) {
  if (value.is_string()) return String(value.as_string());
  Tree tree;
  if (value.is_array()) {
    tree.kind = Kind::kList;
    for (const json::Value& item : value.items()) tree.items.push_back(Of(item));
  } else if (value.is_object()) {
    tree.kind = Kind::kObject;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const json::Member& member = value.member_in_source_order(i);
      Tree below = Of(member.value);
      if (member.key == definition::kExtensionsAnnotation) {
        Arena arena;
        if (Result<json::Value> inner = json::Read(below.text, arena)) {
          below.kind = Kind::kAnnotation;
          below.inner.push_back(Of(*inner));
        }
      }
      tree.members.emplace_back(std::string(member.key), std::move(below));
    }
  } else {
    tree.text = json::ToJson(value);
  }
  return tree;
}

Tree* Tree::Member(std::string_view name) {
  auto found = std::ranges::find(members, name, &std::pair<std::string, Tree>::first);
  return found == members.end() ? nullptr : &found->second;
}

bool Tree::Remove(std::string_view name) {
  return std::erase_if(members, [&](const auto& member) { return member.first == name; }) > 0;
}

bool Tree::Rename(std::string_view name, std::string_view other) {
  auto found = std::ranges::find(members, name, &std::pair<std::string, Tree>::first);
  if (found == members.end()) return false;
  found->first = other;
  return true;
}

Tree* Tree::Find(std::string_view pointer) {
  Tree* at = this;
  while (!pointer.empty()) {
    std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    std::string token(pointer.substr(1, end - 1));
    pointer.remove_prefix(end);
    for (std::size_t i = 0; (i = token.find('~', i)) != std::string::npos; ++i) {
      token.replace(i, 2, token.substr(i, 2) == "~1" ? "/" : "~");
    }
    if (at->kind == Kind::kAnnotation) at = &at->inner.front();
    if (at->kind == Kind::kList) {
      std::size_t index = at->items.size();
      std::from_chars(token.data(), token.data() + token.size(), index);
      at = index < at->items.size() ? &at->items[index] : nullptr;
    } else {
      at = at->Member(token);
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string Tree::Json() const {
  std::string json;
  switch (kind) {
    case Kind::kScalar:
      return text;
    case Kind::kString:
      json::WriteString(text, json);
      return json;
    case Kind::kAnnotation:
      json::WriteString(inner.front().Json(), json);
      return json;
    case Kind::kList:
      for (const Tree& item : items) CatTo(json, json.empty() ? "[" : ",", item.Json());
      return json.empty() ? "[]" : Cat(json, ']');
    case Kind::kObject:
      for (const auto& [name, member] : members) {
        json += json.empty() ? '{' : ',';
        json::WriteString(name, json);
        CatTo(json, ':', member.Json());
      }
      return json.empty() ? "{}" : Cat(json, '}');
  }
  return json;
}

}  // namespace wmap::mutants
