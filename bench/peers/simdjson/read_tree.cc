// Reads a JSON file into a tree with simdjson: the peer of `big-dump`.
//
//   simdjson [--dom] FILE
//
// The tree is what a program keeps that goes on working with the data: nodes of 16 bytes and the
// texts, in an arena, independent of the parser's own buffers. With --dom the copy is left out and
// simdjson's tape is the result. Prints the number of values, so that nothing can be optimised
// away.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <simdjson.h>
#include <string_view>
#include <vector>

namespace {

namespace dom = simdjson::dom;

class Arena {
 public:
  void* Allocate(std::size_t bytes) {
    bytes = (bytes + 7) & ~std::size_t{7};
    if (bytes > kChunk / 4) return chunks_.emplace_back(new char[bytes]).get();
    if (bytes > left_) {
      next_ = chunks_.emplace_back(new char[kChunk]).get();
      left_ = kChunk;
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

enum class Type : std::uint8_t { kNull, kBool, kInteger, kDouble, kText, kArray, kObject };

// An object's members are pairs of nodes, a key before each value.
struct Node {
  Type type = Type::kNull;
  std::uint32_t size = 0;
  union {
    bool truth;
    std::int64_t integer;
    double number;
    const char* text;
    const Node* children;
  };
};
static_assert(sizeof(Node) == 16);

class Copier {
 public:
  Node Copy(const dom::element& element) {
    ++values_;
    Node out;
    switch (element.type()) {
      case dom::element_type::ARRAY:
        return CopyArray(element.get_array().value_unsafe());
      case dom::element_type::OBJECT:
        return CopyObject(element.get_object().value_unsafe());
      case dom::element_type::STRING:
        return CopyText(element.get_string().value_unsafe());
      case dom::element_type::INT64:
        out.type = Type::kInteger;
        out.integer = element.get_int64().value_unsafe();
        break;
      case dom::element_type::UINT64:
      case dom::element_type::DOUBLE:
        out.type = Type::kDouble;
        out.number = element.get_double().value_unsafe();
        break;
      case dom::element_type::BOOL:
        out.type = Type::kBool;
        out.truth = element.get_bool().value_unsafe();
        break;
      case dom::element_type::NULL_VALUE:
        break;
    }
    return out;
  }

  std::int64_t values() const { return values_; }

 private:
  Node* Nodes(std::size_t count) {
    return static_cast<Node*>(arena_.Allocate(count * sizeof(Node)));
  }

  Node CopyText(std::string_view text) {
    auto* copy = static_cast<char*>(arena_.Allocate(text.size()));
    std::memcpy(copy, text.data(), text.size());
    Node out;
    out.type = Type::kText;
    out.size = static_cast<std::uint32_t>(text.size());
    out.text = copy;
    return out;
  }

  Node CopyArray(const dom::array& array) {
    Node out;
    out.type = Type::kArray;
    out.size = static_cast<std::uint32_t>(Count(array));
    Node* child = Nodes(out.size);
    out.children = child;
    for (const dom::element element : array) *child++ = Copy(element);
    return out;
  }

  Node CopyObject(const dom::object& object) {
    Node out;
    out.type = Type::kObject;
    out.size = static_cast<std::uint32_t>(Count(object));
    Node* child = Nodes(2 * std::size_t{out.size});
    out.children = child;
    for (const dom::key_value_pair field : object) {
      *child++ = CopyText(field.key);
      *child++ = Copy(field.value);
    }
    return out;
  }

  // The tape saturates its counts at 2^24 - 1; only then the elements have to be counted.
  template <typename Container>
  static std::size_t Count(const Container& container) {
    constexpr std::size_t kSaturated = 0xFFFFFF;
    std::size_t count = container.size();
    if (count < kSaturated) return count;
    count = 0;
    for (auto it = container.begin(); it != container.end(); ++it) ++count;
    return count;
  }

  Arena arena_;
  std::int64_t values_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const bool dom_only = argc == 3 && std::string_view(argv[1]) == "--dom";
  if (argc != 2 && !dom_only) {
    std::fputs("usage: simdjson [--dom] FILE\n", stderr);
    return 2;
  }
  dom::parser parser;
  dom::element root;
  if (const auto error = parser.load(argv[argc - 1]).get(root)) {
    std::fprintf(stderr, "simdjson: %s: %s\n", argv[argc - 1], simdjson::error_message(error));
    return 1;
  }
  if (dom_only) {
    std::printf("%d\n", static_cast<int>(root.type()));
    return 0;
  }
  auto copier = std::make_unique<Copier>();
  const Node tree = copier->Copy(root);
  std::printf("simdjson %d.%d.%d: %lld values in a root of %u\n", simdjson::SIMDJSON_VERSION_MAJOR,
              simdjson::SIMDJSON_VERSION_MINOR, simdjson::SIMDJSON_VERSION_REVISION,
              static_cast<long long>(copier->values()), tree.size);
  std::fflush(stdout);
  std::quick_exit(0);  // releasing the tree is not part of reading
}
