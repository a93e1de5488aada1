// Natives for dates: the calendar is the proleptic Gregorian one, the time zone is UTC, names are
// English. Nothing depends on the environment.
//
// A "broken down" time is jq's array [year, month from 0, day, hour, minute, second, weekday from
// Sunday, day of the year from 0].
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/text.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/natives.h"
#include "expr/builtins/scratch.h"
#include "expr/builtins/values.h"

namespace wmap::expr::builtins {

using json::Value;
using vm::Context;

namespace {

constexpr std::int64_t kDay = 86400;
// Years as far as the C library's calendar goes.
constexpr std::int64_t kMostYears = 2147483647;
constexpr std::array<std::string_view, 7> kWeekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

struct Time {
  std::int64_t year = 1900;
  std::int64_t month = 0;
  std::int64_t day = 0;
  std::int64_t hour = 0;
  std::int64_t minute = 0;
  std::int64_t second = 0;
  double fraction = 0;
  std::int64_t weekday = 0;
  std::int64_t yearday = 0;
};

std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
std::int64_t FloorModulo(std::int64_t a, std::int64_t b) { return a - FloorDivide(a, b) * b; }

// Days from 1970-01-01 to the first of a month; months beyond the year count on.
std::int64_t DaysToMonth(std::int64_t year, std::int64_t month) {
  year += FloorDivide(month, 12);
  month = FloorModulo(month, 12);
  // Years that begin in March, so that the leap day is the last one.
  std::int64_t from_march = FloorModulo(month - 2, 12);
  if (month < 2) --year;
  std::int64_t era = FloorDivide(year, 400);
  std::int64_t in_era = year - era * 400;
  std::int64_t day_of_year = (153 * from_march + 2) / 5;
  return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + day_of_year - 719468;
}

std::int64_t ToSeconds(const Time& time) {
  return (DaysToMonth(time.year, time.month) + time.day - 1) * kDay + time.hour * 3600 +
         time.minute * 60 + time.second;
}

void SetDayOfWeekAndYear(Time& time) {
  std::int64_t days = DaysToMonth(time.year, time.month) + time.day - 1;
  time.weekday = FloorModulo(days + 4, 7);
  time.yearday = days - DaysToMonth(time.year, 0);
}

Time FromSeconds(std::int64_t seconds) {
  std::int64_t days = FloorDivide(seconds, kDay);
  std::int64_t rest = seconds - days * kDay;
  Time time;
  time.hour = rest / 3600;
  time.minute = rest / 60 % 60;
  time.second = rest % 60;
  std::int64_t from_era = days + 719468;
  std::int64_t era = FloorDivide(from_era, 146097);
  std::int64_t day = from_era - era * 146097;
  std::int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  std::int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
  std::int64_t from_march = (5 * day_of_year + 2) / 153;
  time.day = day_of_year - (153 * from_march + 2) / 5 + 1;
  time.month = (from_march + 2) % 12;
  time.year = year + era * 400 + (time.month < 2 ? 1 : 0);
  SetDayOfWeekAndYear(time);
  return time;
}

// Of a number, seconds since 1970.
std::optional<Time> TimeOfNumber(const Value& number) {
  double whole = std::floor(number.as_double());
  constexpr double kMost = static_cast<double>(kMostYears) * 31556952;
  if (!(std::abs(whole) < kMost)) return std::nullopt;
  Time time = FromSeconds(static_cast<std::int64_t>(whole));
  time.fraction = number.as_double() - whole;
  return time;
}

// Of a broken down time, of which parts may be missing; they may be beyond their ranges.
std::optional<Time> TimeOfParts(const Value& parts) {
  std::array<std::int64_t, 6> fields = {};
  for (std::size_t i = 0; i < fields.size() && i < parts.size(); ++i) {
    double field = parts[i].is_number() ? parts[i].as_double() : std::nan("");
    if (!(std::abs(field) <= static_cast<double>(kMostYears))) return std::nullopt;
    fields[i] = static_cast<std::int64_t>(field);
  }
  Time time;
  time.year = parts.size() == 0 ? 1900 : fields[0];
  time.month = fields[1];
  time.day = fields[2];
  time.hour = fields[3];
  time.minute = fields[4];
  time.second = fields[5];
  return time;
}

// --- Writing --------------------------------------------------------------------------------

// Weeks begin on `first` (0 is Sunday).
std::int64_t WeekOfYear(const Time& time, std::int64_t first) {
  return (time.yearday + 7 - FloorModulo(time.weekday - first, 7)) / 7;
}

// The week of ISO 8601 and the year that it belongs to.
struct IsoWeek {
  std::int64_t year;
  std::int64_t week;
};

IsoWeek IsoWeekOf(const Time& time) {
  // That of the Thursday of the same week.
  std::int64_t monday_based = FloorModulo(time.weekday - 1, 7);
  std::int64_t thursday = time.yearday + 3 - monday_based;
  std::int64_t year = time.year;
  if (thursday < 0) {
    --year;
    thursday += DaysToMonth(year + 1, 0) - DaysToMonth(year, 0);
  } else if (std::int64_t days = DaysToMonth(year + 1, 0) - DaysToMonth(year, 0);
             thursday >= days) {
    ++year;
    thursday -= days;
  }
  return {year, thursday / 7 + 1};
}

// A field of a format: its text, or its number and how that is padded.
struct Field {
  std::string_view text;
  std::int64_t number = 0;
  int width = 0;
  char pad = '0';
};

struct Composite {
  char letter;
  std::string_view format;
};

constexpr Composite kComposites[] = {{'c', "%a %b %e %H:%M:%S %Y"},
                                     {'D', "%m/%d/%y"},
                                     {'F', "%Y-%m-%d"},
                                     {'r', "%I:%M:%S %p"},
                                     {'R', "%H:%M"},
                                     {'T', "%H:%M:%S"},
                                     {'x', "%m/%d/%y"},
                                     {'X', "%H:%M:%S"}};

std::string_view CompositeOf(char letter) {
  const auto* row = std::ranges::find(kComposites, letter, &Composite::letter);
  return row == std::end(kComposites) ? std::string_view() : row->format;
}

std::optional<Field> FieldOf(const Time& time, char letter, std::string_view zone) {
  std::int64_t hour12 = time.hour % 12 == 0 ? 12 : time.hour % 12;
  auto number = [](std::int64_t value, int width, char pad = '0') {
    return Field{{}, value, width, pad};
  };
  auto text = [](std::string_view value) { return Field{value}; };
  switch (letter) {
      // clang-format off
    case 'a': return text(kWeekdays[static_cast<std::size_t>(time.weekday)].substr(0, 3));
    case 'A': return text(kWeekdays[static_cast<std::size_t>(time.weekday)]);
    case 'b':
    case 'h': return text(kMonths[static_cast<std::size_t>(time.month)].substr(0, 3));
    case 'B': return text(kMonths[static_cast<std::size_t>(time.month)]);
    case 'C': return number(FloorDivide(time.year, 100), 2);
    case 'd': return number(time.day, 2);
    case 'e': return number(time.day, 2, ' ');
    case 'g': return number(FloorModulo(IsoWeekOf(time).year, 100), 2);
    case 'G': return number(IsoWeekOf(time).year, 1);
    case 'H': return number(time.hour, 2);
    case 'I': return number(hour12, 2);
    case 'j': return number(time.yearday + 1, 3);
    case 'k': return number(time.hour, 2, ' ');
    case 'l': return number(hour12, 2, ' ');
    case 'm': return number(time.month + 1, 2);
    case 'M': return number(time.minute, 2);
    case 'n': return text("\n");
    case 'p': return text(time.hour < 12 ? "AM" : "PM");
    case 'P': return text(time.hour < 12 ? "am" : "pm");
    case 's': return number(ToSeconds(time), 1);
    case 'S': return number(time.second, 2);
    case 't': return text("\t");
    case 'u': return number(time.weekday == 0 ? 7 : time.weekday, 1);
    case 'U': return number(WeekOfYear(time, 0), 2);
    case 'V': return number(IsoWeekOf(time).week, 2);
    case 'w': return number(time.weekday, 1);
    case 'W': return number(WeekOfYear(time, 1), 2);
    case 'y': return number(FloorModulo(time.year, 100), 2);
    case 'Y': return number(time.year, 1);
    case 'z': return text("+0000");
    case 'Z': return text(zone);
    case '%': return text("%");
    default: return std::nullopt;
      // clang-format on
  }
}

void AppendField(const Field& field, char flag, std::string& to) {
  if (!field.text.empty() || field.width == 0) {
    std::string text(field.text);
    if (flag == '^') {
      std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
    }
    to += text;
    return;
  }
  std::string digits = Cat(std::abs(field.number));
  char pad = flag == '_' ? ' ' : flag == '0' ? '0' : field.pad;
  if (field.number < 0) to += '-';
  int missing = field.width - static_cast<int>(digits.size());
  if (flag != '-' && missing > 0) to.append(static_cast<std::size_t>(missing), pad);
  to += digits;
}

void WriteTime(const Time& time, std::string_view format, std::string_view zone, std::string& to) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      to += format[i];
      continue;
    }
    std::size_t begin = i++;
    char flag = 0;
    if (i < format.size() && std::string_view("-_0^#").contains(format[i])) flag = format[i++];
    if (i < format.size() && (format[i] == 'E' || format[i] == 'O')) ++i;
    char letter = i < format.size() ? format[i] : '\0';
    std::string_view composite = CompositeOf(letter);
    if (!composite.empty()) {
      WriteTime(time, composite, zone, to);
    } else if (std::optional<Field> field = FieldOf(time, letter, zone)) {
      AppendField(*field, flag, to);
    } else {
      to += format.substr(begin, i + 1 - begin);
    }
  }
}

bool Write(Context& context, const Value& input, const Value& format, std::string_view function,
           std::string_view zone, Value* out) {
  std::optional<Time> time;
  if (input.is_number()) {
    time = TimeOfNumber(input);
    if (!time) {
      return context.RaiseText("error converting number of seconds since epoch to datetime");
    }
  } else if (input.is_array()) {
    time = TimeOfParts(input);
    if (time) time = FromSeconds(ToSeconds(*time));
  }
  if (!time) return context.RaiseText(Cat(function, " requires parsed datetime inputs"));
  if (!format.is_string()) return context.RaiseText(Cat(function, " requires a string format"));
  // A field is two bytes at least and becomes this many at most.
  constexpr std::size_t kMostPerByte = 24;
  Scratch scratch(context);
  if (!context.Spend(format.size() * 4 + 16) || !scratch.Grow(format.size() * kMostPerByte)) {
    return false;
  }
  std::string text;
  WriteTime(*time, format.as_string(), zone, text);
  return context.MakeString(text, out);
}

// --- Reading --------------------------------------------------------------------------------

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

class TimeParser {
 public:
  explicit TimeParser(std::string_view text) : text_(text) {}

  std::optional<Time> Parse(std::string_view format) {
    if (!Follow(format)) return std::nullopt;
    SkipSpace();
    if (!text_.empty()) return std::nullopt;
    Complete();
    return time_;
  }

 private:
  void SkipSpace() {
    while (!text_.empty() && IsSpace(text_.front())) text_.remove_prefix(1);
  }

  bool Follow(std::string_view format) {
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (IsSpace(format[i])) {
        SkipSpace();
      } else if (format[i] != '%') {
        if (!text_.starts_with(format[i])) return false;
        text_.remove_prefix(1);
      } else {
        ++i;
        while (i < format.size() && std::string_view("-_0^#EO").contains(format[i])) ++i;
        if (i == format.size() || !Take(format[i])) return false;
      }
    }
    return true;
  }

  bool TakeNumber(std::int64_t least, std::int64_t most, int digits, std::int64_t& number) {
    SkipSpace();
    std::int64_t value = 0;
    int taken = 0;
    while (taken < digits && !text_.empty() && IsDigit(text_.front())) {
      value = value * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
      ++taken;
    }
    if (taken == 0 || value < least || value > most) return false;
    number = value;
    return true;
  }

  template <std::size_t N>
  bool TakeName(const std::array<std::string_view, N>& names, std::int64_t& index) {
    SkipSpace();
    for (std::size_t i = 0; i < N; ++i) {
      for (std::string_view name : {names[i], names[i].substr(0, 3)}) {
        bool equal = text_.size() >= name.size() &&
                     std::ranges::equal(text_.substr(0, name.size()), name, {}, Lower, Lower);
        if (!equal) continue;
        text_.remove_prefix(name.size());
        index = static_cast<std::int64_t>(i);
        return true;
      }
    }
    return false;
  }

  // Z, +hh, +hhmm or +hh:mm.
  bool TakeOffset() {
    SkipSpace();
    if (text_.starts_with('Z')) {
      text_.remove_prefix(1);
      return true;
    }
    if (!text_.starts_with('+') && !text_.starts_with('-')) return false;
    std::int64_t sign = text_.front() == '+' ? 1 : -1;
    text_.remove_prefix(1);
    std::int64_t hours = 0;
    std::int64_t minutes = 0;
    if (text_.empty() || !IsDigit(text_.front()) || !TakeNumber(0, 24, 2, hours)) return false;
    bool colon = text_.starts_with(':');
    if (colon) text_.remove_prefix(1);
    bool more = !text_.empty() && IsDigit(text_.front());
    if ((more && !TakeNumber(0, 59, 2, minutes)) || (colon && !more)) return false;
    offset_ = sign * (hours * 3600 + minutes * 60);
    return true;
  }

  bool TakeSeconds() {
    SkipSpace();
    bool negative = text_.starts_with('-');
    if (negative) text_.remove_prefix(1);
    std::int64_t seconds = 0;
    if (!TakeNumber(0, kMostYears * 31556952, 17, seconds)) return false;
    time_ = FromSeconds(negative ? -seconds : seconds);
    return true;
  }

  bool TakeZoneName() {
    std::size_t letters = 0;
    while (letters < text_.size() && Lower(text_[letters]) >= 'a' && Lower(text_[letters]) <= 'z') {
      ++letters;
    }
    text_.remove_prefix(letters);
    return true;
  }

  bool TakeHalf() {
    SkipSpace();
    bool is_half = text_.size() >= 2 && Lower(text_[1]) == 'm' &&
                   (Lower(text_[0]) == 'a' || Lower(text_[0]) == 'p');
    if (!is_half) return false;
    afternoon_ = Lower(text_[0]) == 'p';
    text_.remove_prefix(2);
    return true;
  }

  bool Take(char letter) {
    std::int64_t ignored = 0;
    std::string_view composite = CompositeOf(letter);
    if (!composite.empty()) return Follow(composite);
    switch (letter) {
      case 'a':
      case 'A':
        return TakeName(kWeekdays, time_.weekday);
      case 'b':
      case 'B':
      case 'h':
        return TakeName(kMonths, time_.month);
      case 'C':
        return TakeNumber(0, 99, 2, century_);
      case 'd':
      case 'e':
        return TakeNumber(1, 31, 2, time_.day);
      case 'H':
      case 'k':
        return TakeNumber(0, 23, 2, time_.hour);
      case 'I':
      case 'l':
        return TakeNumber(1, 12, 2, hour12_);
      case 'j':
        return TakeNumber(1, 366, 3, day_of_year_);
      case 'm':
        if (!TakeNumber(1, 12, 2, time_.month)) return false;
        --time_.month;
        return true;
      case 'M':
        return TakeNumber(0, 59, 2, time_.minute);
      case 'n':
      case 't':
        return SkipSpace(), true;
      case 'p':
      case 'P':
        return TakeHalf();
      case 's':
        return TakeSeconds();
      case 'S':
        return TakeNumber(0, 61, 2, time_.second);
      case 'u':
        return TakeNumber(1, 7, 1, ignored);
      case 'w':
        return TakeNumber(0, 6, 1, ignored);
      case 'U':
      case 'V':
      case 'W':
        return TakeNumber(0, 53, 2, ignored);
      case 'g':
        return TakeNumber(0, 99, 2, ignored);
      case 'G':
        return TakeNumber(0, 9999, 4, ignored);
      case 'y':
        return TakeNumber(0, 99, 2, year_of_century_);
      case 'Y':
        return TakeNumber(0, 9999, 4, time_.year);
      case 'z':
        return TakeOffset();
      case 'Z':
        return TakeZoneName();
      case '%':
        if (!text_.starts_with('%')) return false;
        text_.remove_prefix(1);
        return true;
      default:
        return false;
    }
  }

  void Complete() {
    if (century_ >= 0) time_.year = century_ * 100 + std::max<std::int64_t>(year_of_century_, 0);
    if (century_ < 0 && year_of_century_ >= 0) {
      time_.year = year_of_century_ + (year_of_century_ < 69 ? 2000 : 1900);
    }
    if (hour12_ >= 0) time_.hour = hour12_ % 12;
    if (afternoon_ && time_.hour < 12) time_.hour += 12;
    if (day_of_year_ > 0) {
      Time date = FromSeconds((DaysToMonth(time_.year, 0) + day_of_year_ - 1) * kDay);
      time_.month = date.month;
      time_.day = date.day;
    }
    if (offset_ != 0) {
      time_ = FromSeconds(ToSeconds(time_) - offset_);
    } else {
      SetDayOfWeekAndYear(time_);
    }
  }

  std::string_view text_;
  Time time_;
  std::int64_t century_ = -1;
  std::int64_t year_of_century_ = -1;
  std::int64_t hour12_ = -1;
  std::int64_t day_of_year_ = 0;
  std::int64_t offset_ = 0;
  bool afternoon_ = false;
};

bool ToParts(Context& context, const Time& time, Value* out) {
  Value second = time.fraction == 0
                     ? Value::Int(time.second)
                     : Value::Double(static_cast<double>(time.second) + time.fraction);
  Value parts[] = {Value::Int(time.year),    Value::Int(time.month),  Value::Int(time.day),
                   Value::Int(time.hour),    Value::Int(time.minute), second,
                   Value::Int(time.weekday), Value::Int(time.yearday)};
  return context.MakeArray(parts, out);
}

}  // namespace

bool BrokenDown(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_number()) return context.RaiseText("gmtime() requires numeric inputs");
  std::optional<Time> time = TimeOfNumber(input);
  if (!time) {
    return context.RaiseText("error converting number of seconds since epoch to datetime");
  }
  return ToParts(context, *time, out);
}

bool SecondsOf(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array()) return context.RaiseText("mktime requires array inputs");
  std::optional<Time> time = TimeOfParts(input);
  if (!time) return context.RaiseText("mktime requires parsed datetime inputs");
  *out = Value::Int(ToSeconds(*time));
  return true;
}

bool FormatTime(Context& context, const Value& input, const Value* arguments, Value* out) {
  return Write(context, input, arguments[0], "strftime/1", "UTC", out);
}

bool FormatLocalTime(Context& context, const Value& input, const Value* arguments, Value* out) {
  return Write(context, input, arguments[0], "strflocaltime/1", "UTC", out);
}

bool ParseTime(Context& context, const Value& input, const Value* arguments, Value* out) {
  const Value& format = arguments[0];
  if (!input.is_string() || !format.is_string()) {
    return context.RaiseText("strptime/1 requires string inputs and arguments");
  }
  if (!context.Spend(input.size() + format.size())) return false;
  std::optional<Time> time = TimeParser(input.as_string()).Parse(format.as_string());
  if (!time) {
    return context.RaiseText(Cat("date ", Quote(input.as_string()), " does not match format ",
                                 Quote(format.as_string())));
  }
  return ToParts(context, *time, out);
}

}  // namespace wmap::expr::builtins
