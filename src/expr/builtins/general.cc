// Natives for values of any type: types, conversions, keys and membership.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/comparing.h"
#include "expr/builtins/natives.h"
#include "expr/builtins/scratch.h"
#include "expr/builtins/values.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::expr::builtins {

using json::Member;
using json::Value;
using vm::Context;

// --- Types ----------------------------------------------------------------------------------

bool TypeOf(Context&, const Value& input, const Value*, Value* out) {
  *out = Value::String(TypeName(input.type()));
  return true;
}

bool Length(Context& context, const Value& input, const Value*, Value* out) {
  switch (input.type()) {
    case json::Type::kNull:
      *out = Value::Int(0);
      return true;
    case json::Type::kNumber:
      return Absolute(context, input, nullptr, out);
    case json::Type::kString:
      *out = Count(CountUtf8(input.as_string()));
      return context.Spend(TextCost(input.size()));
    case json::Type::kArray:
    case json::Type::kObject:
      *out = Count(input.size());
      return true;
    default:
      return Complain(context, input, "has no length");
  }
}

bool Utf8ByteLength(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return Complain(context, input, "only strings have UTF-8 byte length");
  *out = Count(input.size());
  return true;
}

// --- Conversions ----------------------------------------------------------------------------

bool WriteJson(const Value& value, Text& to) {
  Context& context = to.context();
  Scratch stack_memory(context);
  Stack<Value> open(context);
  std::size_t bytes = 0;
  if (!open.Push(value)) return false;
  while (!open.empty()) {
    Value next = open.back();
    open.Pop();
    bytes += 4 + (next.is_string() ? next.size() : next.digits().size());
    if (next.is_array() || next.is_object()) {
      Elements elements(next);
      for (std::size_t i = 0; i < elements.size(); ++i) {
        if (next.is_object()) bytes += 3 + next.members()[i].key.size();
        const Value& element = elements[i];
        bool plain = !element.is_array() && !element.is_object() && !element.is_string();
        bytes += plain ? 4 + element.digits().size() : 0;
        if (!plain && !open.Push(element)) return false;
      }
      if (!context.Spend(elements.size() + 1)) return false;
    }
    // Text that the budget cannot hold need not be measured to its end.
    if (bytes > to.text().capacity() && !to.Need(bytes)) return false;
  }
  if (!context.Spend(TextCost(bytes)) || !to.Need(bytes)) return false;
  json::Write(value, to.text());
  return true;
}

bool ToStringValue(Context& context, const Value& value, Value* out) {
  if (value.is_string()) return *out = value, true;
  Text text(context);
  return WriteJson(value, text) && text.Finish(out);
}

bool ToString(Context& context, const Value& input, const Value*, Value* out) {
  return ToStringValue(context, input, out);
}

bool ToJson(Context& context, const Value& input, const Value*, Value* out) {
  Text text(context);
  return WriteJson(input, text) && text.Finish(out);
}

bool FromJson(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return Complain(context, input, "only strings can be parsed");
  std::string_view text = input.as_string();
  // What the reader may need at once; afterwards, what the values take.
  constexpr std::size_t kMostPerByte = 24;
  Scratch scratch(context);
  if (!context.Spend(text.size() + 1) || !scratch.Grow(text.size() * kMostPerByte)) return false;
  json::ReadOptions options;
  options.dialect = json::ReadOptions::Dialect::kJq;
  std::size_t before = context.arena().bytes_used();
  Result<Value> value = json::Read(text, context.arena(), options);
  if (!context.Charge(context.arena().bytes_used() - before)) return false;
  if (!value) {
    std::string shown;
    AppendBrief(input, shown);
    return context.RaiseText(Cat(value.error().message(), " (while parsing ", shown, ")"));
  }
  *out = *value;
  return true;
}

bool ToNumber(Context& context, const Value& input, const Value*, Value* out) {
  if (input.is_number()) return *out = input, true;
  if (!input.is_string()) return Complain(context, input, "cannot be parsed as a number");
  std::string_view text = input.as_string();
  bool is_clean = !text.empty() && text.find_first_of(" \t\r\n\"[{") == std::string_view::npos;
  if (!context.Spend(TextCost(text.size())) || !context.Charge(text.size() + 16)) return false;
  json::ReadOptions options;
  options.dialect = json::ReadOptions::Dialect::kJq;
  Result<Value> value = is_clean ? json::Read(text, context.arena(), options) : Value();
  if (!value || !value->is_number()) {
    return Complain(context, input, "cannot be parsed as a number");
  }
  *out = *value;
  return true;
}

bool ToBoolean(Context& context, const Value& input, const Value*, Value* out) {
  if (input.is_bool()) return *out = input, true;
  std::string_view text = input.text_or_empty();
  if (text != "true" && text != "false") {
    return Complain(context, input, "cannot be parsed as a boolean");
  }
  *out = Value::Bool(text == "true");
  return true;
}

bool ToArray(Context& context, const Value& input, const Value*, Value* out) {
  if (input.is_array()) return *out = input, true;
  return context.MakeArray(std::span(&input, 1), out);
}

bool FormatAs(Context& context, const Value& input, const Value* arguments, Value* out) {
  const Value& name = arguments[0];
  if (!name.is_string()) return Complain(context, name, "is not a valid format");
  if (!IsFormat(name.as_string())) {
    return context.RaiseText(Cat(name.as_string(), " is not a valid format"));
  }
  return Format(context, name.as_string(), input, out);
}

// --- Keys -----------------------------------------------------------------------------------

bool Keys(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_object() && !input.is_array()) return Complain(context, input, "has no keys");
  Value* keys = context.AllocateItems(input.size());
  if (keys == nullptr || !context.Spend(TextCost(input.size()))) return false;
  for (std::size_t i = 0; i < input.size(); ++i) {
    keys[i] = input.is_array() ? Count(i) : Value::String(input.members()[i].key);
  }
  *out = Value::Array({keys, input.size()});
  return true;
}

bool Has(Context& context, const Value& input, const Value* arguments, Value* out) {
  const Value& key = arguments[0];
  if (input.is_null()) {
    *out = Value::Bool(false);
  } else if (input.is_object() && key.is_string()) {
    *out = Value::Bool(input.Find(key.as_string()) != nullptr);
  } else if (input.is_array() && key.is_number()) {
    double at = key.as_double();
    // Fractions are cut off.
    *out = Value::Bool(at > -1 && at < static_cast<double>(input.size()));
  } else {
    return context.RaiseText(Cat("Cannot check whether ", TypeName(input.type()), " has a ",
                                 TypeName(key.type()), " key"));
  }
  return true;
}

bool ToEntries(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_object() && !input.is_array()) return Complain(context, input, "has no keys");
  Value* entries = context.AllocateItems(input.size());
  if (entries == nullptr) return false;
  Member* members = context.AllocateMembers(2 * input.size());
  if (members == nullptr || !context.Spend(input.size())) return false;
  Elements elements(input);
  for (std::size_t i = 0; i < input.size(); ++i) {
    members[2 * i] = {"key", input.is_array() ? Count(i) : Value::String(input.members()[i].key)};
    members[2 * i + 1] = {"value", elements[i]};
    entries[i] = Value::Object({members + 2 * i, 2});
  }
  *out = Value::Array({entries, input.size()});
  return true;
}

bool FromEntries(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array() && !input.is_object()) return CannotIterate(context, input);
  constexpr std::array<std::string_view, 6> kKeys = {"key", "k", "name", "Name", "Key", "K"};
  constexpr std::array<std::string_view, 4> kValues = {"value", "v", "Value", "V"};
  Elements elements(input);
  Stack<Member> members(context);
  if (!context.Spend(SortCost(elements.size())) || !members.Reserve(elements.size())) return false;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Value& entry = elements[i];
    if (!entry.is_object() && !entry.is_null()) {
      return Index(context, entry, Value::String("key"), out);  // raises
    }
    Value key;
    for (std::string_view name : kKeys) {
      if (!key.is_truthy()) key = entry.Get(name);
    }
    if (!key.is_string()) {
      if (!key.is_truthy()) key = Value();
      std::string message = "Cannot use ";
      AppendDescription(key, message);
      return context.RaiseText(message + " as object key");
    }
    auto name =
        std::ranges::find_if(kValues, [&](std::string_view v) { return entry.Find(v) != nullptr; });
    Value value = name == kValues.end() ? Value() : entry.Get(*name);
    if (!members.Push({key.as_string(), value})) return false;
  }
  if (!context.Charge(members.size() * sizeof(Member))) return false;
  *out = json::MakeObject(context.arena(), members.items());
  return true;
}

// --- Containment ----------------------------------------------------------------------------

namespace {

constexpr std::size_t kDeepest = 10000;

// Whether `a`, an object or array, contains `b`, of the same type: for objects every member of `b`
// must be in the member of `a` with its key, for arrays every item of `b` in some item of `a`.
struct Question {
  Value a;
  Value b;
  std::size_t member = 0;  // of b
  std::size_t item = 0;    // of a
};

bool IsPlainlyContained(const Value& a, const Value& b, Comparing& comparing) {
  if (a.is_string() && b.is_string()) {
    return FindText(a.as_string(), b.as_string(), 0) != std::string_view::npos;
  }
  return comparing.Equal(a, b);
}

// Moves on to the next pair to compare, after `answer` to the last one. Nothing is left when it
// returns false, and `answer` is that to the whole question.
bool NextPair(Question& question, bool& answer, bool is_first, Value& a, Value& b) {
  bool in_array = question.a.is_array();
  if (!is_first) {
    if (answer) {
      ++question.member;
      question.item = 0;
    } else if (in_array) {
      ++question.item;
    } else {
      return false;
    }
  }
  answer = question.member == question.b.size();
  if (answer) return false;
  if (!in_array) {
    const Member& wanted = question.b.members()[question.member];
    const Value* own = question.a.Find(wanted.key);
    if (own == nullptr) return false;
    a = *own;
    b = wanted.value;
    return true;
  }
  if (question.item == question.a.size()) return false;
  a = question.a[question.item];
  b = question.b[question.member];
  return true;
}

}  // namespace

bool Contains(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (input.type() != arguments[0].type()) {
    return Complain(context, input, arguments[0], "cannot have their containment checked");
  }
  Stack<Question> open(context);
  Comparing comparing(context);
  Value a = input;
  Value b = arguments[0];
  bool answer = false;
  bool has_pair = true;
  while (true) {
    bool is_first = false;
    if (has_pair) {
      bool deeper = a.type() == b.type() && (a.is_object() || a.is_array());
      if (!context.Spend(TextCost(a.is_string() ? a.size() : 0))) return false;
      if (deeper) {
        if (open.size() == kDeepest) return context.RaiseText("Containment check too deep");
        if (!open.Push({a, b})) return false;
        is_first = true;
      } else {
        answer = IsPlainlyContained(a, b, comparing);
      }
    }
    if (open.empty()) break;
    has_pair = NextPair(open.back(), answer, is_first, a, b);
    if (!has_pair) open.Pop();
  }
  *out = Value::Bool(answer);
  return comparing.Charge();
}

// --- Paths and the rest ---------------------------------------------------------------------

bool SetPathOf(Context& context, const Value& input, const Value* arguments, Value* out) {
  return SetPath(context, input, arguments[0], arguments[1], out);
}

bool DeletePathsOf(Context& context, const Value& input, const Value* arguments, Value* out) {
  return DeletePaths(context, input, arguments[0], out);
}

namespace {

// The sum of the objects among `elements` from `*i` on, up to the first that is none; `*i` is moved
// there. All at once: one by one would copy the sum each time.
bool AddObjects(Context& context, const Value& sum, const Elements& elements, std::size_t* i,
                Value* out) {
  Stack<Member> members(context);
  auto add = [&](const Value& object) {
    for (std::size_t k = 0; k < object.size(); ++k) {
      if (!members.Push(object.member_in_source_order(k))) return false;
    }
    return context.Spend(object.size() + 1);
  };
  if (!add(sum)) return false;
  for (; *i < elements.size() && elements[*i].is_object(); ++*i) {
    if (!add(elements[*i])) return false;
  }
  if (!context.Spend(SortCost(members.size())) ||
      !context.Charge(members.size() * sizeof(Member))) {
    return false;
  }
  *out = json::MakeObject(context.arena(), members.items());
  return true;
}

}  // namespace

bool AddAll(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array() && !input.is_object()) return CannotIterate(context, input);
  Elements elements(input);
  Value sum;
  for (std::size_t i = 0; i < elements.size();) {
    Value next;
    if (sum.is_object() && elements[i].is_object()) {
      if (!AddObjects(context, sum, elements, &i, &next)) return false;
    } else if (!context.Spend(1) || !Add(context, sum, elements[i++], &next)) {
      return false;
    }
    sum = next;
  }
  *out = sum;
  return true;
}

bool Now(Context& context, const Value&, const Value*, Value* out) {
  if (context.limits().clock == nullptr) return context.RaiseText("now: there is no clock here");
  *out = Value::Int(context.limits().clock->UnixSeconds());
  return true;
}

}  // namespace wmap::expr::builtins
