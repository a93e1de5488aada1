#include "json/value.h"

#include <algorithm>
#include <cstring>

namespace wmap::json {
namespace {

// Below this many members a scan is faster than a binary search.
constexpr std::size_t kScanLimit = 8;

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

Value Value::Digits(Arena& arena, std::string_view digits, double value) {
  WMAP_CHECK(digits.size() <= kMaxSize);
  void* memory = arena.Allocate(sizeof(double) + digits.size(), alignof(DigitText));
  std::memcpy(memory, &value, sizeof value);
  std::memcpy(static_cast<char*>(memory) + sizeof value, digits.data(), digits.size());
  Value v;
  v.tag_ = Tag::kDigits;
  v.size_ = static_cast<std::uint32_t>(digits.size());
  v.digits_ = static_cast<const DigitText*>(memory);
  return v;
}

Value Value::Object(std::span<const Member> sorted_members) {
  WMAP_CHECK(sorted_members.size() <= kMaxSize);
  Value v;
  v.tag_ = Tag::kObject;
  v.size_ = static_cast<std::uint32_t>(sorted_members.size());
  v.members_ = sorted_members.data();
  return v;
}

double Value::as_double() const {
  switch (tag_) {
    case Tag::kInt:
      return static_cast<double>(int_);
    case Tag::kDigits:
      return digits_->value;
    default:
      return double_;
  }
}

std::string_view Value::digits() const {
  if (tag_ != Tag::kDigits) return {};
  return {static_cast<const char*>(static_cast<const void*>(digits_)) + sizeof(double), size_};
}

const Member& Value::member_in_source_order(std::size_t i) const {
  if (!reordered_) return members_[i];
  auto order = static_cast<const std::uint32_t*>(static_cast<const void*>(members_ + size_));
  return members_[order[i]];
}

const Value* Value::Find(std::string_view key) const {
  if (tag_ != Tag::kObject) return nullptr;
  if (size_ <= kScanLimit) {
    for (std::size_t i = 0; i < size_; ++i) {
      const Member& member = members_[i];
      if (member.key.size() == key.size() &&
          std::memcmp(member.key.data(), key.data(), key.size()) == 0) {
        return &member.value;
      }
    }
    return nullptr;
  }
  auto all = members();
  auto at = std::ranges::lower_bound(all, key, {}, &Member::key);
  return at != all.end() && at->key == key ? &at->value : nullptr;
}

Value MakeObject(Arena& arena, std::span<const Member> in_source_order,
                 std::string_view* repeated) {
  if (IsAscending(in_source_order)) {
    auto* members = arena.AllocateArray<Member>(in_source_order.size());
    std::copy(in_source_order.begin(), in_source_order.end(), members);
    return Value::Object({members, in_source_order.size()});
  }
  ObjectBuilder builder;
  for (const Member& member : in_source_order) builder.Add(member.key, member.value);
  return builder.Finish(arena, repeated);
}

Value ObjectBuilder::Finish(Arena& arena, std::string_view* repeated) {
  WMAP_CHECK(members_.size() <= Value::kMaxSize);
  if (IsAscending(members_)) {
    auto* sorted = arena.AllocateArray<Member>(members_.size());
    std::copy(members_.begin(), members_.end(), sorted);
    Value v = Value::Object({sorted, members_.size()});
    members_.clear();
    return v;
  }
  // Positions in order of key, and of place among equal keys.
  std::vector<std::uint32_t> by_key(members_.size());
  for (std::uint32_t i = 0; i < by_key.size(); ++i) by_key[i] = i;
  std::ranges::sort(by_key, [&](std::uint32_t a, std::uint32_t b) {
    int order = members_[a].key.compare(members_[b].key);
    return order != 0 ? order < 0 : a < b;
  });
  // Of equal keys the first keeps its place and takes the value of the last.
  std::size_t count = 0;
  for (std::size_t i = 0; i < by_key.size();) {
    std::uint32_t first = by_key[i];
    std::size_t last = i;
    while (last + 1 < by_key.size() && members_[by_key[last + 1]].key == members_[first].key)
      ++last;
    if (last != i) {
      if (repeated != nullptr && repeated->empty()) *repeated = members_[first].key;
      members_[first].value = members_[by_key[last]].value;
    }
    by_key[count++] = first;
    i = last + 1;
  }
  by_key.resize(count);

  auto* block = static_cast<std::byte*>(
      arena.Allocate(count * (sizeof(Member) + sizeof(std::uint32_t)), alignof(Member)));
  auto* sorted = static_cast<Member*>(static_cast<void*>(block));
  auto* order = static_cast<std::uint32_t*>(static_cast<void*>(block + count * sizeof(Member)));
  std::vector<std::uint32_t> rank(members_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    sorted[i] = members_[by_key[i]];
    rank[by_key[i]] = i;
  }
  // Places in the source, ascending, name the members in source order.
  std::ranges::sort(by_key);
  bool reordered = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    order[i] = rank[by_key[i]];
    reordered |= order[i] != i;
  }
  Value v = Value::Object({sorted, count});
  v.reordered_ = reordered;
  members_.clear();
  return v;
}

Value MakeString(Arena& arena, std::string_view text) { return Value::String(arena.Copy(text)); }

Value MakeArray(Arena& arena, std::span<const Value> items) {
  auto* copy = arena.AllocateArray<Value>(items.size());
  std::copy(items.begin(), items.end(), copy);
  return Value::Array({copy, items.size()});
}

}  // namespace wmap::json
