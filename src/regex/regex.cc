#include "regex/regex.h"

#include <re2/re2.h>
#include <string>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "regex/pattern.h"

namespace wmap::regex {

struct Regex::Impl {
  Impl(const std::string& pattern, const re2::RE2::Options& options) : re2(pattern, options) {}

  re2::RE2 re2;
  Flags flags;
  std::vector<std::string> names;
};

Result<Flags> ParseFlags(std::string_view letters) {
  Flags flags;
  for (char letter : letters) {
    switch (letter) {
      case 'g':
        flags.global = true;
        break;
      case 'i':
        flags.ignore_case = true;
        break;
      case 'x':
        flags.extended = true;
        break;
      case 'p':
        flags.dot_newline = true;
        break;
      case 'l':
        flags.longest = true;
        break;
      case 'n':
        flags.skip_empty = true;
        break;
      case 's':
        break;
      default:
        return Fail(
            Code::kEvaluation,
            Cat(letters, " is not a valid modifier string: the flags are g, i, x, s, p, n, l"));
    }
  }
  return flags;
}

Regex::Regex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::Compile(std::string_view pattern, const Flags& flags, std::size_t max_memory) {
  if (pattern.size() > kMaxPattern)
    return Fail(Code::kLimit, Cat("a regular expression of ", pattern.size(),
                                  " bytes is over the limit of ", kMaxPattern));
  auto refuse = [&](Code code, std::string_view reason) {
    return Fail(code, Cat(Quote(pattern), " is not a valid regex: ", reason));
  };
  Result<std::string> translated = Translate(pattern, flags.extended);
  if (!translated) return refuse(translated.error().code(), translated.error().message());

  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(static_cast<std::int64_t>(max_memory));
  options.set_case_sensitive(!flags.ignore_case);
  options.set_dot_nl(flags.dot_newline);
  options.set_longest_match(flags.longest);
  auto impl = std::make_unique<Impl>(*translated, options);
  if (!impl->re2.ok()) {
    bool too_large = impl->re2.error_code() == re2::RE2::ErrorPatternTooLarge ||
                     impl->re2.error_code() == re2::RE2::ErrorRepeatSize;
    return refuse(too_large ? Code::kLimit : Code::kEvaluation, impl->re2.error());
  }
  impl->flags = flags;
  impl->names.resize(static_cast<std::size_t>(impl->re2.NumberOfCapturingGroups()));
  for (const auto& [index, name] : impl->re2.CapturingGroupNames())
    impl->names[static_cast<std::size_t>(index) - 1] = name;
  return Regex(std::move(impl));
}

const Flags& Regex::flags() const { return impl_->flags; }
std::size_t Regex::group_count() const { return impl_->names.size(); }
std::string_view Regex::group_name(std::size_t group) const { return impl_->names[group]; }

std::size_t Regex::cost_per_byte() const {
  constexpr int kStepsInUnit = 14;  // measured: (a?){1000} on a long text
  return static_cast<std::size_t>(std::max(impl_->re2.ProgramSize(), 0) / kStepsInUnit);
}

bool Regex::Test(std::string_view text) const {
  if (!impl_->flags.skip_empty)
    return impl_->re2.Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED,
                            nullptr, 0);
  bool found = false;
  Match(text, [&](const std::vector<Span>&) {
    found = true;
    return false;
  });
  return found;
}

void Regex::Match(std::string_view text, FunctionRef<bool(const std::vector<Span>&)> sink) const {
  // A null pointer would make an empty match look like none.
  if (text.data() == nullptr) text = "";
  std::vector<re2::StringPiece> groups(impl_->names.size() + 1);
  std::vector<Span> spans(groups.size());
  std::size_t from = 0;
  while (from <= text.size() &&
         impl_->re2.Match({text.data(), text.size()}, from, text.size(), re2::RE2::UNANCHORED,
                          groups.data(), static_cast<int>(groups.size()))) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].data() == nullptr) {
        spans[i] = {};
      } else {
        auto begin = static_cast<std::size_t>(groups[i].data() - text.data());
        spans[i] = {begin, begin + groups[i].size()};
      }
    }
    bool empty = spans[0].begin == spans[0].end;
    bool counts = !(empty && impl_->flags.skip_empty);
    if (counts && (!sink(spans) || !impl_->flags.global)) return;
    from = spans[0].end;
    if (empty) from += from < text.size() ? DecodeUtf8(text.substr(from)).size : 1;
  }
}

std::size_t OffsetCounter::CharactersBefore(std::size_t offset) {
  if (offset >= offset_) {
    characters_ += CountUtf8(text_.substr(offset_, offset - offset_));
  } else {
    characters_ -= CountUtf8(text_.substr(offset, offset_ - offset));
  }
  offset_ = offset;
  return characters_;
}

}  // namespace wmap::regex
