#include "definition/decoder.h"

#include "base/text.h"

namespace wmap::definition {
namespace {

using json::Value;

std::string WithArticle(std::string_view noun) {
  if (noun == "null") return std::string(noun);
  return Cat(noun.starts_with('a') || noun.starts_with('o') ? "an " : "a ", noun);
}

const Value* FindAnyCase(const Value& object, std::string_view name) {
  if (const Value* exact = object.Find(name)) return exact;
  std::string lower = ToLower(name);
  for (const json::Member& member : object.members()) {
    if (ToLower(member.key) == lower) return &member.value;
  }
  return nullptr;
}

// What an author who wrote another type than a string probably has to do.
std::string_view QuoteHint(const Value& value, std::string_view expected) {
  if (expected != "a string") return "";
  if (value.is_number()) return "put it in quotes";
  if (!value.is_bool()) return "";
  return "put it in quotes: YAML reads unquoted yes, no, on, off, y, n, true and false as booleans";
}

}  // namespace

std::string LastName(std::string_view pointer) {
  std::size_t slash = pointer.rfind('/');
  if (slash == std::string_view::npos) return "the definition";
  std::string token(pointer.substr(slash + 1));
  for (std::size_t i = 0; (i = token.find('~', i)) != std::string::npos; ++i) {
    token.replace(i, 2, token.substr(i, 2) == "~1" ? "/" : "~");
  }
  if (token.empty() || token.find_first_not_of("0123456789") != std::string::npos) return token;
  std::string_view list = pointer.substr(0, slash);
  return Cat(list.substr(list.rfind('/') + 1), '[', token, ']');
}

std::string Decoder::FieldName() const { return LastName(pointer_); }

void Decoder::WrongType(const Value& value, std::string_view expected) {
  report_.Add(
      {Severity::kError, "wrong-type",
       Cat(FieldName(), " must be ", expected, ", not ", WithArticle(json::TypeName(value.type()))),
       std::string(QuoteHint(value, expected))},
      pointer_, Report::Part::kValue);
}

void Decoder::Empty() {
  report_.Add(
      {report_.strictness(), "empty-value", Cat(FieldName(), " is empty"), "leave the field out"},
      pointer_);
}

void Decoder::Object(const Value& value, std::span<const Field> fields, void* to) {
  Map(value, [&](const json::Member& member) { ReadMember(member, value, fields, to); });
  if (!value.is_object()) return;
  for (const Field& field : fields) {
    if (!field.is_required || FindAnyCase(value, field.name) != nullptr) continue;
    report_.Add({report_.strictness(), "required-field",
                 Cat(FieldName(), " lacks the field ", Quote(field.name))},
                pointer_);
  }
}

void Decoder::ReadMember(const json::Member& member, const Value& object,
                         std::span<const Field> fields, void* to) {
  const Field* field = nullptr;
  for (const Field& candidate : fields) {
    if (candidate.name == member.key) field = &candidate;
  }
  if (field == nullptr) field = OtherName(member.key, object, fields);
  if (field == nullptr) return;
  if (member.value.is_null()) {
    if (!field->may_be_null) {
      report_.Add(
          {report_.strictness(), "null-field", Cat(field->name, " is null"), "leave the field out"},
          pointer_);
    }
    return;
  }
  if (field->read != nullptr) field->read(*this, member.value, to);
}

// Reports a key that is no field, and returns the field that it is in other letters.
const Field* Decoder::OtherName(std::string_view key, const Value& object,
                                std::span<const Field> fields) {
  std::string lower = ToLower(key);
  std::vector<std::string_view> names;
  for (const Field& field : fields) {
    names.push_back(field.name);
    if (ToLower(field.name) != lower) continue;
    report_.Add({report_.strictness(), "field-case",
                 Cat("the field ", Quote(field.name), " is spelt ", Quote(key)),
                 "names of fields are case-sensitive; some readers take it, others drop it"},
                pointer_);
    return object.Find(field.name) == nullptr ? &field : nullptr;
  }
  std::string_view near = Nearest(key, names);
  std::string hint;
  if (!near.empty()) {
    hint = Cat("did you mean ", Quote(near), "?");
  } else {
    hint = "the fields here are ";
    for (std::size_t i = 0; i < names.size(); ++i) CatTo(hint, i == 0 ? "" : ", ", names[i]);
  }
  report_.Add({report_.strictness(), "unknown-field", Cat("unknown field ", Quote(key)), hint},
              pointer_);
  return nullptr;
}

void Read(Decoder& d, const Value& value, std::string& to) {
  if (!value.is_string()) return d.WrongType(value, "a string");
  to = value.as_string();
}

void Read(Decoder& d, const Value& value, Expression& to) {
  if (!value.is_string()) return d.WrongType(value, "a string");
  to = Expression(std::string(value.as_string()), d.pointer());
}

}  // namespace wmap::definition
