// Natives for regular expressions; match, sub and their kin are definitions on these.
#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/natives.h"
#include "expr/builtins/scratch.h"
#include "expr/builtins/values.h"
#include "regex/regex.h"

namespace wmap::expr::builtins {

using json::Member;
using json::Value;
using regex::Regex;
using regex::Span;
using vm::Context;

namespace {

// What a native of this file was called with. The pattern may be an array of pattern and flags.
struct Call {
  std::string_view text;
  const Regex* regex = nullptr;
};

bool Prepare(Context& context, const Value& input, const Value& pattern, const Value& flags,
             std::string_view more_flags, Call& call) {
  if (!input.is_string()) {
    return Complain(context, input, "cannot be matched, as it is not a string");
  }
  if (!pattern.is_string()) return Complain(context, pattern, "is not a string");
  if (!flags.is_string() && !flags.is_null()) return Complain(context, flags, "is not a string");
  std::string all_flags = Cat(flags.text_or_empty(), more_flags);
  Result<const Regex*> regex = context.regexes().Find(pattern.as_string(), all_flags);
  if (!regex) return context.RaiseText(regex.error().message());
  call = {input.as_string(), *regex};
  return context.Spend(TextCost(call.text.size()) + call.text.size() * (*regex)->cost_per_byte() +
                       8);
}

// The steps of one more match. A search may look at all the rest of the text.
std::uint64_t MatchCost(const Call& call, const std::vector<Span>& match) {
  std::size_t rest = call.text.size() - match[0].end;
  return 4 * match.size() + rest * (1 + call.regex->cost_per_byte()) / 8192;
}

Value TextOf(const Call& call, const Span& span) {
  return span.matched() ? Value::String(call.text.substr(span.begin, span.end - span.begin))
                        : Value();
}

// Makes the objects that `match` gives. Their members are in ascending order.
class Matches {
 public:
  Matches(Context& context, const Call& call)
      : context_(&context), call_(&call), counter_(call.text), made_(context) {}

  bool Add(const std::vector<Span>& match) {
    std::size_t count = match.size() - 1;
    Value* captures = context_->AllocateItems(count);
    if (captures == nullptr || !context_->Spend(MatchCost(*call_, match))) return false;
    for (std::size_t i = 0; i < count; ++i) {
      std::string_view name = call_->regex->group_name(i);
      Member* members = context_->AllocateMembers(4);
      if (members == nullptr) return false;
      Place place = PlaceOf(match[i + 1]);
      members[0] = {"length", place.length};
      members[1] = {"name", Value()};
      members[2] = {"offset", place.offset};
      members[3] = {"string", TextOf(*call_, match[i + 1])};
      // The name stands in the cache, which forgets.
      if (!name.empty() && !context_->MakeString(name, &members[1].value)) return false;
      captures[i] = Value::Object({members, 4});
    }
    Member* members = context_->AllocateMembers(4);
    if (members == nullptr) return false;
    Place place = PlaceOf(match[0]);
    members[0] = {"captures", Value::Array({captures, count})};
    members[1] = {"length", place.length};
    members[2] = {"offset", place.offset};
    members[3] = {"string", TextOf(*call_, match[0])};
    return made_.Push(Value::Object({members, 4}));
  }

  bool Finish(Value* out) { return made_.Finish(out); }

 private:
  struct Place {
    Value offset;
    Value length;
  };

  Place PlaceOf(const Span& span) {
    if (!span.matched()) return {Value::Int(-1), Value::Int(0)};
    std::size_t begin = counter_.CharactersBefore(span.begin);
    std::string_view text = call_->text.substr(span.begin, span.end - span.begin);
    return {Count(begin), Count(CountUtf8(text))};
  }

  Context* context_;
  const Call* call_;
  regex::OffsetCounter counter_;
  Items made_;
};

// The named groups of a match as an object; of several with one name the last one.
bool Captures(Context& context, const Call& call, const std::vector<Span>& match, Value* out) {
  Stack<Member> members(context);
  for (std::size_t i = 0; i + 1 < match.size(); ++i) {
    std::string_view name = call.regex->group_name(i);
    Value key;
    if (name.empty()) continue;
    if (!context.MakeString(name, &key) ||
        !members.Push({key.as_string(), TextOf(call, match[i + 1])})) {
      return false;
    }
  }
  if (!context.Charge(members.size() * sizeof(Member))) return false;
  *out = json::MakeObject(context.arena(), members.items());
  return true;
}

bool MatchAll(Context& context, const Value& input, const Value& pattern, const Value& flags,
              Value* out) {
  Call call;
  if (!Prepare(context, input, pattern, flags, "", call)) return false;
  Matches matches(context, call);
  bool fits = true;
  call.regex->Match(call.text,
                    [&](const std::vector<Span>& match) { return fits = matches.Add(match); });
  return fits && matches.Finish(out);
}

bool Test(Context& context, const Value& input, const Value& pattern, const Value& flags,
          Value* out) {
  Call call;
  if (!Prepare(context, input, pattern, flags, "", call)) return false;
  *out = Value::Bool(call.regex->Test(call.text));
  return true;
}

// Calls `function` with the pattern and the flags that are in `pattern`, a string or an array.
template <typename F>
bool Unpack(Context& context, const Value& pattern, Value* out, F&& function) {
  bool is_list = pattern.is_array() && pattern.size() > 0;
  if (!pattern.is_string() && !is_list) {
    return context.RaiseText(Cat(TypeName(pattern.type()), " not a string or array"));
  }
  return function(is_list ? pattern[0] : pattern,
                  is_list && pattern.size() > 1 ? pattern[1] : Value(), out);
}

}  // namespace

bool MatchRegex(Context& context, const Value& input, const Value* arguments, Value* out) {
  return MatchAll(context, input, arguments[0], arguments[1], out);
}

bool MatchRegexOf(Context& context, const Value& input, const Value* arguments, Value* out) {
  return Unpack(context, arguments[0], out, [&](const Value& re, const Value& flags, Value* to) {
    return MatchAll(context, input, re, flags, to);
  });
}

bool TestRegex(Context& context, const Value& input, const Value* arguments, Value* out) {
  return Test(context, input, arguments[0], arguments[1], out);
}

bool TestRegexOf(Context& context, const Value& input, const Value* arguments, Value* out) {
  return Unpack(context, arguments[0], out, [&](const Value& re, const Value& flags, Value* to) {
    return Test(context, input, re, flags, to);
  });
}

bool SplitRegex(Context& context, const Value& input, const Value* arguments, Value* out) {
  Call call;
  if (!Prepare(context, input, arguments[0], arguments[1], "g", call)) return false;
  Items parts(context);
  bool fits = true;
  std::size_t begin = 0;
  call.regex->Match(call.text, [&](const std::vector<Span>& match) {
    fits = context.Spend(MatchCost(call, match)) &&
           parts.Push(Value::String(call.text.substr(begin, match[0].begin - begin)));
    begin = match[0].end;
    return fits;
  });
  return fits && parts.Push(Value::String(call.text.substr(begin))) && parts.Finish(out);
}

// What `sub` needs: for each match [the text before it, its captures], then [the rest].
bool RegexEdits(Context& context, const Value& input, const Value* arguments, Value* out) {
  Call call;
  if (!Prepare(context, input, arguments[0], arguments[1], "", call)) return false;
  Items edits(context);
  bool fits = true;
  std::size_t begin = 0;
  call.regex->Match(call.text, [&](const std::vector<Span>& match) {
    Value edit[2] = {Value::String(call.text.substr(begin, match[0].begin - begin)), Value()};
    Value made;
    begin = match[0].end;
    return fits = context.Spend(MatchCost(call, match)) &&
                  Captures(context, call, match, &edit[1]) && context.MakeArray(edit, &made) &&
                  edits.Push(made);
  });
  Value rest[1] = {Value::String(call.text.substr(begin))};
  Value made;
  return fits && context.MakeArray(rest, &made) && edits.Push(made) && edits.Finish(out);
}

// The last step of `sub`: the input is an array of [the text before a match, its replacements], the
// argument what is behind the last match. The first replacements together are the first result, and
// so on.
bool Splice(Context& context, const Value& input, const Value* arguments, Value* out) {
  std::size_t count = 0;
  for (const Value& edit : input.items()) count = std::max(count, edit[1].size());
  if (!context.Spend(count * input.size() + 1)) return false;
  Items results(context);
  for (std::size_t i = 0; i < count; ++i) {
    Text text(context);
    for (const Value& edit : input.items()) {
      if (i >= edit[1].size()) continue;
      if (!text.Append(edit[0].as_string())) return false;
      const Value& replacement = edit[1][i];
      if (replacement.is_null()) continue;
      if (!replacement.is_string()) {
        return Complain(context, Value::String(text.text()), replacement, "cannot be added");
      }
      if (!text.Append(replacement.as_string())) return false;
    }
    Value result;
    bool done = text.Append(arguments[0].as_string()) &&
                context.Spend(TextCost(text.text().size())) && text.Finish(&result) &&
                results.Push(result);
    if (!done) return false;
  }
  return results.Finish(out);
}

}  // namespace wmap::expr::builtins
