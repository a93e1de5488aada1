// SyntaxBuilder: makes the nodes of a Syntax and keeps its promises. Internal to the parser.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/syntax/ast.h"

namespace wmap::expr {

class SyntaxBuilder {
 public:
  explicit SyntaxBuilder(std::string_view source) {
    syntax_.source_ = std::make_unique<const std::string>(source);
    std::size_t nodes = source.size() / 4 + 8;
    syntax_.nodes_.reserve(nodes);
    heights_.reserve(nodes);
  }

  std::string_view source() const { return *syntax_.source_; }
  std::string_view Keep(std::string_view text) { return syntax_.text_.Copy(text); }
  Node& node(NodeId id) { return syntax_.nodes_[id]; }
  // The number of nodes on the longest way down from `id`.
  std::uint32_t height(NodeId id) const { return heights_[id]; }

  // Adds `node` with `list` as its list; its children exist already.
  NodeId Add(Node node, std::span<const NodeId> list = {}) {
    node.list_begin = static_cast<std::uint32_t>(syntax_.lists_.size());
    node.list_size = static_cast<std::uint32_t>(list.size());
    std::uint32_t below = 0;
    auto look = [&](NodeId id) {
      if (id != kNoNode) below = std::max(below, heights_[id]);
    };
    for (NodeId id : {node.a, node.b, node.c, node.d}) look(id);
    for (NodeId id : list) look(id);
    syntax_.lists_.insert(syntax_.lists_.end(), list.begin(), list.end());
    syntax_.nodes_.push_back(node);
    heights_.push_back(below + 1);
    return static_cast<NodeId>(syntax_.nodes_.size() - 1);
  }

  Syntax Finish(NodeId root) {
    syntax_.root_ = root;
    return std::move(syntax_);
  }

 private:
  Syntax syntax_;
  std::vector<std::uint32_t> heights_;
};

}  // namespace wmap::expr
