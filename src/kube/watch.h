// Changes of the objects of a type, as they happen.
//
// The server ends a watch every few minutes; it is then begun again where it was, which bookmarks
// keep recent. Where the server cannot go on from there (410), what was missed is unknown, and the
// objects have to be listed anew. A watch of which nothing is heard, not even bookmarks, is begun
// again as well: its connection may be dead.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/arena.h"
#include "base/error.h"
#include "base/function_ref.h"
#include "json/value.h"
#include "kube/client.h"
#include "kube/list.h"

namespace wmap::kube {

class Watch {
 public:
  enum class Change : std::uint8_t {
    kSet,   // the object is there, new or changed
    kGone,  // it was deleted; the object is its last state
  };
  // The object is valid until the call returns.
  using Sink = FunctionRef<void(Change, const json::Value&)>;

  // Of what `query` lists, from `resource_version` on.
  Watch(Client& client, ListQuery query, std::string resource_version);

  // Takes what has come, without waiting (Client::Wait() does that); begins, or begins again where
  // the server or a fault has ended the watch, after a pause when that happens too often. Errors:
  // kExpired as said above; those of Client where trying again is of no use.
  Result<void> Take(Sink sink);

  // The server tells of changes now.
  bool is_live() const;

 private:
  Result<void> Begin();
  Result<void> TakeLine(std::string_view line, Sink sink);
  Result<void> End();

  Client& client_;
  ListQuery query_;
  std::string version_;
  std::unique_ptr<Exchange> exchange_;
  std::int64_t begin_at_ms_ = 0;  // not before
  std::int64_t heard_at_ms_ = 0;
  std::int64_t pause_ms_ = 0;  // 0 = something came since the last one
  bool was_refused_ = false;   // the credentials, since something came
  Arena arena_;
};

}  // namespace wmap::kube
