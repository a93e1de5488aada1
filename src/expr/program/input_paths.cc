#include "expr/program/input_paths.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "expr/builtins/builtins.h"

namespace wmap::expr::program {
namespace {

// Functions whose result depends on their input and arguments alone, all read as a whole.
bool IsPure(std::string_view name, std::size_t arity) {
  return builtins::FindNative(name, arity) != nullptr || (name == "not" && arity == 0) ||
         ((name == "any" || name == "all") && arity == 0) || (name == "error" && arity <= 1);
}

// Functions whose argument runs on the items of the input.
bool IsOnItems(std::string_view name, std::size_t arity) {
  return arity == 1 && (name == "any" || name == "all" || name == "map");
}

// Functions whose second argument, if any, runs on what the first one gives.
bool IsOnEach(std::string_view name, std::size_t arity) {
  return ((name == "any" || name == "all") && arity == 2) || (name == "isempty" && arity == 1);
}

// Walks the tree with, for each place, the paths of the input that the value there may be a part
// of. Depth: that of the tree, which the parser bounds.
class Analysis {
 public:
  explicit Analysis(const Syntax& syntax) : syntax_(syntax) {}

  std::optional<std::vector<InputPath>> Run() {
    std::optional<Paths> result = Visit(syntax_.root(), {InputPath()});
    if (!result) return std::nullopt;
    Read(*result);
    std::ranges::sort(read_);
    if (!read_.empty() && read_.front().empty()) return std::nullopt;
    // Ascending, so that a path comes after the one that it is below.
    std::vector<InputPath> least;
    for (InputPath& path : read_) {
      bool below = !least.empty() && path.size() >= least.back().size() &&
                   std::equal(least.back().begin(), least.back().end(), path.begin());
      if (!below) least.push_back(std::move(path));
    }
    return least;
  }

 private:
  using Paths = std::vector<InputPath>;

  // Keys of paths that are looked at before it is the whole input: what follows a union goes on
  // from each of its parts, so that their number doubles with every `(.a, .b) |`.
  static constexpr std::size_t kMostWork = 100'000;

  void Read(const Paths& paths) { read_.insert(read_.end(), paths.begin(), paths.end()); }

  // What the value of `id` is used for is not followed.
  bool Consume(NodeId id, const Paths& input) {
    std::optional<Paths> result = Visit(id, input);
    if (!result) return false;
    Read(*result);
    return true;
  }

  bool ConsumeAll(std::span<const NodeId> ids, const Paths& input) {
    return std::ranges::all_of(ids, [&](NodeId id) { return Consume(id, input); });
  }

  std::optional<Paths> Visit(NodeId id, const Paths& input) {
    for (const InputPath& path : input) work_ += path.size() + 1;
    if (work_ > kMostWork) return std::nullopt;
    std::optional<Paths> paths = Follow(id, input);
    if (paths && paths->size() > input.size()) {
      std::ranges::sort(*paths);
      auto repeated = std::ranges::unique(*paths);
      paths->erase(repeated.begin(), repeated.end());
    }
    return paths;
  }

  std::optional<Paths> Follow(NodeId id, const Paths& input) {
    const Node& node = syntax_.node(id);
    switch (node.kind) {
      case NodeKind::kIdentity:
        return input;
      case NodeKind::kNull:
      case NodeKind::kFalse:
      case NodeKind::kTrue:
      case NodeKind::kNumber:
      case NodeKind::kString:
      case NodeKind::kLocation:
        return Paths();
      case NodeKind::kFormat:
        Read(input);
        return Paths();
      case NodeKind::kVariable:
        return Variable(node.text);
      case NodeKind::kField:
        return Part(node.a, node.text, input);
      case NodeKind::kIndex:
        return VisitIndex(node, input);
      case NodeKind::kSlice:
      case NodeKind::kIterate:
        return VisitItems(node, input);
      case NodeKind::kTry:
        return VisitTry(node, input);
      case NodeKind::kArray:
        if (node.a != kNoNode && !Consume(node.a, input)) return std::nullopt;
        return Paths();
      case NodeKind::kInterpolation:
        return VisitInterpolation(node, input);
      case NodeKind::kObject:
        return VisitObject(node, input);
      case NodeKind::kNegate:
        if (!Consume(node.a, input)) return std::nullopt;
        return Paths();
      case NodeKind::kBinary:
        return VisitBinary(node, input);
      case NodeKind::kPipe:
        return VisitPipe(node, input);
      case NodeKind::kComma:
        return Union(syntax_.list(node), input);
      case NodeKind::kIf:
        return VisitIf(node, input);
      case NodeKind::kBind:
        return VisitBind(node, input);
      case NodeKind::kCall:
        return VisitCall(node, input);
      default:
        return std::nullopt;
    }
  }

  std::optional<Paths> Variable(std::string_view name) const {
    for (std::size_t i = variables_.size(); i-- > 0;) {
      if (variables_[i].first == name) return variables_[i].second;
    }
    // A global one, which is no part of the input.
    return Paths();
  }

  std::optional<Paths> Part(NodeId target, std::string_view key, const Paths& input) {
    std::optional<Paths> paths = Visit(target, input);
    if (!paths) return std::nullopt;
    for (InputPath& path : *paths) path.emplace_back(key);
    return paths;
  }

  std::optional<Paths> VisitIndex(const Node& node, const Paths& input) {
    const Node& key = syntax_.node(node.b);
    if (key.kind == NodeKind::kString) return Part(node.a, key.text, input);
    if (!Consume(node.b, input) || !Consume(node.a, input)) return std::nullopt;
    return Paths();
  }

  std::optional<Paths> VisitItems(const Node& node, const Paths& input) {
    for (NodeId id : {node.a, node.b, node.c}) {
      if (id != kNoNode && !Consume(id, input)) return std::nullopt;
    }
    return Paths();
  }

  std::optional<Paths> VisitTry(const Node& node, const Paths& input) {
    std::optional<Paths> result = Visit(node.a, input);
    if (!result || node.b == kNoNode) return result;
    // The handler sees the error, which may quote what the body saw.
    Read(input);
    if (!Consume(node.b, {})) return std::nullopt;
    return result;
  }

  std::optional<Paths> VisitInterpolation(const Node& node, const Paths& input) {
    for (NodeId part : syntax_.list(node)) {
      if (syntax_.node(part).kind != NodeKind::kText && !Consume(part, input)) return std::nullopt;
    }
    return Paths();
  }

  std::optional<Paths> VisitObject(const Node& node, const Paths& input) {
    for (NodeId id : syntax_.list(node)) {
      const Node& entry = syntax_.node(id);
      if (!Consume(entry.a, input)) return std::nullopt;
      if (entry.b == kNoNode) {
        Read(input);
      } else if (!Consume(entry.b, input)) {
        return std::nullopt;
      }
    }
    return Paths();
  }

  std::optional<Paths> VisitBinary(const Node& node, const Paths& input) {
    if (IsAssignment(node.op)) return std::nullopt;
    std::array<NodeId, 2> sides = {node.a, node.b};
    if (node.op == Operator::kAlternative) return Union(sides, input);
    if (!ConsumeAll(sides, input)) return std::nullopt;
    return Paths();
  }

  std::optional<Paths> VisitPipe(const Node& node, const Paths& input) {
    Paths paths = input;
    for (NodeId part : syntax_.list(node)) {
      std::optional<Paths> next = Visit(part, paths);
      if (!next) return std::nullopt;
      paths = *std::move(next);
    }
    return paths;
  }

  std::optional<Paths> Union(std::span<const NodeId> ids, const Paths& input) {
    Paths all;
    for (NodeId id : ids) {
      std::optional<Paths> paths = Visit(id, input);
      if (!paths) return std::nullopt;
      // Whether it is null or false decides, also where another one's value is taken.
      Read(*paths);
      all.insert(all.end(), paths->begin(), paths->end());
    }
    return all;
  }

  std::optional<Paths> VisitIf(const Node& node, const Paths& input) {
    auto parts = syntax_.list(node);
    Paths all = node.a == kNoNode ? input : Paths();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::optional<Paths> paths = Visit(parts[i], input);
      if (!paths) return std::nullopt;
      if (i % 2 == 0) {
        Read(*paths);
      } else {
        all.insert(all.end(), paths->begin(), paths->end());
      }
    }
    if (node.a != kNoNode) {
      std::optional<Paths> paths = Visit(node.a, input);
      if (!paths) return std::nullopt;
      all.insert(all.end(), paths->begin(), paths->end());
    }
    return all;
  }

  std::optional<Paths> VisitBind(const Node& node, const Paths& input) {
    auto patterns = syntax_.list(node);
    if (patterns.size() != 1 || syntax_.node(patterns[0]).kind != NodeKind::kPatternVariable) {
      return std::nullopt;
    }
    std::optional<Paths> source = Visit(node.a, input);
    if (!source) return std::nullopt;
    variables_.emplace_back(syntax_.node(patterns[0]).text, *std::move(source));
    std::optional<Paths> result = Visit(node.b, input);
    variables_.pop_back();
    return result;
  }

  std::optional<Paths> VisitCall(const Node& node, const Paths& input) {
    auto arguments = syntax_.list(node);
    if (node.text == "empty" && arguments.empty()) return Paths();
    if (node.text == "select" && arguments.size() == 1) {
      if (!Consume(arguments[0], input)) return std::nullopt;
      return input;
    }
    if ((node.text == "first" || node.text == "last") && arguments.size() == 1) {
      return Visit(arguments[0], input);
    }
    if (IsOnItems(node.text, arguments.size())) {
      Read(input);
      if (!ConsumeAll(arguments, {})) return std::nullopt;
      return Paths();
    }
    if (IsOnEach(node.text, arguments.size())) {
      std::optional<Paths> each = Visit(arguments[0], input);
      if (!each) return std::nullopt;
      // There may be one, or an error, whether it is looked at or not.
      Read(*each);
      if (!ConsumeAll(arguments.subspan(1), *each)) return std::nullopt;
      return Paths();
    }
    if (node.text == "IN") {
      if (arguments.size() == 1) Read(input);
      if (!ConsumeAll(arguments, input)) return std::nullopt;
      return Paths();
    }
    if (!IsPure(node.text, arguments.size())) return std::nullopt;
    Read(input);
    if (!ConsumeAll(arguments, input)) return std::nullopt;
    return Paths();
  }

  const Syntax& syntax_;
  std::vector<std::pair<std::string_view, Paths>> variables_;
  std::vector<InputPath> read_;
  std::size_t work_ = 0;
};

}  // namespace

std::optional<std::vector<InputPath>> FindInputPaths(const Syntax& syntax) {
  return Analysis(syntax).Run();
}

}  // namespace wmap::expr::program
