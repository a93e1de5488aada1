#include "base/time.h"

#include <charconv>
#include <chrono>
#include <string>

#include "base/text.h"

namespace wmap {
namespace {

// Reads a fixed form piece by piece; once something is missing, nothing more is right.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // Exactly `digits` digits, between the bounds.
  std::int64_t Number(std::size_t digits, std::int64_t least, std::int64_t most) {
    if (text_.size() < digits) return Stop();
    const char* begin = text_.data();
    std::int64_t value = 0;
    auto [end, error] = std::from_chars(begin, begin + digits, value);
    if (error != std::errc() || end != begin + digits || *begin == '-') return Stop();
    if (value < least || value > most) return Stop();
    text_.remove_prefix(digits);
    return value;
  }
  void Expect(char c) {
    if (!Take(c)) Stop();
  }
  bool Take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void SkipDigits() {
    while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') text_.remove_prefix(1);
  }
  bool failed() const { return failed_; }
  bool at_end() const { return text_.empty(); }

 private:
  std::int64_t Stop() {
    failed_ = true;
    text_ = {};
    return 0;
  }

  std::string_view text_;
  bool failed_ = false;
};

// Days since 1970-01-01 in the proleptic Gregorian calendar, years beginning in March.
std::int64_t DaysSinceEpoch(std::int64_t year, std::int64_t month, std::int64_t day) {
  if (month <= 2) --year;
  std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  std::int64_t year_of_era = year - era * 400;
  std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

}  // namespace

std::optional<std::int64_t> ParseTime(std::string_view text) {
  Scanner scanner(text);
  std::int64_t year = scanner.Number(4, 0, 9999);
  scanner.Expect('-');
  std::int64_t month = scanner.Number(2, 1, 12);
  scanner.Expect('-');
  std::int64_t day = scanner.Number(2, 1, 31);
  scanner.Expect('T');
  std::int64_t hour = scanner.Number(2, 0, 23);
  scanner.Expect(':');
  std::int64_t minute = scanner.Number(2, 0, 59);
  scanner.Expect(':');
  std::int64_t second = scanner.Number(2, 0, 60);
  if (scanner.Take('.')) scanner.SkipDigits();
  std::int64_t offset = 0;
  if (!scanner.Take('Z')) {
    std::int64_t sign = scanner.Take('-') ? -1 : 1;
    if (sign > 0) scanner.Expect('+');
    offset = scanner.Number(2, 0, 23) * 60;
    scanner.Expect(':');
    offset = sign * (offset + scanner.Number(2, 0, 59)) * 60;
  }
  if (scanner.failed() || !scanner.at_end()) return std::nullopt;
  return ((DaysSinceEpoch(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - offset;
}

std::string TimeText(std::int64_t seconds) {
  std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  auto days = std::chrono::floor<std::chrono::days>(time);
  std::chrono::year_month_day date(days);
  std::chrono::hh_mm_ss clock(time - days);
  auto padded = [](std::int64_t value, std::size_t width) {
    std::string text = Cat(value);
    return text.size() < width ? std::string(width - text.size(), '0') + text : text;
  };
  return Cat(padded(static_cast<int>(date.year()), 4), '-',
             padded(static_cast<unsigned>(date.month()), 2), '-',
             padded(static_cast<unsigned>(date.day()), 2), 'T', padded(clock.hours().count(), 2),
             ':', padded(clock.minutes().count(), 2), ':', padded(clock.seconds().count(), 2), 'Z');
}

}  // namespace wmap
