// Edits: updating documents in place where nobody can see it.
//
// Values are immutable, so `.a.b = 1` copies the containers on the way to b. In a loop (`.[] |= f`,
// `reduce ... (.[$k] = $v)`) the next update would copy the copies, which makes the loop quadratic.
// So an update session remembers which containers it made. As long as it alone can reach them, it
// changes them in place; whoever hands one of them to anybody else must begin a new session, which
// owns nothing.
//
// Sessions are numbers; ending one is forgetting its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "expr/vm/context.h"
#include "json/value.h"

namespace wmap::expr::vm {

class Edits {
 public:
  using Session = std::int64_t;

  explicit Edits(Context& context) : context_(&context) {}

  // Forgets all sessions. Before each run: memory may be used again.
  void Clear();
  Session Begin() { return ++newest_; }

  // Puts `part` at `path` of `document`, in place where the session owns what is changed.
  bool Set(Session session, json::Value& document, std::span<const json::Value> path,
           const json::Value& part);
  // `document` + `more`, both objects, likewise.
  bool Merge(Session session, json::Value& document, const json::Value& more);

  // Whether the session made `value` itself. What it owns is reached through what it owns.
  bool Owns(Session session, const json::Value& value) const;
  // Whether giving `value` to somebody else may hand out a container that `session` owns. False
  // only when that is sure; looks at a few items of it.
  bool MayShare(Session session, const json::Value& value) const;

 private:
  struct Owned {
    const void* begin = nullptr;
    Session session = 0;
    std::uint32_t capacity = 0;  // items or members
  };

  Owned* Find(Session session, const void* begin);
  const Owned* Find(Session session, const void* begin) const {
    return const_cast<Edits*>(this)->Find(session, begin);
  }
  void Insert(Session session, const void* begin, std::size_t capacity);
  json::Value* Member(Session session, json::Value& object, std::string_view key);
  bool SetSlice(Session session, json::Value& array, const json::Value& key,
                const json::Value& part);
  json::Value* Item(Session session, json::Value& array, std::size_t index);

  Context* context_;
  std::vector<Owned> table_;  // open addressing, a power of two
  std::size_t used_ = 0;
  Session newest_ = 0;
};

}  // namespace wmap::expr::vm
