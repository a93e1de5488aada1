#include "json/value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "json/inline_stack.h"

namespace wmap::json {
namespace {

// Below this many members a scan is faster than a binary search.
constexpr std::size_t kScanLimit = 24;

// Keys of one size mostly differ at their end (apiVersion, conditions), so that few are compared
// whole.
bool IsSame(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || (a.back() == b.back() && a == b));
}

bool IsAscending(std::span<const Member> members) {
  for (std::size_t i = 1; i < members.size(); ++i) {
    if (members[i - 1].key >= members[i].key) return false;
  }
  return true;
}

}  // namespace

std::string_view TypeName(Type type) {
  switch (type) {
    case Type::kNull:
      return "null";
    case Type::kFalse:
    case Type::kTrue:
      return "boolean";
    case Type::kNumber:
      return "number";
    case Type::kString:
      return "string";
    case Type::kArray:
      return "array";
    case Type::kObject:
      return "object";
  }
  return "";
}

// What a number with kept digits points to: the double, then the text.
Value Value::Digits(Arena& arena, std::string_view digits, double value) {
  auto* memory =
      static_cast<char*>(arena.Allocate(sizeof(double) + digits.size(), alignof(double)));
  std::memcpy(memory, &value, sizeof value);
  std::memcpy(memory + sizeof value, digits.data(), digits.size());
  return Value(Tag::kDigits, digits.size(), Address(memory));
}

Value Value::Object(std::span<const Member> sorted_members) {
  return Value(Tag::kObject, sorted_members.size(), Address(sorted_members.data()));
}

double Value::as_double() const {
  switch (tag()) {
    case Tag::kInt:
      return static_cast<double>(as_int());
    case Tag::kDigits:
      return *At<double>();
    default:
      return std::bit_cast<double>(payload_);
  }
}

std::string_view Value::digits() const {
  if (tag() != Tag::kDigits) return {};
  return {At<char>() + sizeof(double), size()};
}

const Member& Value::member_in_source_order(std::size_t i) const {
  const Member* sorted = At<Member>();
  if (!reordered()) return sorted[i];
  auto order = static_cast<const std::uint32_t*>(static_cast<const void*>(sorted + size()));
  return sorted[order[i]];
}

const Value* Value::Find(std::string_view key) const {
  if (!is_object()) return nullptr;
  if (size() <= kScanLimit) {
    for (const Member& member : members()) {
      if (IsSame(member.key, key)) return &member.value;
    }
    return nullptr;
  }
  auto all = members();
  auto at = std::ranges::lower_bound(all, key, {}, &Member::key);
  return at != all.end() && at->key == key ? &at->value : nullptr;
}

namespace {

// Objects of at most this many members are sorted by insertion, without allocating.
constexpr std::size_t kFewMembers = 32;

// The first eight bytes of `key`, such that the order of the numbers is the order of the bytes; a
// shorter key is filled up with zeros. Equal numbers say nothing: the keys may still differ.
std::uint64_t KeyPrefix(std::string_view key) {
  static_assert(std::endian::native == std::endian::little);
  auto load = [&]<typename T>(std::size_t at, T word) {
    std::memcpy(&word, key.data() + at, sizeof word);
    return std::uint64_t{word};
  };
  const std::size_t size = key.size();
  std::uint64_t word = 0;
  if (size >= 8) {
    word = load(0, std::uint64_t{});
  } else if (size >= 4) {  // two halves that may overlap
    word = load(0, std::uint32_t{}) | load(size - 4, std::uint32_t{}) << (8 * (size - 4));
  } else if (size > 0) {
    word = load(0, std::uint8_t{}) | load(size / 2, std::uint8_t{}) << (8 * (size / 2)) |
           load(size - 1, std::uint8_t{}) << (8 * (size - 1));
  }
  return __builtin_bswap64(word);
}

// The members' places in ascending order of (key, place), for objects of few members. False when
// a key is repeated.
bool SortFew(std::span<const Member> members, std::span<std::uint64_t> prefixes,
             std::span<std::uint32_t> by_key) {
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    std::uint64_t prefix = prefixes[i];
    std::size_t to = i;
    for (; to > 0; --to) {
      std::uint32_t other = by_key[to - 1];
      if (prefixes[other] < prefix) break;
      if (prefixes[other] == prefix) {
        int order = members[other].key.compare(members[i].key);
        if (order == 0) return false;
        if (order < 0) break;
      }
      by_key[to] = other;
    }
    by_key[to] = i;
  }
  return true;
}

// The same for any number of members. Of equal keys the first keeps its place and takes the value
// of the last; the others are left out.
std::vector<std::uint32_t> SortMany(std::span<Member> members, std::string_view* repeated) {
  std::vector<std::uint32_t> by_key(members.size());
  for (std::uint32_t i = 0; i < by_key.size(); ++i) by_key[i] = i;
  std::ranges::sort(by_key, [&](std::uint32_t a, std::uint32_t b) {
    int order = members[a].key.compare(members[b].key);
    return order != 0 ? order < 0 : a < b;
  });
  std::size_t count = 0;
  std::uint32_t first_repetition = 0xFFFFFFFF;
  for (std::size_t i = 0; i < by_key.size();) {
    std::uint32_t first = by_key[i];
    std::size_t last = i;
    while (last + 1 < by_key.size() && members[by_key[last + 1]].key == members[first].key) ++last;
    if (last != i) {
      if (repeated != nullptr && by_key[i + 1] < first_repetition) {
        first_repetition = by_key[i + 1];
        *repeated = members[first].key;
      }
      members[first].value = members[by_key[last]].value;
    }
    by_key[count++] = first;
    i = last + 1;
  }
  by_key.resize(count);
  return by_key;
}

// Room for `count` members and, behind them, the table of their source order.
struct Block {
  Member* members;
  std::uint32_t* order;
};
Block AllocateReordered(Arena& arena, std::size_t count) {
  auto* block = static_cast<std::byte*>(
      arena.Allocate(count * (sizeof(Member) + sizeof(std::uint32_t)), alignof(Member)));
  return {static_cast<Member*>(static_cast<void*>(block)),
          static_cast<std::uint32_t*>(static_cast<void*>(block + count * sizeof(Member)))};
}

std::span<const Member> CopyMembers(Arena& arena, std::span<const Member> members) {
  auto* copy = arena.AllocateArray<Member>(members.size());
  std::copy(members.begin(), members.end(), copy);
  return {copy, members.size()};
}

}  // namespace

Value MakeObject(Arena& arena, std::span<const Member> in_source_order,
                 std::string_view* repeated) {
  const std::size_t size = in_source_order.size();
  WMAP_CHECK(size <= Value::kMaxSize);
  if (size <= kFewMembers) {
    std::array<std::uint64_t, kFewMembers> prefixes;
    bool ascending = true;
    for (std::size_t i = 0; i < size; ++i) {
      prefixes[i] = KeyPrefix(in_source_order[i].key);
      if (i > 0 && prefixes[i - 1] >= prefixes[i]) {
        ascending &=
            prefixes[i - 1] == prefixes[i] && in_source_order[i - 1].key < in_source_order[i].key;
      }
    }
    if (ascending) return Value::Object(CopyMembers(arena, in_source_order));
    std::array<std::uint32_t, kFewMembers> by_key;
    if (SortFew(in_source_order, prefixes, by_key)) {
      Block block = AllocateReordered(arena, size);
      for (std::uint32_t i = 0; i < size; ++i) {
        block.members[i] = in_source_order[by_key[i]];
        block.order[by_key[i]] = i;
      }
      Value v = Value::Object({block.members, size});
      v.head_ |= Value::kReordered;
      return v;
    }
  } else if (IsAscending(in_source_order)) {
    return Value::Object(CopyMembers(arena, in_source_order));
  }

  std::vector<Member> members(in_source_order.begin(), in_source_order.end());
  std::vector<std::uint32_t> by_key = SortMany(members, repeated);
  const std::size_t count = by_key.size();
  Block block = AllocateReordered(arena, count);
  std::vector<std::uint32_t> rank(size);
  for (std::uint32_t i = 0; i < count; ++i) {
    block.members[i] = members[by_key[i]];
    rank[by_key[i]] = i;
  }
  // Places in the source, ascending, name the members in source order.
  std::ranges::sort(by_key);
  bool reordered = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    block.order[i] = rank[by_key[i]];
    reordered |= block.order[i] != i;
  }
  Value v = Value::Object({block.members, count});
  if (reordered) v.head_ |= Value::kReordered;
  return v;
}

Value ObjectBuilder::Finish(Arena& arena, std::string_view* repeated) {
  Value object = MakeObject(arena, members_, repeated);
  members_.clear();
  return object;
}

Value MakeString(Arena& arena, std::string_view text) { return Value::String(arena.Copy(text)); }

Value MakeArray(Arena& arena, std::span<const Value> items) {
  auto* copy = arena.AllocateArray<Value>(items.size());
  std::copy(items.begin(), items.end(), copy);
  return Value::Array({copy, items.size()});
}

Value DeepCopy(Arena& arena, const Value& value) {
  // Each container is copied flat, then its slots are visited and replaced by copies of their own.
  struct Slots {
    Value* values;    // of an array, or
    Member* members;  // of an object
    std::size_t left;
  };
  InlineStack<Slots, 16> pending;
  auto copy = [&](Value* slot) {
    const std::size_t size = slot->size();
    switch (slot->tag()) {
      case Value::Tag::kDigits:
        *slot = Value::Digits(arena, slot->digits(), slot->as_double());
        break;
      case Value::Tag::kString:
        *slot = MakeString(arena, slot->as_string());
        break;
      case Value::Tag::kArray: {
        auto* items = arena.AllocateArray<Value>(size);
        std::copy_n(slot->items().begin(), size, items);
        slot->payload_ = Value::Address(items);
        pending.Push({items, nullptr, size});
        break;
      }
      case Value::Tag::kObject: {
        const Member* from = slot->At<Member>();
        Block block{nullptr, nullptr};
        if (slot->reordered()) {
          block = AllocateReordered(arena, size);
          std::memcpy(block.order, from + size, size * sizeof *block.order);
        } else {
          block.members = arena.AllocateArray<Member>(size);
        }
        std::copy_n(from, size, block.members);
        slot->payload_ = Value::Address(block.members);
        pending.Push({nullptr, block.members, size});
        break;
      }
      default:
        break;
    }
  };

  Value result = value;
  copy(&result);
  while (!pending.empty()) {
    Slots& slots = pending.top();
    if (slots.left == 0) {
      pending.Pop();
      continue;
    }
    --slots.left;
    if (slots.values != nullptr) {
      copy(slots.values++);
    } else {
      Member* member = slots.members++;
      member->key = arena.Copy(member->key);
      copy(&member->value);
    }
  }
  return result;
}

}  // namespace wmap::json
