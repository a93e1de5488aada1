#include "expr/vm/edits.h"

#include <algorithm>
#include <cstring>

#include "expr/builtins/builtins.h"

namespace wmap::expr::vm {
namespace {

using json::Value;

constexpr std::size_t kFirstTable = 64;
// Items of a value that MayShare() looks at before it gives up.
constexpr std::size_t kMostLooks = 32;

const void* BeginOf(const Value& container) {
  return container.is_array() ? static_cast<const void*>(container.items().data())
                              : static_cast<const void*>(container.members().data());
}

std::size_t HashOf(const void* begin) {
  auto bits = reinterpret_cast<std::uintptr_t>(begin);
  return static_cast<std::size_t>((bits >> 3) * 0x9E3779B97F4A7C15u >> 20);
}

// A copy with room for growing containers to grow into.
std::size_t RoomFor(std::size_t size, std::size_t needed) {
  return needed <= size ? size : std::max<std::size_t>(needed + needed / 2, 4);
}

}  // namespace

void Edits::Clear() {
  if (used_ == 0) return;
  std::ranges::fill(table_, Owned{});
  used_ = 0;
}

Edits::Owned* Edits::Find(Session session, const void* begin) {
  if (used_ == 0) return nullptr;
  std::size_t mask = table_.size() - 1;
  for (std::size_t i = HashOf(begin) & mask; table_[i].begin != nullptr; i = (i + 1) & mask) {
    if (table_[i].begin == begin) return table_[i].session == session ? &table_[i] : nullptr;
  }
  return nullptr;
}

void Edits::Insert(Session session, const void* begin, std::size_t capacity) {
  if (used_ * 2 >= table_.size()) {
    // Only what this session owns is kept: of another one all entries go, so that what it still
    // owns is nothing at all and not a part.
    std::vector<Owned> before = std::move(table_);
    auto kept = static_cast<std::size_t>(
        std::ranges::count(before, session, [](const Owned& owned) { return owned.session; }));
    std::size_t size = kFirstTable;
    while (size < kept * 4) size *= 2;
    table_.assign(size, Owned{});
    used_ = 0;
    for (const Owned& owned : before) {
      if (owned.begin != nullptr && owned.session == session) {
        Insert(session, owned.begin, owned.capacity);
      }
    }
  }
  std::size_t mask = table_.size() - 1;
  std::size_t i = HashOf(begin) & mask;
  while (table_[i].begin != nullptr && table_[i].begin != begin) i = (i + 1) & mask;
  if (table_[i].begin == nullptr) ++used_;
  table_[i] = {begin, session, static_cast<std::uint32_t>(std::min(capacity, Value::kMaxSize))};
}

Value* Edits::Member(Session session, Value& object, std::string_view key) {
  auto members = object.is_null() ? std::span<const json::Member>() : object.members();
  auto at = static_cast<std::size_t>(
      std::ranges::lower_bound(members, key, {}, &json::Member::key) - members.begin());
  bool exists = at < members.size() && members[at].key == key;
  std::size_t size = members.size() + (exists ? 0 : 1);
  const Owned* owned = Find(session, members.data());
  auto* mutable_members = const_cast<json::Member*>(members.data());
  if (owned == nullptr || owned->capacity < size) {
    std::size_t capacity = RoomFor(members.size(), size);
    if (!context_->Spend(members.size() / 8 + 1)) return nullptr;
    mutable_members = context_->AllocateMembers(capacity);
    if (mutable_members == nullptr) return nullptr;
    std::ranges::copy(members, mutable_members);
    Insert(session, mutable_members, capacity);
  }
  if (!exists) {
    if (!context_->Spend((members.size() - at) / 8 + 1)) return nullptr;
    std::copy_backward(mutable_members + at, mutable_members + members.size(),
                       mutable_members + size);
    mutable_members[at] = {key, Value()};
  }
  object = Value::Object({mutable_members, size});
  return &mutable_members[at].value;
}

Value* Edits::Item(Session session, Value& array, std::size_t index) {
  auto items = array.is_null() ? std::span<const Value>() : array.items();
  std::size_t size = std::max(items.size(), index + 1);
  const Owned* owned = Find(session, items.data());
  auto* mutable_items = const_cast<Value*>(items.data());
  if (owned == nullptr || owned->capacity < size) {
    std::size_t capacity = RoomFor(items.size(), size);
    if (!context_->Spend(size / 8 + 1)) return nullptr;
    mutable_items = context_->AllocateItems(capacity);
    if (mutable_items == nullptr) return nullptr;
    std::ranges::copy(items, mutable_items);
    Insert(session, mutable_items, capacity);
  }
  std::fill(mutable_items + items.size(), mutable_items + size, Value());
  array = Value::Array({mutable_items, size});
  return &mutable_items[index];
}

// True when `key` is a slice and `part` as long as it: then its items are replaced.
bool Edits::SetSlice(Session session, Value& array, const Value& key, const Value& part) {
  if (!array.is_array() || !key.is_object() || !part.is_array() || part.size() == 0) return false;
  const Value start = key.Get("start");
  const Value end = key.Get("end");
  if (!start.is_int() || !end.is_int() || start.as_int() < 0) return false;
  auto first = static_cast<std::size_t>(start.as_int());
  if (first >= array.size() || array.size() - first < part.size() ||
      end.as_int() - start.as_int() != static_cast<std::int64_t>(part.size())) {
    return false;
  }
  if (!context_->Spend(part.size() / 8)) return true;
  if (Value* to = Item(session, array, first)) std::ranges::copy(part.items(), to);
  return true;
}

bool Edits::Set(Session session, Value& document, std::span<const Value> path, const Value& part) {
  Value* place = &document;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Value& key = path[i];
    bool empty = place->is_null();
    Value* next = nullptr;
    if (!context_->Spend(1)) return false;
    if (key.is_string() && (empty || place->is_object())) {
      next = Member(session, *place, key.as_string());
    } else if (key.is_int() && key.as_int() >= 0 &&
               static_cast<std::uint64_t>(key.as_int()) <= builtins::kLargestIndex &&
               (empty || place->is_array())) {
      next = Item(session, *place, static_cast<std::size_t>(key.as_int()));
    } else if (i + 1 == path.size() && SetSlice(session, *place, key, part)) {
      return context_->failure() == Context::Failure::kNone;
    } else {
      // Slices that change the length, positions from the end, and mistakes are copied.
      Value changed;
      if (!builtins::SetPath(*context_, *place, Value::Array(path.subspan(i)), part, &changed)) {
        return false;
      }
      *place = changed;
      return true;
    }
    if (next == nullptr) return false;
    place = next;
  }
  *place = part;
  return true;
}

bool Edits::Merge(Session session, Value& document, const Value& more) {
  for (const json::Member& member : more.members()) {
    Value* place = Member(session, document, member.key);
    if (place == nullptr) return false;
    *place = member.value;
  }
  return true;
}

bool Edits::Owns(Session session, const Value& value) const {
  return (value.is_array() || value.is_object()) && Find(session, BeginOf(value)) != nullptr;
}

bool Edits::MayShare(Session session, const Value& value) const {
  if (used_ == 0) return false;
  std::vector<Value> open = {value};
  std::size_t looks = 0;
  while (!open.empty()) {
    const Value at = open.back();
    open.pop_back();
    if ((!at.is_array() && !at.is_object()) || at.size() == 0) continue;
    if (Find(session, BeginOf(at)) != nullptr) return true;
    looks += at.size();
    if (looks > kMostLooks) return true;
    if (at.is_array()) {
      for (const Value& item : at.items()) open.push_back(item);
    } else {
      for (const json::Member& member : at.members()) open.push_back(member.value);
    }
  }
  return false;
}

}  // namespace wmap::expr::vm
