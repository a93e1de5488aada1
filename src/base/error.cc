#include "base/error.h"

#include "base/utf8.h"

namespace wmap {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kInvalid:
      return "invalid";
    case Code::kSyntax:
      return "syntax";
    case Code::kTruncated:
      return "truncated";
    case Code::kCompile:
      return "compile";
    case Code::kEvaluation:
      return "evaluation";
    case Code::kConversion:
      return "conversion";
    case Code::kMismatch:
      return "count-mismatch";
    case Code::kNotDefined:
      return "not-defined";
    case Code::kUnknownInstance:
      return "unknown-instance";
    case Code::kNotFound:
      return "not-found";
    case Code::kLimit:
      return "limit";
    case Code::kCancelled:
      return "cancelled";
    case Code::kUnreadable:
      return "unreadable";
    case Code::kUnreachable:
      return "unreachable";
    case Code::kUnauthenticated:
      return "unauthenticated";
    case Code::kForbidden:
      return "forbidden";
    case Code::kExpired:
      return "expired";
    case Code::kConflict:
      return "conflict";
    case Code::kUnavailable:
      return "unavailable";
  }
  return "unknown";
}

std::string Error::Describe() const {
  std::string text;
  for (auto it = detail_->contexts.rbegin(); it != detail_->contexts.rend(); ++it) {
    text += *it;
    text += ": ";
  }
  text += detail_->message;
  // What quotes a broken input may be broken itself.
  return IsUtf8(text) ? text : RepairedUtf8(text);
}

}  // namespace wmap
