// Typing: what an expression does on documents of a known shape, without any of them at hand.
//
//   expr::Typing typing = expr::TypeOf(program, schema);
//   typing.issues   // ".spec.replica" is nowhere in the schema; `== "Runing"` never holds; …
//   typing.kinds    // what its results may be
//   typing.count    // how many there are: one; one for each item of .spec.groups; …
//
// The expression is run on shapes instead of values, through iterations, variables, functions and
// loops, taking every branch. What the documents may hold is asked of a DocumentTypes, one step at
// a time. Whatever cannot be followed becomes "anything", so that an issue is never a guess: it
// names something that every run, or the run on a document that the shape allows, meets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "expr/document_paths.h"
#include "expr/program.h"

namespace wmap::expr {

// A set of kinds of values. false and true are told apart, as they decide about branches.
class Kinds {
 public:
  static const Kinds kNull, kFalse, kTrue, kBoolean, kNumber, kString, kArray, kObject;
  static constexpr Kinds None() { return Kinds(0); }
  static constexpr Kinds Any() { return Kinds(0x7F); }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool Has(Kinds any_of) const { return (bits_ & any_of.bits_) != 0; }
  constexpr Kinds Without(Kinds others) const { return Kinds(bits_ & ~others.bits_); }
  friend constexpr Kinds operator|(Kinds a, Kinds b) { return Kinds(a.bits_ | b.bits_); }
  friend constexpr Kinds operator&(Kinds a, Kinds b) { return Kinds(a.bits_ & b.bits_); }
  constexpr Kinds& operator|=(Kinds other) { return *this = *this | other; }
  friend constexpr bool operator==(Kinds, Kinds) = default;

  // "a string", "a number or null"; "nothing" of the empty set.
  std::string Describe() const;

 private:
  constexpr explicit Kinds(unsigned bits) : bits_(static_cast<std::uint8_t>(bits)) {}
  std::uint8_t bits_ = 0;
};

inline constexpr Kinds Kinds::kNull = Kinds(0x01);
inline constexpr Kinds Kinds::kFalse = Kinds(0x02);
inline constexpr Kinds Kinds::kTrue = Kinds(0x04);
inline constexpr Kinds Kinds::kBoolean = Kinds(0x06);
inline constexpr Kinds Kinds::kNumber = Kinds(0x08);
inline constexpr Kinds Kinds::kString = Kinds(0x10);
inline constexpr Kinds Kinds::kArray = Kinds(0x20);
inline constexpr Kinds Kinds::kObject = Kinds(0x40);

// What is known of one place of the documents.
struct Known {
  enum class Answer : std::uint8_t {
    kMissing,  // no document has it
    kOpen,     // anything may be there, or nothing
    kThere,    // documents may have it; `kinds` says what it is then
  };
  Answer answer = Answer::kOpen;
  // kNull among them: it may be absent, or null.
  Kinds kinds = Kinds::Any();
  // The only strings that it may be; empty: any. They live as long as the DocumentTypes.
  std::span<const std::string> texts = {};
  // For the DocumentTypes that made it.
  std::uint32_t handle = 0;
};

// The shape of documents. Implementations are asked from one thread at a time.
class DocumentTypes {
 public:
  virtual ~DocumentTypes() = default;
  // The document itself.
  virtual Known Root() = 0;
  // The member of an object, and any item of an array or any member of an object. `of` is known to
  // be there, and not open.
  virtual Known Member(const Known& of, std::string_view key) = 0;
  virtual Known Item(const Known& of) = 0;
};

// How many results an expression has: `least` to `most` for every combination of what `factors`
// name, which is not known to be any number. No factor, 1 and 1: exactly one.
struct Count {
  static constexpr std::uint32_t kMany = 0xFFFFFFFF;

  struct Factor {
    enum class Kind : std::uint8_t {
      kItems,   // as many as `text`, a path, has items
      kFilter,  // one or none, as `text`, an expression, decides
    };
    Kind kind = Kind::kItems;
    std::string text;
    friend bool operator==(const Factor&, const Factor&) = default;
  };

  std::uint32_t least = 1;
  std::uint32_t most = 1;
  std::vector<Factor> factors = {};  // the outermost first

  static Count One() { return {}; }
  static Count None() { return {0, 0, {}}; }
  static Count Some() { return {0, kMany, {}}; }  // not known how many

  bool is_one() const { return least == 1 && most == 1 && factors.empty(); }
  friend bool operator==(const Count&, const Count&) = default;

  // "one result", "one result for each item of .spec.groups", "any number of results".
  std::string Describe() const;
};

// Something that an expression does and nobody can mean, or that some document makes it fail at.
struct Issue {
  enum class Kind : std::uint8_t {
    kMissing,     // goes to `path`, which no document has: its last step is the one that fails
    kNullItems,   // iterates over `path`, which may be absent: that is an error, not nothing
    kNeverEqual,  // compares values that are never equal
    kNeverWorks,  // an operation on values of kinds that it always refuses
    kMayFail,     // an operation on `path`, which may be absent, and which refuses null
    kAbsent,      // compares `path`, which may be absent, with 0 or ""
  };
  Kind kind = Kind::kMissing;
  SourceRange range = {};  // of the program's source
  DocumentPath path = {};  // kMissing, kNullItems, kMayFail, kAbsent
  // kMissing: of `.a // .b` the other side is there, so that this is for other documents.
  bool has_alternative = false;
  // kNeverEqual, kNeverWorks: what stands on both sides, for people: `.spec.suspend is a boolean`.
  // kMayFail, kAbsent: the operation, "- 1", "== 0".
  std::string detail = {};
};

struct Typing {
  // False when it was too large to be followed: then nothing below is known.
  bool is_complete = true;
  std::vector<Issue> issues;  // by place in the source
  // What is open on its way: the places behind which nothing could be verified, ascending.
  std::vector<DocumentPath> open;
  Kinds kinds = Kinds::Any();        // of its results
  bool is_known = false;             // `kinds` is what documents say, not what nobody knows
  std::vector<DocumentPath> places;  // of the document that its results may be, ascending
  // All strings that results may be, when no other string can be one.
  bool has_all_texts = false;
  std::vector<std::string> texts;
  Count count = Count::Some();
};

// Parses the source anew and takes, at worst, some tenths of a second.
Typing TypeOf(const Program& program, DocumentTypes& documents);

}  // namespace wmap::expr
