// Decoder: walks a document's objects and lists by tables of field names. What the fields are is in
// the tables, decode.cc and extensions.cc; what is wrong with a document is said here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "definition/karta.h"
#include "definition/report.h"
#include "json/value.h"

namespace wmap::definition {

class Decoder;

// The last token of a JSON pointer as messages call it: "replicasPath", "filters[1]".
std::string LastName(std::string_view pointer);

// One field of an object: its name and how its value gets into the struct `to`. Without `read`, any
// value may stand there.
struct Field {
  std::string_view name;
  void (*read)(Decoder& decoder, const json::Value& value, void* to);
  bool is_required = false;
  bool may_be_null = false;
};

// Where in the document reading is, and the report. Findings: unknown-field, field-case,
// null-field, required-field, wrong-type, empty-value. The tables bound the depth.
class Decoder {
 public:
  // `pointer` is that of the value that is read first.
  explicit Decoder(Report& report, std::string pointer = {})
      : report_(report), pointer_(std::move(pointer)) {}

  Report& report() { return report_; }
  const std::string& pointer() const { return pointer_; }
  std::string FieldName() const;

  // The value at hand is not `expected` ("a string").
  void WrongType(const json::Value& value, std::string_view expected);
  // The value at hand is empty, and must not be.
  void Empty();

  // Reads an object's members by `fields` into `to`.
  void Object(const json::Value& value, std::span<const Field> fields, void* to);
  // Calls `each(item)` for every item, the pointer being at it.
  template <typename Each>
  void List(const json::Value& value, Each each) {
    if (!value.is_array()) return WrongType(value, "a list");
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::size_t size = pointer_.size();
      json::AppendPointerIndex(pointer_, i);
      each(value[i]);
      pointer_.resize(size);
    }
  }
  // Calls `each(member)` for every member in source order, the pointer being at it.
  template <typename Each>
  void Map(const json::Value& value, Each each) {
    if (!value.is_object()) return WrongType(value, "an object");
    for (std::size_t i = 0; i < value.size(); ++i) {
      const json::Member& member = value.member_in_source_order(i);
      std::size_t size = pointer_.size();
      json::AppendPointerToken(pointer_, member.key);
      each(member);
      pointer_.resize(size);
    }
  }

 private:
  void ReadMember(const json::Member& member, const json::Value& object,
                  std::span<const Field> fields, void* to);
  const Field* OtherName(std::string_view key, const json::Value& object,
                         std::span<const Field> fields);

  Report& report_;
  std::string pointer_;
};

void Read(Decoder& d, const json::Value& value, std::string& to);
void Read(Decoder& d, const json::Value& value, Expression& to);

}  // namespace wmap::definition
