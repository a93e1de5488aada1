#include "inspect/scheduling_reasons.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace wmap::inspect {
namespace {

// What stands in a reason, and what it is; the first one that does counts.
struct Mark {
  std::string_view text;
  ReasonKind kind;
};
constexpr std::array kMarks = {
    Mark{"Insufficient ", ReasonKind::kInsufficient},
    Mark{"insufficient ", ReasonKind::kInsufficient},
    Mark{"taint", ReasonKind::kTaint},
    Mark{"olume", ReasonKind::kVolume},
    Mark{"persistentvolumeclaim", ReasonKind::kVolume},
    Mark{"storageclass", ReasonKind::kVolume},
    Mark{"pod affinity", ReasonKind::kSpread},
    Mark{"anti-affinity", ReasonKind::kSpread},
    Mark{"topology spread", ReasonKind::kSpread},
    Mark{"affinity", ReasonKind::kSelector},
    Mark{"selector", ReasonKind::kSelector},
    Mark{"didn't match the requested node name", ReasonKind::kSelector},
    Mark{"unschedulable", ReasonKind::kCordoned},
    Mark{"Too many pods", ReasonKind::kPodLimit},
    Mark{"free ports", ReasonKind::kPodLimit},
    Mark{"resourceclaim", ReasonKind::kDevices},
    Mark{"allocate all claims", ReasonKind::kDevices},
    Mark{"deviceclass", ReasonKind::kDevices},
    Mark{"gang", ReasonKind::kGang},
    Mark{"pod group", ReasonKind::kGang},
    Mark{"PodGroup", ReasonKind::kGang},
    Mark{"minAvailable", ReasonKind::kGang},
};

// What makes the better answer to "why?" comes first: nodes that would do but are full, before
// nodes that were never meant.
int Rank(ReasonKind kind) {
  switch (kind) {
    case ReasonKind::kGang:
      return 0;
    case ReasonKind::kInsufficient:
      return 1;
    case ReasonKind::kVolume:
    case ReasonKind::kDevices:
      return 2;
    case ReasonKind::kPodLimit:
    case ReasonKind::kSpread:
      return 3;
    case ReasonKind::kCordoned:
      return 4;
    case ReasonKind::kTaint:
      return 5;
    case ReasonKind::kSelector:
      return 6;
    case ReasonKind::kOther:
      break;
  }
  return 7;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '.' || text.back() == '\n')) {
    text.remove_suffix(1);
  }
  return text;
}

// Takes a number off the front of `text`.
std::optional<std::int64_t> TakeNumber(std::string_view& text) {
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// "0/5 nodes are available: " off the front.
void TakeHead(std::string_view& text, SchedulingVerdict& verdict) {
  std::string_view rest = text;
  if (!TakeNumber(rest) || !rest.starts_with('/')) return;
  rest.remove_prefix(1);
  std::optional<std::int64_t> all = TakeNumber(rest);
  if (!all || !rest.starts_with(" nodes are ")) return;
  std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos ||
      colon > std::string_view(" nodes are unavailable").size()) {
    return;
  }
  verdict.nodes = all;
  text = rest.substr(colon + 1);
}

// The first sentence: up to a full stop that no brace or quote encloses.
std::string_view FirstSentence(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '{') ++depth;
    if (text[i] == '}') --depth;
    bool is_end = i + 1 == text.size() || text[i + 1] == ' ';
    if (text[i] == '.' && is_end && depth <= 0 && !quoted) return text.substr(0, i);
  }
  return text;
}

SchedulingReason ReadReason(std::string_view part) {
  SchedulingReason reason;
  std::string_view rest = part;
  std::optional<std::int64_t> nodes = TakeNumber(rest);
  if (nodes && rest.starts_with(' ')) {
    reason.nodes = *nodes;
    part = rest.substr(1);
  }
  if (part.starts_with("node(s) ")) part.remove_prefix(std::string_view("node(s) ").size());
  reason.text = part;
  for (const Mark& mark : kMarks) {
    std::size_t at = part.find(mark.text);
    if (at == std::string_view::npos) continue;
    reason.kind = mark.kind;
    if (mark.kind == ReasonKind::kInsufficient) {
      reason.resource = part.substr(at + mark.text.size());
      reason.resource.resize(
          std::min(reason.resource.find_first_of(" ,;"), reason.resource.size()));
    }
    break;
  }
  return reason;
}

// Splits at commas that no brace encloses, and that a number follows: others are part of a reason.
void SplitReasons(std::string_view text, SchedulingVerdict& verdict) {
  int depth = 0;
  std::size_t begin = 0;
  auto take = [&](std::size_t end) {
    std::string_view part = Trim(text.substr(begin, end - begin));
    if (!part.empty()) verdict.reasons.push_back(ReadReason(part));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}') --depth;
    if (text[i] != ',' || depth > 0) continue;
    std::string_view rest = Trim(text.substr(i + 1));
    if (!TakeNumber(rest)) continue;
    take(i);
    begin = i + 1;
  }
  take(text.size());
}

}  // namespace

SchedulingVerdict ReadVerdict(std::string_view message) {
  SchedulingVerdict verdict;
  verdict.no_victims = message.find("No preemption victims found") != std::string_view::npos;
  std::string_view text = Trim(message);
  TakeHead(text, verdict);
  std::string_view first = text;
  if (verdict.nodes) {
    SplitReasons(FirstSentence(text), verdict);
  } else if (TakeNumber(first) && first.starts_with(' ')) {
    SplitReasons(text, verdict);
  } else if (!text.empty()) {
    verdict.reasons.push_back(ReadReason(text));
  }
  std::ranges::stable_sort(verdict.reasons, [](const auto& a, const auto& b) {
    return std::pair(Rank(a.kind), -a.nodes) < std::pair(Rank(b.kind), -b.nodes);
  });
  return verdict;
}

std::string SchedulingVerdict::Describe() const {
  std::string text;
  bool told_all = false;
  for (const SchedulingReason& reason : reasons) {
    CatTo(text, text.empty() ? "" : ", ", reason.text);
    if (reason.nodes == 0) continue;
    CatTo(text, " on ", reason.nodes);
    if (!told_all && nodes) CatTo(text, " of ", *nodes, *nodes == 1 ? " node" : " nodes");
    told_all = true;
  }
  return text;
}

}  // namespace wmap::inspect
