#include "expr/vm/growing_objects.h"

namespace wmap::expr::vm {

using json::Value;

std::size_t GrowingObjects::Begin() {
  objects_.push_back(std::make_unique<Growing>());
  return objects_.size() - 1;
}

Value GrowingObjects::Get(std::size_t object, std::string_view key) const {
  const Growing& growing = *objects_[object];
  auto at = growing.places.find(key);
  return at == growing.places.end() ? Value() : growing.members[at->second].value;
}

bool GrowingObjects::Set(std::size_t object, std::string_view key, const Value& value) {
  Growing& growing = *objects_[object];
  auto at = growing.places.find(key);
  if (at != growing.places.end()) {
    growing.members[at->second].value = value;
    return true;
  }
  if (!context_->Charge(kEntryBytes)) return false;
  growing.places.emplace(key, growing.members.size());
  growing.members.push_back({key, value});
  return true;
}

bool GrowingObjects::Finish(std::size_t object, Value* out) {
  std::vector<json::Member> members = std::move(objects_[object]->members);
  objects_[object].reset();
  while (!objects_.empty() && objects_.back() == nullptr) objects_.pop_back();
  std::size_t cost = members.size() * (sizeof(json::Member) + sizeof(std::uint32_t));
  if (!context_->Spend(members.size()) || !context_->Charge(cost)) return false;
  *out = json::MakeObject(context_->arena(), members, nullptr);
  context_->Refund(members.size() * kEntryBytes);
  return true;
}

}  // namespace wmap::expr::vm
