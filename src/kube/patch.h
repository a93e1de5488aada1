// One change of one object, by a patch or by server-side apply.
//
// This is the only header through which anything in a cluster is changed. What only reads does not
// include it; tools/check_modules has the list of files that may.
//
// Whether a change is sent again. An answer that never came says nothing about the change: it may
// have been made. So it is sent again only
//   - after what is known to have changed nothing: a connection that did not come about, a 429,
//     a 401 for which there are new credentials;
//   - after a lost or cut answer and a 502, 503 or 504 when `resource_version` is set: once made,
//     the change has given the object another version, so that the second one is refused;
//   - as often as a reading request when `dry_run` is set.
// An apply without `resource_version` is not sent twice either, though it says the same twice: it
// would undo what others did in between, or create anew what they deleted.
//
// Errors have the server's words. Of a change that was not made:
//   kConflict         somebody else changed the object after `resource_version`; or, of an apply,
//                     other managers own fields of it: the message names both
//   kNotFound         no such object, type or subresource
//   kForbidden, kUnauthenticated
//   kInvalid          the server does not accept the object that would result (422) or the request
//   kInvalid, kSyntax also before anything is sent: a name, a body of the wrong shape
// kUnreachable, kLimit and kUnavailable: nobody has answered, or the server with a 5xx, and the
// message says so where it is not known whether the change was made, or where it was made and only
// the object could not be read. A conflict of a second attempt is among these: it may be one with
// the first.
//
// Each change takes a connection of its own; see Request::send_once.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "kube/client.h"
#include "kube/discovery.h"

namespace wmap::kube {

struct Patch {
  enum class Form : std::uint8_t {
    kJson,   // RFC 6902: an array of operations
    kMerge,  // RFC 7386: an object; null removes
    kApply,  // the fields that `field_manager` wants to own, with apiVersion and kind
  };

  ApiType type;
  std::string name_space = {};  // of types that have one
  std::string name;
  std::string subresource = {};  // "scale", "status"; "" = the object itself
  Form form = Form::kMerge;
  std::string body;  // JSON
  // Who is noted to have made the change. An apply needs it; otherwise "" = as the server names us.
  std::string field_manager = {};
  // Of an apply: takes fields from other managers.
  bool force = false;
  // The server does all but store it.
  bool dry_run = false;
  // The change is made of this version of the object, or not at all. "" = of any.
  std::string resource_version = {};
};

// The object (or subresource) after the change as the server has it, as JSON. Fields that the type
// does not have are refused rather than dropped.
Result<std::string> SendPatch(Client& client, const Patch& patch);

}  // namespace wmap::kube
