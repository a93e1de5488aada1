#include "inspect/cron_schedule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"

namespace wmap::inspect {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDays = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

constexpr std::array kMacros = {
    std::pair<std::string_view, std::string_view>{"@yearly", "0 0 1 1 *"},
    std::pair<std::string_view, std::string_view>{"@annually", "0 0 1 1 *"},
    std::pair<std::string_view, std::string_view>{"@monthly", "0 0 1 * *"},
    std::pair<std::string_view, std::string_view>{"@weekly", "0 0 * * 0"},
    std::pair<std::string_view, std::string_view>{"@daily", "0 0 * * *"},
    std::pair<std::string_view, std::string_view>{"@midnight", "0 0 * * *"},
    std::pair<std::string_view, std::string_view>{"@hourly", "0 * * * *"},
};

// What a field may hold; numbers stand in a set of bits.
struct Bounds {
  unsigned least;
  unsigned most;
  std::span<const std::string_view> names;  // of `least` and those that follow
};

struct Field {
  std::uint64_t bits = 0;
  bool is_any = false;  // "*"

  bool Has(unsigned number) const { return (bits >> number & 1U) != 0; }
};

std::vector<std::string_view> Split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<unsigned> Number(std::string_view text, const Bounds& bounds) {
  for (std::size_t i = 0; i < bounds.names.size(); ++i) {
    if (ToLower(text) == bounds.names[i]) return bounds.least + static_cast<unsigned>(i);
  }
  unsigned number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "*", "5", "mon-fri", "*/15", "5/10" (from 5 on).
bool AddPart(std::string_view part, const Bounds& bounds, Field& field) {
  std::size_t slash = part.find('/');
  std::string_view range = part.substr(0, slash);
  unsigned step = 1;
  if (slash != std::string_view::npos) {
    std::optional<unsigned> said = Number(part.substr(slash + 1), {0, bounds.most, {}});
    if (!said || *said == 0) return false;
    step = *said;
  }
  unsigned first = bounds.least;
  unsigned last = bounds.most;
  if (range == "*" || range == "?") {
    field.is_any |= step == 1;
  } else {
    std::size_t dash = range.find('-');
    std::optional<unsigned> from = Number(range.substr(0, dash), bounds);
    std::optional<unsigned> to = from;
    if (dash != std::string_view::npos) {
      to = Number(range.substr(dash + 1), bounds);
    } else if (slash != std::string_view::npos) {
      to = bounds.most;
    }
    if (!from || !to) return false;
    first = *from;
    last = *to;
  }
  if (first < bounds.least || last > bounds.most || first > last) return false;
  for (unsigned number = first; number <= last; number += step) {
    field.bits |= std::uint64_t{1} << number;
  }
  return true;
}

std::optional<Field> ReadField(std::string_view text, const Bounds& bounds) {
  Field field;
  for (std::string_view part : Split(text, ',')) {
    if (!AddPart(part, bounds, field)) return std::nullopt;
  }
  return field;
}

struct Schedule {
  Field minute;
  Field hour;
  Field day;
  Field month;
  Field weekday;

  // Where both a date and a weekday are told, either will do.
  bool TakesEither() const { return !day.is_any && !weekday.is_any; }
};

std::optional<Schedule> ReadSchedule(std::string_view schedule) {
  const auto* macro =
      std::ranges::find(kMacros, schedule, &std::pair<std::string_view, std::string_view>::first);
  if (macro != kMacros.end()) schedule = macro->second;
  std::vector<std::string_view> words;
  for (std::string_view word : Split(schedule, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  if (words.size() != 5) return std::nullopt;
  std::optional<Field> minute = ReadField(words[0], {0, 59, {}});
  std::optional<Field> hour = ReadField(words[1], {0, 23, {}});
  std::optional<Field> day = ReadField(words[2], {1, 31, {}});
  std::optional<Field> month = ReadField(words[3], {1, 12, kMonths});
  std::optional<Field> weekday = ReadField(words[4], {0, 6, kDays});
  if (!minute || !hour || !day || !month || !weekday) return std::nullopt;
  return Schedule{*minute, *hour, *day, *month, *weekday};
}

}  // namespace

bool IsNeverDue(std::string_view schedule) {
  std::optional<Schedule> read = ReadSchedule(schedule);
  // A weekday comes in every month.
  if (!read || read->TakesEither()) return false;
  constexpr std::array<unsigned, 12> kLongest = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (unsigned month = 1; month <= kLongest.size(); ++month) {
    if (!read->month.Has(month)) continue;
    for (unsigned day = 1; day <= kLongest[month - 1]; ++day) {
      if (read->day.Has(day)) return false;
    }
  }
  return true;
}

std::optional<std::int64_t> NextRun(std::string_view schedule, std::int64_t after) {
  std::optional<Schedule> read = ReadSchedule(schedule);
  if (!read) return std::nullopt;
  using std::chrono::days;
  using std::chrono::sys_days;
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kDay = 86400;
  constexpr int kMostDays = 5 * 366;
  std::int64_t start = (after / kMinute + 1) * kMinute;
  sys_days date{days{start / kDay}};
  std::int64_t of_day = start % kDay / kMinute;
  for (int i = 0; i < kMostDays; ++i, date += days{1}, of_day = 0) {
    std::chrono::year_month_day civil(date);
    if (!read->month.Has(static_cast<unsigned>(civil.month()))) continue;
    bool by_date = read->day.Has(static_cast<unsigned>(civil.day()));
    bool by_weekday = read->weekday.Has(std::chrono::weekday(date).c_encoding());
    bool is_due = read->TakesEither() ? by_date || by_weekday : by_date && by_weekday;
    for (; is_due && of_day < kDay / kMinute; ++of_day) {
      if (!read->hour.Has(static_cast<unsigned>(of_day / 60))) continue;
      if (!read->minute.Has(static_cast<unsigned>(of_day % 60))) continue;
      return date.time_since_epoch().count() * kDay + of_day * kMinute;
    }
  }
  return std::nullopt;
}

}  // namespace wmap::inspect
