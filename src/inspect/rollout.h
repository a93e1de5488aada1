// Rollout: whether the newest state of an object's template is on all of its pods, and what keeps
// it from being there. Read from what controllers write into their objects; pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"

namespace wmap::inspect {

struct Rollout {
  enum class State : std::uint8_t {
    kNone,      // nothing is to be rolled out
    kSettling,  // all pods have it, and some are to be ready for longer before they count
    kGoing,     // pods are being replaced
    kHeld,      // somebody wants it to stand still
    kStuck,     // its controller has given up waiting
  };
  State state = State::kNone;
  // Whether pods of an older template are there, as the object says; one that is paused may have
  // none.
  bool has_older = false;
  // Whether it is held before its first pod: none is made until it goes on.
  bool holds_all = false;
  std::string clause;   // "its newest template is on 1 of 3 pods"
  std::string message;  // its controller's own words, or ""
  std::string advice;   // what lets it go on, or ""

  explicit operator bool() const { return state != State::kNone; }
};

// Of an object whose status is not older than itself; of others the answer may be of then.
Rollout ReadRollout(std::string_view api_version, std::string_view kind, const json::Value& object);

// Whether objects of a kind tell of their rollouts themselves, so that those of what they have made
// are their doing.
bool TellsOfRollouts(std::string_view api_version, std::string_view kind);

}  // namespace wmap::inspect
