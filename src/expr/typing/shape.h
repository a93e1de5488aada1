// Shape: what is known of a value, and how many of them there are.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "expr/typing.h"
#include "expr/typing/places.h"

namespace wmap::expr::typing {

// Immutable once it is shared. Without anything in it, it is of no value at all.
struct Shape {
  using Ref = std::shared_ptr<const Shape>;

  std::set<Place> places;            // parts of the document that it may be
  bool is_present = false;           // the places are not null here
  std::set<std::string_view> texts;  // constants that it may be
  // What values made here may be besides: kString of a computed text, kArray and kObject of those
  // that are put together here, of which the following says more.
  Kinds made = Kinds::None();
  bool is_opaque = false;  // anything at all
  std::map<std::string_view, Ref> fields;
  // Members that it has for sure: what `fields` says of them is all, whatever its places have.
  std::set<std::string_view> sure;
  Ref items;     // of an array, and members whose names are computed
  Count length;  // of the array, where kArray is made; how many members where the object is
};
using Ref = Shape::Ref;

inline Ref Share(Shape shape) { return std::make_shared<const Shape>(std::move(shape)); }

// The results of an expression for one input.
struct Stream {
  Ref shape;
  Count count = Count::One();
};

// As many as there are combinations of both.
Count Times(const Count& a, const Count& b);
// Those of both.
Count Plus(const Count& a, const Count& b);
// Those of the one or of the other.
Count Either(const Count& a, const Count& b);

}  // namespace wmap::expr::typing
