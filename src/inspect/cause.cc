#include "inspect/cause.h"

#include <algorithm>

#include "base/text.h"
#include "definition/api_version.h"

namespace wmap::inspect {

std::string_view CauseCode(CauseKind kind) {
  switch (kind) {
    case CauseKind::kDeleting:
      return "deleting";
    case CauseKind::kQueue:
      return "queue";
    case CauseKind::kQuota:
      return "quota";
    case CauseKind::kRefused:
      return "refused";
    case CauseKind::kOutOfMemory:
      return "out-of-memory";
    case CauseKind::kCrash:
      return "crash";
    case CauseKind::kImage:
      return "image";
    case CauseKind::kContainer:
      return "container";
    case CauseKind::kSuspended:
      return "suspended";
    case CauseKind::kGated:
      return "gated";
    case CauseKind::kGang:
      return "gang";
    case CauseKind::kUnschedulable:
      return "unschedulable";
    case CauseKind::kVolume:
      return "volume";
    case CauseKind::kNodeLost:
      return "node-lost";
    case CauseKind::kTakenAway:
      return "taken-away";
    case CauseKind::kNotReady:
      return "not-ready";
    case CauseKind::kNoVerdict:
      return "no-verdict";
    case CauseKind::kMissing:
      return "missing";
    case CauseKind::kStarting:
      return "starting";
    case CauseKind::kRollout:
      return "rollout";
    case CauseKind::kSchedule:
      return "schedule";
    case CauseKind::kBackOff:
      return "back-off";
    case CauseKind::kLeaving:
      return "leaving";
    case CauseKind::kElsewhere:
      return "elsewhere";
  }
  return "";
}

bool IsHard(CauseKind kind) {
  switch (kind) {
    case CauseKind::kOutOfMemory:
    case CauseKind::kCrash:
    case CauseKind::kImage:
    case CauseKind::kContainer:
    case CauseKind::kUnschedulable:
    case CauseKind::kVolume:
    case CauseKind::kNodeLost:
    case CauseKind::kTakenAway:
      return true;
    default:
      return false;
  }
}

std::string ShellWord(std::string_view word) {
  auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-/:=,@%+").find(c) != std::string_view::npos;
  };
  if (!word.empty() && word.front() != '-' && std::ranges::all_of(word, is_plain)) {
    return std::string(word);
  }
  std::string text = "'";
  for (char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string DescribeCommand(std::string_view type, std::string_view name_space,
                            std::string_view name) {
  std::string text = Cat("kubectl describe ", ShellWord(type));
  if (!name_space.empty()) CatTo(text, " -n ", ShellWord(name_space));
  return Cat(text, ' ', ShellWord(name));
}

std::string TypeWord(std::string_view api_version, std::string_view kind) {
  std::string_view group = definition::GroupOf(api_version);
  return group.empty() ? ToLower(kind) : Cat(ToLower(kind), '.', group);
}

std::string PodsText(std::size_t count, std::string_view role) {
  std::string text = Cat(count, count == 1 ? " pod" : " pods");
  if (!role.empty()) CatTo(text, " of ", role);
  return text;
}

}  // namespace wmap::inspect
