// Runs the expression on shapes instead of values. See typing.h.
#include "expr/typing/interpreter.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "base/check.h"
#include "base/text.h"
#include "expr/builtins/builtins.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/printer.h"

namespace wmap::expr::typing {
namespace {

constexpr std::size_t kMostWork = 300'000;
// How often one function, and functions at all, may be in each other. Enough for arguments that
// call the function again; what recursion goes to beyond that is "below".
constexpr int kMostSelfCalls = 6;
constexpr int kMostCalls = 60;
// Parts of expressions inside each other, over all calls: a bound for the stack.
constexpr int kDeepestVisit = 1'000;
// Names that are passed over on the way to those that are meant.
constexpr std::size_t kMostLookups = 10'000'000;
// Rounds of a loop until it is taken to go on for ever.
constexpr int kMostRounds = 4;
// Values inside each other that are told apart.
constexpr int kDeepestShape = 10;

constexpr std::array<std::pair<Kinds, std::string_view>, 6> kTypeNames = {{
    {Kinds::kNull, "null"},
    {Kinds::kBoolean, "boolean"},
    {Kinds::kNumber, "number"},
    {Kinds::kString, "string"},
    {Kinds::kArray, "array"},
    {Kinds::kObject, "object"},
}};

Ref Made(Kinds kinds) {
  Shape shape;
  shape.made = kinds;
  return Share(std::move(shape));
}

Ref Constant(std::string_view text) {
  Shape shape;
  shape.texts.insert(text);
  return Share(std::move(shape));
}

Ref Anything() {
  Shape shape;
  shape.made = Kinds::Any();
  shape.is_opaque = true;
  return Share(std::move(shape));
}

Ref ArrayOf(const Stream& items) {
  Shape shape;
  shape.made = Kinds::kArray;
  shape.items = items.shape;
  shape.length = items.count;
  return Share(std::move(shape));
}

Ref ArrayOf(Ref items, Count length = Count::Some()) {
  return ArrayOf(Stream{std::move(items), std::move(length)});
}

// Whether it may be a name or a number that is not known here.
bool IsComputed(const Shape& key) {
  return key.is_opaque || key.made.Has(Kinds::kNumber | Kinds::kString) || !key.places.empty();
}

}  // namespace

bool Interpreter::is_over() const {
  return work_ > kMostWork || lookups_ > kMostLookups || places_.is_full();
}

Interpreter::Interpreter(Syntax syntax, DocumentTypes& documents)
    : syntax_(std::move(syntax)),
      places_(documents),
      nothing_(Share({})),
      null_(Made(Kinds::kNull)),
      boolean_(Made(Kinds::kBoolean)),
      number_(Made(Kinds::kNumber)),
      string_(Made(Kinds::kString)),
      anything_(Anything()) {
  Shape input;
  input.places.insert(kRoot);
  result_ = Visit(syntax_, syntax_.root(), Share(std::move(input)), nullptr);
}

std::vector<DocumentPath> Interpreter::Gone() const {
  if (is_over()) return {{PathStep::Below()}};
  return places_.Ends();
}

std::vector<DocumentPath> Interpreter::Given() {
  std::set<Place> given;
  CollectPlaces(*result_.shape, given);
  if (is_over()) return {{PathStep::Below()}};
  std::vector<DocumentPath> paths;
  for (Place place : given) paths.push_back(places_.PathOf(place));
  std::ranges::sort(paths);
  return paths;
}

Typing Interpreter::Finish() {
  Typing typing;
  if (is_over()) {
    typing.is_complete = false;
    return typing;
  }
  for (auto& [key, note] : notes_) {
    bool is_for_some =
        note.issue.kind == Issue::Kind::kNullItems || note.issue.kind == Issue::Kind::kMayFail;
    if (note.bad > 0 && (note.bad == note.seen || is_for_some)) {
      typing.issues.push_back(std::move(note.issue));
    }
  }
  std::ranges::stable_sort(typing.issues, {}, [](const Issue& issue) { return issue.range.begin; });
  typing.open = places_.Open();
  typing.kinds = KindsOf(*result_.shape);
  typing.is_known =
      !result_.shape->is_opaque && std::ranges::all_of(result_.shape->places, [&](Place place) {
        return places_.known(place).answer == Known::Answer::kThere;
      });
  for (Place place : result_.shape->places) typing.places.push_back(places_.PathOf(place));
  std::ranges::sort(typing.places);
  if (std::optional<std::set<std::string_view>> texts = TextsOf(*result_.shape)) {
    typing.has_all_texts = true;
    typing.texts.assign(texts->begin(), texts->end());
  }
  typing.count = result_.count;
  return typing;
}

// --- What is wrong.

void Interpreter::Note(const Node& node, std::string about, bool is_bad,
                       const std::function<Issue()>& issue) {
  const Node& place = site_ == nullptr ? node : *site_;
  NoteOf& note = notes_[{&place, std::move(about)}];
  ++note.seen;
  if (!is_bad) return;
  if (note.bad++ == 0) {
    note.issue = issue();
    bool is_step = note.issue.kind == Issue::Kind::kMissing;
    note.issue.range = {is_step ? place.place : place.begin, place.end};
  }
}

void Interpreter::Go(const Node& node, const Shape& target, const std::vector<Place>& places) {
  gone_.insert(gone_.end(), places.begin(), places.end());
  if (places.empty()) return;
  // Where one of several is without it, it is meant for another of them.
  bool has_others = target.is_opaque || !target.fields.empty() || target.items != nullptr;
  bool is_missing = !has_others && std::ranges::all_of(places, [&](Place place) {
    return places_.is_missing(place) && !places_.is_missing(places_.above(place));
  });
  Note(node, "missing", is_missing, [&] {
    return Issue{.kind = Issue::Kind::kMissing, .path = places_.PathOf(places.front())};
  });
}

// Of two alternatives one may be missing: `left` and `right` are the places that they go to.
void Interpreter::ExcuseMissing(const Syntax& syntax, const Node& node, std::span<const Place> left,
                                std::span<const Place> right) {
  auto is_there = [&](std::span<const Place> places) {
    return !places.empty() &&
           std::ranges::none_of(places, [&](Place place) { return places_.is_missing(place); });
  };
  auto excuse = [&](NodeId side) {
    const Node& part = syntax.node(side);
    for (auto& [key, note] : notes_) {
      bool is_inside = key.first->begin >= part.begin && key.first->end <= part.end;
      if (is_inside) note.issue.has_alternative = true;
    }
  };
  if (&syntax != &syntax_) return;
  if (is_there(right) && !is_there(left)) excuse(node.a);
  if (is_there(left) && !is_there(right)) excuse(node.b);
}

Kinds Interpreter::KindsOf(const Shape& shape) const {
  Kinds kinds = shape.made;
  if (!shape.texts.empty()) kinds |= Kinds::kString;
  for (Place place : shape.places) {
    const Known& known = places_.known(place);
    if (known.answer == Known::Answer::kThere) {
      kinds |= known.kinds.Without(Kinds::kNull);
    } else {
      kinds |= Kinds::Any().Without(Kinds::kNull);
    }
    if (!shape.is_present && places_.MayBeNull(place)) kinds |= Kinds::kNull;
  }
  return kinds;
}

std::optional<std::set<std::string_view>> Interpreter::TextsOf(const Shape& shape) const {
  if (shape.is_opaque || shape.made.Has(Kinds::kString)) return std::nullopt;
  std::set<std::string_view> texts = shape.texts;
  for (Place place : shape.places) {
    const Known& known = places_.known(place);
    if (known.answer != Known::Answer::kThere) return std::nullopt;
    if (!known.kinds.Has(Kinds::kString)) continue;
    if (known.texts.empty()) return std::nullopt;
    texts.insert(known.texts.begin(), known.texts.end());
  }
  return texts;
}

std::string Interpreter::Describe(const Shape& shape) const {
  std::string kinds = KindsOf(shape).Describe();
  if (shape.places.size() != 1 || !shape.texts.empty()) return kinds;
  Place place = *shape.places.begin();
  const Known& known = places_.known(place);
  std::string text = Cat(PathText(places_.PathOf(place)), ", ", kinds);
  constexpr std::size_t kMostTexts = 8;
  if (!known.texts.empty() && known.texts.size() <= kMostTexts) {
    std::vector<std::string> all(known.texts.begin(), known.texts.end());
    CatTo(text, ": ", Join(all, ", "));
  }
  return text;
}

void Interpreter::CheckComparison(const Node& node, const Shape& left, const Shape& right) {
  // Of two values that are both made here nobody expects anything.
  if (left.places.empty() == right.places.empty()) return;
  const Shape& document = left.places.empty() ? right : left;
  const Shape& other = left.places.empty() ? left : right;
  Kinds both = KindsOf(document) & KindsOf(other);
  if (document.is_opaque || other.is_opaque) return;
  // To ask for null where it cannot be is care, not a mistake.
  Kinds sought = KindsOf(other).Without(Kinds::kNull);
  Note(node, "", both.empty() && !sought.empty(), [&] {
    return Issue{
        .kind = Issue::Kind::kNeverEqual,
        .detail = Cat(Describe(document), ", is never equal to ", KindsOf(other).Describe())};
  });
  if (both.empty() || !both.Has(Kinds::kString)) return;
  std::optional<std::set<std::string_view>> all = TextsOf(document);
  for (std::string_view text : other.texts) {
    Note(node, std::string(text), all && !all->contains(text), [&] {
      return Issue{.kind = Issue::Kind::kNeverEqual,
                   .detail = Cat(Describe(document), ", is never ", Quote(text))};
    });
  }
}

// --- Shapes.

Ref Interpreter::Union(const Ref& a, const Ref& b, int depth) {
  if (a == b || b == nothing_) return a;
  if (a == nothing_) return b;
  for (const Ref& side : {a, b}) {
    work_ += side->places.size() + side->texts.size() + side->fields.size() + 1;
  }
  if (is_over()) return nothing_;
  if (depth == kDeepestShape) return Flat(*a, *b);
  Shape all = *a;
  all.is_present = (a->places.empty() || a->is_present) && (b->places.empty() || b->is_present);
  all.places.insert(b->places.begin(), b->places.end());
  all.texts.insert(b->texts.begin(), b->texts.end());
  all.made |= b->made;
  all.is_opaque = all.is_opaque || b->is_opaque;
  std::erase_if(all.sure, [&](std::string_view key) { return !b->sure.contains(key); });
  for (const auto& [key, field] : b->fields) {
    Ref& known = all.fields[key];
    known = known == nullptr ? field : Union(known, field, depth + 1);
  }
  if (b->items != nullptr) {
    all.items = all.items == nullptr ? b->items : Union(all.items, b->items, depth + 1);
  }
  bool a_has = a->made.Has(Kinds::kArray | Kinds::kObject);
  bool b_has = b->made.Has(Kinds::kArray | Kinds::kObject);
  if (b_has) all.length = a_has ? Either(a->length, b->length) : b->length;
  return Share(std::move(all));
}

// Whether they say the same. Parts are shared, so that there may be many ways to one.
bool Interpreter::IsSame(const Ref& a, const Ref& b) {
  if (a == b || is_over()) return true;
  if (a == nullptr || b == nullptr) return false;
  work_ += a->places.size() + a->texts.size() + a->fields.size() + 1;
  return a->places == b->places && a->texts == b->texts && a->made == b->made &&
         a->is_opaque == b->is_opaque && a->sure == b->sure && IsSame(a->items, b->items) &&
         std::ranges::equal(a->fields, b->fields, [&](const auto& x, const auto& y) {
           return x.first == y.first && IsSame(x.second, y.second);
         });
}

void Interpreter::CollectPlaces(const Shape& shape, std::set<Place>& to, int depth) {
  work_ += shape.places.size() + 1;
  to.insert(shape.places.begin(), shape.places.end());
  if (depth > 2 * kDeepestShape || is_over()) return;
  for (const auto& [key, field] : shape.fields) CollectPlaces(*field, to, depth + 1);
  if (shape.items != nullptr) CollectPlaces(*shape.items, to, depth + 1);
}

// Any value at or below what these hold.
Ref Interpreter::Flat(const Shape& a, const Shape& b) {
  std::set<Place> held;
  CollectPlaces(a, held);
  CollectPlaces(b, held);
  Shape flat;
  flat.made = Kinds::Any();
  flat.is_opaque = true;
  for (Place place : held) flat.places.insert(places_.Below(place));
  return Share(std::move(flat));
}

// A part of another value, or nothing, with which the members of others stay sure.
Ref Interpreter::OfParts(Shape part) const {
  if (part.places.empty() && part.made.empty()) return nothing_;
  return Share(std::move(part));
}

Ref Interpreter::Field(const Ref& target, std::string_view key, const Node& node) {
  work_ += target->places.size() + 1;
  auto field = target->fields.find(key);
  if (target->sure.contains(key)) return field->second;
  Shape part;
  if (target->is_opaque) {
    part.made = Kinds::Any();
    part.is_opaque = true;
  } else if (target->made.Has(Kinds::kNull | Kinds::kObject)) {
    part.made = Kinds::kNull;
  }
  std::vector<Place> members;
  for (Place place : target->places) members.push_back(places_.Key(place, key));
  part.places.insert(members.begin(), members.end());
  Go(node, *target, members);
  Ref shape = OfParts(std::move(part));
  if (field != target->fields.end()) shape = Union(shape, field->second);
  if (target->items != nullptr) shape = Union(shape, target->items);
  return shape;
}

void Interpreter::CheckPresent(const Shape& value, const Node& node, std::string_view what) {
  if (value.is_present || value.is_opaque || quiet_ > 0) return;
  for (Place place : value.places) {
    const Known& known = places_.known(place);
    bool is_scalar =
        known.kinds.Has(what == "+" ? Kinds::kNumber : Kinds::kNumber | Kinds::kString);
    if (known.answer != Known::Answer::kThere || !is_scalar || !places_.MayBeNull(place)) continue;
    Note(node, Cat("null", place), true, [&] {
      return Issue{.kind = Issue::Kind::kMayFail,
                   .path = places_.PathOf(place),
                   .detail = std::string(what)};
    });
  }
}

// What an operator leaves out when it is 0, false or empty is none of these here.
void Interpreter::CheckAbsent(const Syntax& syntax, const Node& node, const Shape& value,
                              NodeId constant) {
  const Node& other = syntax.node(constant);
  bool is_nothing = other.kind == NodeKind::kFalse ||
                    (other.kind == NodeKind::kNumber && other.text == "0") ||
                    (other.kind == NodeKind::kString && other.text.empty());
  if (!is_nothing || value.is_present || value.is_opaque || value.places.size() != 1) return;
  if (value.made.Has(Kinds::Any()) || !value.texts.empty()) return;
  Place place = *value.places.begin();
  if (places_.known(place).answer != Known::Answer::kThere || !places_.MayBeNull(place)) return;
  // Counters of a status are left out at 0; elsewhere it may well be that 0 alone is meant.
  DocumentPath path = places_.PathOf(place);
  bool is_counter = path.front().key == "status" && other.kind != NodeKind::kFalse &&
                    std::ranges::all_of(path, [](const PathStep& step) {
                      return step.kind == PathStep::Kind::kKey;
                    });
  if (!is_counter) return;
  Note(node, "absent", true, [&] {
    return Issue{.kind = Issue::Kind::kAbsent,
                 .path = places_.PathOf(place),
                 .detail = Cat(OperatorText(node.op), ' ',
                               syntax.source().substr(other.begin, other.end - other.begin))};
  });
}

Ref Interpreter::Items(const Ref& target, const Node& node) {
  work_ += target->places.size() + 1;
  Shape part;
  if (target->is_opaque) {
    part.made = Kinds::Any();
    part.is_opaque = true;
  }
  std::vector<Place> items;
  for (Place place : target->places) items.push_back(places_.Any(place));
  part.places.insert(items.begin(), items.end());
  Go(node, *target, items);
  Ref shape = OfParts(std::move(part));
  for (const auto& [key, field] : target->fields) shape = Union(shape, field);
  return target->items == nullptr ? shape : Union(shape, target->items);
}

// How many items there are.
Count Interpreter::ItemsOf(const Shape& target) const {
  bool is_made = target.made.Has(Kinds::kArray | Kinds::kObject);
  if (target.is_opaque) return Count::Some();
  if (target.places.empty()) return is_made ? target.length : Count::None();
  std::vector<std::string> paths;
  for (Place place : target.places) paths.push_back(PathText(places_.PathOf(place)));
  Count count;
  count.factors.push_back({Count::Factor::Kind::kItems, Join(paths, " or ")});
  // Where `[]` or `{}` stands in for what is absent, there are as many as without it.
  return is_made && target.length.most > 0 ? Either(count, target.length) : count;
}

void Interpreter::CheckItems(const Shape& target, const Node& node, bool is_field) {
  if (target.is_present || quiet_ > 0) return;
  for (Place place : target.places) {
    const Known& known = places_.known(place);
    // What is missing is spoken of as such. What is open may be guarded in ways that are not seen
    // here, but for a field that is gone to just like that.
    bool is_spoken_of =
        known.answer == Known::Answer::kThere || (known.answer == Known::Answer::kOpen && is_field);
    if (!is_spoken_of || !places_.MayBeNull(place)) continue;
    Note(node, Cat("items", place), true,
         [&] { return Issue{.kind = Issue::Kind::kNullItems, .path = places_.PathOf(place)}; });
  }
}

// `target[key]`.
Ref Interpreter::Index(const Ref& target, const Ref& key, const Node& node) {
  Ref shape = nothing_;
  for (std::string_view text : key->texts) shape = Union(shape, Field(target, text, node));
  if (IsComputed(*key)) {
    bool is_number =
        !key->is_opaque && key->texts.empty() && key->places.empty() && key->made == Kinds::kNumber;
    Kinds kinds = KindsOf(*target);
    Note(node, "index",
         is_number && quiet_ == 0 && !target->is_opaque && kinds.Has(Kinds::kObject) &&
             !kinds.Has(Kinds::kArray | Kinds::kNull),
         [&] {
           return Issue{.kind = Issue::Kind::kNeverWorks,
                        .detail = Cat("a number as index, where ", Describe(*target))};
         });
    // An item may lack where its container has fewer.
    shape = Union(Union(shape, Items(target, node)), null_);
  }
  return shape;
}

// As text or number it is no longer known which.
Ref Interpreter::WithoutTexts(const Ref& shape) {
  if (shape->texts.empty()) return shape;
  Shape other = *shape;
  other.texts.clear();
  other.made |= Kinds::kString;
  return Share(std::move(other));
}

Ref Interpreter::WithLength(const Ref& shape, const Count& length) {
  Shape other = *shape;
  other.length = length;
  return Share(std::move(other));
}

// What is neither null nor false.
Ref Interpreter::Truthy(const Ref& shape) {
  Shape other = *shape;
  other.is_present = true;
  other.made = other.made.Without(Kinds::kNull | Kinds::kFalse);
  return Share(std::move(other));
}

// --- The language.

Stream Interpreter::Visit(const Syntax& syntax, NodeId id, const Ref& in, const Scope* scope) {
  work_ += depth_ == kDeepestVisit ? kMostWork + 1 : 1;
  if (is_over()) return {nothing_};
  ++depth_;
  // Of what stands in the prelude the call is spoken of.
  bool is_entered = &syntax != &syntax_ && site_ == nullptr;
  if (is_entered) site_ = last_call_;
  Stream stream = VisitNode(syntax, id, in, scope);
  if (is_entered) site_ = nullptr;
  --depth_;
  return stream;
}

Stream Interpreter::VisitNode(const Syntax& syntax, NodeId id, const Ref& in, const Scope* scope) {
  const Node& node = syntax.node(id);
  auto visit = [&](NodeId part) { return Visit(syntax, part, in, scope); };
  switch (node.kind) {
    case NodeKind::kIdentity:
      return {in};
    case NodeKind::kDescend:
      return {Union(in, Flat(in)), {1, Count::kMany, {}}};
    case NodeKind::kNull:
      return {null_};
    case NodeKind::kFalse:
      return {Made(Kinds::kFalse)};
    case NodeKind::kTrue:
      return {Made(Kinds::kTrue)};
    case NodeKind::kNumber:
      return {number_};
    case NodeKind::kFormat:
      return {string_};
    case NodeKind::kLocation:
    case NodeKind::kBreak:
      return node.kind == NodeKind::kBreak ? Stream{nothing_, Count::None()} : Stream{anything_};
    case NodeKind::kString:
      return {Constant(node.text)};
    case NodeKind::kInterpolation: {
      Count count;
      for (NodeId part : syntax.list(node)) {
        if (syntax.node(part).kind != NodeKind::kText) count = Times(count, visit(part).count);
      }
      return {string_, count};
    }
    case NodeKind::kVariable:
      return {Variable(node.text, scope)};
    case NodeKind::kField: {
      Stream target = visit(node.a);
      return {Field(target.shape, node.text, node), target.count};
    }
    case NodeKind::kIndex: {
      Stream key = visit(node.b);
      Stream target = visit(node.a);
      return {Index(target.shape, key.shape, node), Times(target.count, key.count)};
    }
    case NodeKind::kSlice: {
      Count count;
      for (NodeId bound : {node.b, node.c}) {
        if (bound != kNoNode) count = Times(count, visit(bound).count);
      }
      Stream target = visit(node.a);
      return {WithLength(WithoutTexts(target.shape), Count::Some()), Times(target.count, count)};
    }
    case NodeKind::kIterate: {
      Stream target = visit(node.a);
      CheckItems(*target.shape, node, syntax.node(node.a).kind == NodeKind::kField);
      Count count = Times(target.count, ItemsOf(*target.shape));
      return {Items(target.shape, node), count};
    }
    case NodeKind::kTry:
      return Try(syntax, node, in, scope);
    case NodeKind::kArray:
      return {node.a == kNoNode ? ArrayOf(nothing_, Count::None()) : ArrayOf(visit(node.a))};
    case NodeKind::kObject:
      return Object(syntax, node, in, scope);
    case NodeKind::kNegate:
      return {number_, visit(node.a).count};
    case NodeKind::kBinary:
      return Binary(syntax, node, in, scope);
    case NodeKind::kPipe: {
      Stream stream = {in};
      for (NodeId part : syntax.list(node)) {
        Stream next = Visit(syntax, part, stream.shape, scope);
        stream = {next.shape, Times(stream.count, next.count)};
      }
      return stream;
    }
    case NodeKind::kComma: {
      Stream all = {nothing_, Count::None()};
      for (NodeId part : syntax.list(node)) {
        Stream next = visit(part);
        all = {Union(all.shape, next.shape), Plus(all.count, next.count)};
      }
      return all;
    }
    case NodeKind::kIf:
      return If(syntax, node, in, scope);
    case NodeKind::kReduce:
    case NodeKind::kForeach:
      return Loop(syntax, node, in, scope);
    case NodeKind::kBind: {
      Stream source = visit(node.a);
      const Scope* inner = Bind(syntax, node, source.shape, in, scope);
      Stream body = Visit(syntax, node.b, in, inner);
      Count patterns = syntax.list(node).size() == 1 ? Count::One() : Count{0, Count::kMany, {}};
      return {body.shape, Times(Times(source.count, patterns), body.count)};
    }
    case NodeKind::kLabel: {
      Stream body = visit(node.a);
      return {body.shape, {0, body.count.most, body.count.factors}};
    }
    case NodeKind::kDefine: {
      const Scope* inner = scope;
      for (NodeId function : syntax.list(node)) inner = Define(syntax, function, inner);
      return Visit(syntax, node.a, in, inner);
    }
    case NodeKind::kCall:
      return Call(syntax, node, in, scope);
    default:
      return {nothing_, Count::None()};
  }
}

Ref Interpreter::Variable(std::string_view name, const Scope* scope) {
  for (; scope != nullptr; scope = scope->outer) {
    ++lookups_;
    if (scope->is_variable && scope->name == name) return scope->shape;
  }
  // A global one, which is no part of the input.
  return anything_;
}

Stream Interpreter::Try(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope) {
  const Node& body_node = syntax.node(node.a);
  if (node.is_step && body_node.kind == NodeKind::kIterate) {
    // What is not there has no items: as many as there are.
    Stream target = Visit(syntax, body_node.a, in, scope);
    optional_.insert(target.shape->places.begin(), target.shape->places.end());
    Count count = Times(target.count, ItemsOf(*target.shape));
    return {Items(target.shape, body_node), count};
  }
  ++quiet_;
  Stream body = Visit(syntax, node.a, in, scope);
  --quiet_;
  bool is_plain = body_node.kind == NodeKind::kField || body_node.kind == NodeKind::kIndex;
  if (node.b == kNoNode) {
    if (is_plain) return body;
    return {body.shape, {0, body.count.most, body.count.factors}};
  }
  Stream handler = Visit(syntax, node.b, anything_, scope);
  return {Union(body.shape, handler.shape), Either(body.count, Plus(body.count, handler.count))};
}

Stream Interpreter::Object(const Syntax& syntax, const Node& node, const Ref& in,
                           const Scope* scope) {
  Shape object;
  object.made = Kinds::kObject;
  Count count;
  bool has_all = true;
  auto add = [&](Ref& known, const Ref& value) {
    known = known == nullptr ? value : Union(known, value);
  };
  for (NodeId id : syntax.list(node)) {
    const Node& entry = syntax.node(id);
    Stream key = Visit(syntax, entry.a, in, scope);
    Stream value = entry.b == kNoNode ? Stream{Index(in, key.shape, entry)}
                                      : Visit(syntax, entry.b, in, scope);
    count = Times(count, Times(key.count, value.count));
    for (std::string_view text : key.shape->texts) add(object.fields[text], value.shape);
    if (syntax.node(entry.a).kind == NodeKind::kString) {
      object.fields[syntax.node(entry.a).text] = value.shape;
      object.sure.insert(syntax.node(entry.a).text);
    } else {
      has_all = false;
    }
    if (IsComputed(*key.shape)) add(object.items, value.shape);
  }
  auto size = static_cast<std::uint32_t>(object.sure.size());
  object.length = has_all ? Count{size, size, {}} : Count::Some();
  return {Share(std::move(object)), count};
}

Stream Interpreter::Binary(const Syntax& syntax, const Node& node, const Ref& in,
                           const Scope* scope) {
  if (node.op == Operator::kAlternative) return Alternative(syntax, node, in, scope);
  std::size_t before = gone_.size();
  Stream left = Visit(syntax, node.a, in, scope);
  if (IsAssignment(node.op)) {
    Stream written = Visit(syntax, node.b, node.op == Operator::kUpdate ? left.shape : in, scope);
    // The input with other values somewhere in it.
    return {Union(in, Flat(written.shape)),
            node.op == Operator::kUpdate ? Count::One() : written.count};
  }
  // The right side of `.a and .a.b[]` is only looked at where the left one holds.
  if (node.op == Operator::kAnd || node.op == Operator::kOr) AssumeGone(before);
  Stream right = Visit(syntax, node.b, in, scope);
  Count count = Times(left.count, right.count);
  switch (node.op) {
    case Operator::kAnd:
    case Operator::kOr:
      if (!right.count.factors.empty() || right.count.most != 1) {
        count = {0, Count::kMany, {}};
      } else {
        count = left.count;
      }
      return {boolean_, count};
    case Operator::kEqual:
    case Operator::kNotEqual:
      CheckComparison(node, *left.shape, *right.shape);
      CheckAbsent(syntax, node, *left.shape, node.b);
      CheckAbsent(syntax, node, *right.shape, node.a);
      return {boolean_, count};
    case Operator::kLess:
    case Operator::kLessEqual:
    case Operator::kGreater:
    case Operator::kGreaterEqual:
      return {boolean_, count};
    default:
      // What comes by a variable may have been asked for before.
      for (const auto& [id, shape] :
           {std::pair(node.a, left.shape), std::pair(node.b, right.shape)}) {
        bool is_field = syntax.node(id).kind == NodeKind::kField;
        if (is_field) CheckPresent(*shape, node, OperatorText(node.op));
      }
      return {Arithmetic(node, left.shape, right.shape), count};
  }
}

Stream Interpreter::Alternative(const Syntax& syntax, const Node& node, const Ref& in,
                                const Scope* scope) {
  std::size_t before = gone_.size();
  // An error on the left is no result, as null is none.
  ++quiet_;
  Stream left = Visit(syntax, node.a, in, scope);
  --quiet_;
  std::size_t between = gone_.size();
  Stream right = Visit(syntax, node.b, in, scope);
  ExcuseMissing(syntax, node, std::span(gone_).subspan(before, between - before),
                std::span(gone_).subspan(between));
  Ref shape = Union(Truthy(left.shape), right.shape);
  // Of several results on the left those that are null or false are left out.
  bool is_plain = left.count.factors.empty() && left.count.most <= 1;
  if (!is_plain) {
    return {shape,
            {std::min(right.count.factors.empty() ? right.count.least : 0, 1U), Count::kMany, {}}};
  }
  if (right.count.is_one()) return {shape, Count::One()};
  return {shape, Either(Count::One(), right.count)};
}

Ref Interpreter::Arithmetic(const Node& node, const Ref& left, const Ref& right) {
  Kinds l = KindsOf(*left);
  Kinds r = KindsOf(*right);
  Kinds same = l & r;
  bool works = left->is_opaque || right->is_opaque || l.empty() || r.empty();
  Kinds made = Kinds::None();
  switch (node.op) {
    case Operator::kAdd:
      works = works || l.Has(Kinds::kNull) || r.Has(Kinds::kNull) ||
              same.Has(Kinds::kNumber | Kinds::kString | Kinds::kArray | Kinds::kObject);
      break;
    case Operator::kSubtract:
      works = works || same.Has(Kinds::kNumber | Kinds::kArray);
      break;
    case Operator::kMultiply:
      works = works || same.Has(Kinds::kNumber | Kinds::kObject) ||
              (l.Has(Kinds::kString) && r.Has(Kinds::kNumber | Kinds::kBoolean | Kinds::kNull)) ||
              (r.Has(Kinds::kString) && l.Has(Kinds::kNumber | Kinds::kBoolean | Kinds::kNull));
      break;
    case Operator::kDivide:
      works = works || same.Has(Kinds::kNumber | Kinds::kString);
      break;
    default:
      works = works || same.Has(Kinds::kNumber);
      break;
  }
  Note(node, "", !works && quiet_ == 0, [&] {
    return Issue{.kind = Issue::Kind::kNeverWorks,
                 .detail = Cat(OperatorText(node.op), " between ", Describe(*left), ", and ",
                               Describe(*right))};
  });
  switch (node.op) {
    case Operator::kAdd:
      return Sum(left, right);
    case Operator::kMultiply: {
      // Objects go into one, at every depth.
      if (same.Has(Kinds::kObject)) return WithoutTexts(Union(left, right));
      if (same.Has(Kinds::kNumber)) made |= Kinds::kNumber;
      if ((l | r).Has(Kinds::kString)) made |= Kinds::kString | Kinds::kNull;
      return Made(made);
    }
    case Operator::kSubtract:
      if (same.Has(Kinds::kArray)) return WithLength(WithoutTexts(left), Count::Some());
      return number_;
    case Operator::kDivide: {
      if (!same.Has(Kinds::kString)) return number_;
      Ref parts = ArrayOf(string_);
      return same.Has(Kinds::kNumber) ? Union(parts, number_) : parts;
    }
    default:
      return number_;
  }
}

// Arrays and objects go into one; the members of the right one win.
Ref Interpreter::Sum(const Ref& left, const Ref& right) {
  Kinds l = KindsOf(*left);
  Kinds r = KindsOf(*right);
  Kinds parts = Kinds::kArray | Kinds::kObject;
  if (!left->is_opaque && !right->is_opaque && !(l & r).Has(parts | Kinds::kNull) &&
      !l.Has(Kinds::kNull) && !r.Has(Kinds::kNull)) {
    // A new text or number, which is no part of either.
    return Made(l & r & (Kinds::kNumber | Kinds::kString));
  }
  Shape sum = *WithoutTexts(Union(left, right));
  sum.sure = right->sure;
  for (std::string_view key : right->sure) sum.fields[key] = right->fields.find(key)->second;
  // Those of the left one stay where the right one has no member of that name for sure.
  if (right->places.empty() && right->items == nullptr) {
    for (std::string_view key : left->sure) {
      if (!right->fields.contains(key)) sum.sure.insert(key);
    }
  }
  sum.made |= l & r & (Kinds::kNumber | Kinds::kString);
  if ((l & r).Has(Kinds::kArray)) {
    sum.made |= Kinds::kArray;
    sum.length = Plus(ItemsOf(*left), ItemsOf(*right));
  } else {
    sum.length = Count::Some();
  }
  return Share(std::move(sum));
}

Stream Interpreter::If(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope) {
  auto parts = syntax.list(node);
  Stream all = {nothing_, Count::None()};
  bool is_first = true;
  auto add = [&](const Stream& branch) {
    all = {Union(all.shape, branch.shape),
           is_first ? branch.count : Either(all.count, branch.count)};
    is_first = false;
  };
  Count conditions;
  std::size_t before = gone_.size();
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    conditions = Times(conditions, Visit(syntax, parts[i], in, scope).count);
    AssumeGone(before);
    add(Visit(syntax, parts[i + 1], in, scope));
  }
  add(node.a == kNoNode ? Stream{in} : Visit(syntax, node.a, in, scope));
  return {all.shape, Times(conditions, all.count)};
}

// Runs `turn` on what it gives until nothing new comes.
template <typename Turn>
Ref Interpreter::Rounds(Ref state, const Turn& turn) {
  // A list that a round makes longer is of any length.
  bool grows = false;
  for (int i = 0; i < kMostRounds; ++i) {
    Ref next = Union(state, turn(state));
    grows = grows || next->length != state->length;
    if (is_over() || IsSame(next, state)) {
      return grows ? WithLength(state, Count::Some()) : state;
    }
    state = next;
  }
  state = Flat(state);
  return Union(state, Flat(turn(state)));
}

Stream Interpreter::Loop(const Syntax& syntax, const Node& node, const Ref& in,
                         const Scope* scope) {
  Stream source = Visit(syntax, node.a, in, scope);
  const Scope* inner = Bind(syntax, node, source.shape, in, scope);
  Stream start = Visit(syntax, node.b, in, scope);
  Ref state = Rounds(start.shape,
                     [&](const Ref& turn) { return Visit(syntax, node.c, turn, inner).shape; });
  if (node.kind == NodeKind::kReduce) return {state, start.count};
  if (node.d != kNoNode) state = Visit(syntax, node.d, state, inner).shape;
  return {state, Count::Some()};
}

// --- Names.

const Interpreter::Scope* Interpreter::BindVariable(std::string_view name, const Ref& shape,
                                                    const Scope* scope) {
  return Add({.name = name, .is_variable = true, .shape = shape, .outer = scope});
}

// The scope with the variables of the patterns of `node`. What alternative patterns bind by one
// name is one variable.
const Interpreter::Scope* Interpreter::Bind(const Syntax& syntax, const Node& node,
                                            const Ref& source, const Ref& in, const Scope* scope) {
  auto patterns = syntax.list(node);
  const Scope* inner = scope;
  for (NodeId pattern : patterns) inner = BindPattern(syntax, pattern, source, in, inner);
  if (patterns.size() == 1) return inner;
  std::map<std::string_view, Ref> all;
  for (const Scope* bound = inner; bound != scope; bound = bound->outer) {
    Ref& known = all[bound->name];
    known = known == nullptr ? bound->shape : Union(known, bound->shape);
  }
  for (const auto& [name, shape] : all) inner = BindVariable(name, Union(shape, null_), inner);
  return inner;
}

// Depth: that of the pattern, which the parser bounds.
const Interpreter::Scope* Interpreter::BindPattern(const Syntax& syntax, NodeId id,
                                                   const Ref& source, const Ref& in,
                                                   const Scope* scope) {
  const Node& node = syntax.node(id);
  switch (node.kind) {
    case NodeKind::kPatternVariable:
      return BindVariable(node.text, source, scope);
    case NodeKind::kPatternEntry: {
      Ref value = Index(source, Visit(syntax, node.a, in, scope).shape, node);
      if (!node.text.empty()) scope = BindVariable(node.text, value, scope);
      return node.b == kNoNode ? scope : BindPattern(syntax, node.b, value, in, scope);
    }
    default: {
      Ref part = node.kind == NodeKind::kPatternArray ? Union(Items(source, node), null_) : source;
      for (NodeId inner : syntax.list(node)) scope = BindPattern(syntax, inner, part, in, scope);
      return scope;
    }
  }
}

const Interpreter::Scope* Interpreter::Define(const Syntax& syntax, NodeId function,
                                              const Scope* scope) {
  const Node& node = syntax.node(function);
  return Add({.name = node.text,
              .arity = syntax.list(node).size(),
              .shape = nullptr,
              .syntax = &syntax,
              .node = function,
              .outer = scope});
}

Stream Interpreter::Call(const Syntax& syntax, const Node& node, const Ref& in,
                         const Scope* scope) {
  auto arguments = syntax.list(node);
  for (const Scope* known = scope; known != nullptr; known = known->outer) {
    ++lookups_;
    if (known->is_variable || known->name != node.text || known->arity != arguments.size()) {
      continue;
    }
    if (known->syntax->node(known->node).kind == NodeKind::kFunction) {
      return CallFunction(*known, syntax, arguments, in, scope);
    }
    // An argument: evaluated where it was written, on what comes in here.
    const Node* site = std::exchange(site_, known->site);
    Stream stream =
        Deeper(known, in, [&] { return Visit(*known->syntax, known->node, in, known->home); });
    site_ = site;
    return stream;
  }
  if (&syntax == &syntax_) last_call_ = &node;
  return CallBuiltin(syntax, node, in, scope);
}

// A call inside another one, of which `what` is the function or the argument.
template <typename F>
Stream Interpreter::Deeper(const Scope* what, const Ref& in, const F& visit) {
  auto is_same = [&](const ActiveCall& call) { return call.what == what; };
  // Without arguments only the input can differ; what the outer call gives is all there is.
  bool has_arguments = what->arity > 0;
  if (!has_arguments && std::ranges::any_of(calls_, [&](const ActiveCall& call) {
        return is_same(call) && IsSame(call.in, in);
      })) {
    return {nothing_, Count::Some()};
  }
  if (calls_.size() == kMostCalls || std::ranges::count_if(calls_, is_same) == kMostSelfCalls) {
    return {Flat(in), Count::Some()};
  }
  calls_.push_back({what, in});
  Stream stream = visit();
  calls_.pop_back();
  // How often it goes on into itself is not known.
  if (std::ranges::any_of(calls_, is_same)) stream.count = Count::Some();
  return stream;
}

Stream Interpreter::CallFunction(const Scope& function, const Syntax& syntax,
                                 std::span<const NodeId> arguments, const Ref& in,
                                 const Scope* scope) {
  const Node& definition = function.syntax->node(function.node);
  auto parameters = function.syntax->list(definition);
  return Deeper(&function, in, [&] {
    const Scope* inner = &function;
    Count count;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Node& parameter = function.syntax->node(parameters[i]);
      inner = Add({.name = parameter.text,
                   .shape = nullptr,
                   .syntax = &syntax,
                   .node = arguments[i],
                   .home = scope,
                   .site = site_,
                   .outer = inner});
      if (parameter.is_value) {
        Stream value = Visit(syntax, arguments[i], in, scope);
        count = Times(count, value.count);
        inner = BindVariable(parameter.text, value.shape, inner);
      }
    }
    Stream body = Visit(*function.syntax, definition.a, in, inner);
    return Stream{body.shape, Times(count, body.count)};
  });
}

// --- Builtins.

Stream Interpreter::CallBuiltin(const Syntax& syntax, const Node& node, const Ref& in,
                                const Scope* scope) {
  auto arguments = syntax.list(node);
  std::string_view name = node.text;
  auto visit = [&](std::size_t i) { return Visit(syntax, arguments[i], in, scope); };
  auto visit_on = [&](std::size_t i, const Ref& on) {
    return Visit(syntax, arguments[i], on, scope);
  };
  auto is = [&](std::string_view other, std::size_t arity) {
    return name == other && arguments.size() == arity;
  };
  if (is("empty", 0) || is("error", 0)) return {nothing_, Count::None()};
  if (is("map", 1) || is("map_values", 1)) {
    if (name == "map") CheckItems(*in, node);
    Count items = ItemsOf(*in);
    Stream one = visit_on(0, Items(in, node));
    return {ArrayOf(one.shape, Times(items, one.count))};
  }
  if (is("first", 1) || is("last", 1)) {
    Stream all = visit(0);
    bool is_some = all.count.factors.empty() && all.count.least > 0;
    return {all.shape, {is_some ? 1U : 0U, 1, {}}};
  }
  if (is("recurse", 0)) return {Union(in, Flat(in)), {1, Count::kMany, {}}};
  if (is("recurse", 1)) {
    Ref all = Rounds(in, [&](const Ref& turn) { return visit_on(0, turn).shape; });
    return {all, {1, Count::kMany, {}}};
  }
  if (is("walk", 1)) return {visit_on(0, Union(in, Flat(in))).shape};
  if (is("select", 1)) {
    std::size_t before = gone_.size();
    Stream condition = visit(0);
    AssumeGone(before);
    Count filter;
    filter.factors.push_back({Count::Factor::Kind::kFilter, Print(syntax, arguments[0])});
    return {SelectedBy(syntax, arguments[0], in), Times(condition.count, filter)};
  }
  if (is("pick", 1) || is("del", 1)) {
    visit(0);
    return {in};
  }
  if (is("any", 1) || is("all", 1)) {
    CheckItems(*in, node);
    visit_on(0, Items(in, node));
    return {boolean_};
  }
  if (is("any", 2) || is("all", 2)) {
    visit_on(1, visit(0).shape);
    return {boolean_};
  }
  if (is("limit", 2) || is("skip", 2)) {
    visit(0);
    Stream all = visit(1);
    return {all.shape, {0, all.count.most, all.count.factors}};
  }
  if (is("path", 1)) return {ArrayOf(Union(string_, number_)), visit(0).count};
  if (is("getpath", 1)) return {Flat(in), visit(0).count};
  if (is("paths", 0) || is("leaf_paths", 0) || is("tostream", 0)) {
    Flat(in);
    return {ArrayOf(anything_), Count::Some()};
  }
  if (is("range", 1) || is("range", 2)) {
    for (std::size_t i = 0; i < arguments.size(); ++i) visit(i);
    return {number_, Count::Some()};
  }
  if (const builtins::PreludeRow* row = builtins::FindPrelude(name, arguments.size())) {
    const Scope* function = PreludeFunction(*row);
    return CallFunction(*function, syntax, arguments, in, scope);
  }
  std::vector<Ref> values;
  Count count;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Stream value = visit(i);
    count = Times(count, value.count);
    values.push_back(value.shape);
  }
  return {Native(name, values, in, node), count};
}

// What goes through `select(condition)`: of `select(. != null)` what is not null.
Ref Interpreter::SelectedBy(const Syntax& syntax, NodeId condition, const Ref& in) {
  const Node& node = syntax.node(condition);
  auto is_identity = [&](NodeId id) { return syntax.node(id).kind == NodeKind::kIdentity; };
  if (node.kind == NodeKind::kIdentity) return Truthy(in);
  bool is_not_null = node.kind == NodeKind::kBinary && node.op == Operator::kNotEqual &&
                     is_identity(node.a) && syntax.node(node.b).kind == NodeKind::kNull;
  if (!is_not_null) return in;
  Shape other = *in;
  other.is_present = true;
  other.made = other.made.Without(Kinds::kNull);
  return Share(std::move(other));
}

Ref Interpreter::Native(std::string_view name, std::span<const Ref> arguments, const Ref& in,
                        const Node& node) {
  auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (name == "error") return nothing_;
  if (is_one_of({"tonumber", "split", "test", "startswith", "endswith", "ascii_downcase",
                 "ascii_upcase", "explode", "fromjson"})) {
    CheckPresent(*in, node, name);
  }
  if (is_one_of({"not", "any", "all", "contains", "endswith", "startswith", "test", "isnan",
                 "isinfinite", "isnormal", "isfinite"})) {
    return boolean_;
  }
  if (name == "has") {
    Index(in, arguments[0], node);
    return boolean_;
  }
  if (is_one_of({"add", "min", "max", "_min_by", "_max_by"})) {
    // Null of no items.
    Ref item = WithoutTexts(Items(in, node));
    return name == "add" ? Sum(Union(item, null_), item) : Union(item, null_);
  }
  if (is_one_of({"sort", "reverse", "_sort_by"})) return WithLength(in, ItemsOf(*in));
  if (is_one_of({"unique", "_unique_by", "delpaths"})) return WithLength(in, Count::Some());
  if (name == "_group_by") return ArrayOf(in);
  if (name == "transpose") return ArrayOf(ArrayOf(Items(Items(in, node), node)));
  if (name == "toarray") return Union(in, ArrayOf(in));
  if (name == "flatten") return ArrayOf(Leaves(in, node));
  if (name == "setpath") return Union(in, Flat(arguments[1]));
  if (name == "to_entries") {
    Shape entry;
    entry.made = Kinds::kObject;
    entry.fields = {{"key", string_}, {"value", Items(in, node)}};
    entry.sure = {"key", "value"};
    CheckItems(*in, node);
    return ArrayOf(Share(std::move(entry)), ItemsOf(*in));
  }
  // Lists of the document are asked for the usual name of the field only.
  if (name == "from_entries") {
    Shape object;
    object.made = Kinds::kObject;
    object.items = Field(Items(in, node), "value", node);
    object.length = Count::Some();
    return Share(std::move(object));
  }
  if (is_one_of({"keys", "keys_unsorted"})) {
    CheckItems(*in, node);
    return ArrayOf(Keys(*in), ItemsOf(*in));
  }
  if (is_one_of({"split", "explode", "indices", "_match", "_edits"})) {
    return ArrayOf(anything_);
  }
  if (is_one_of({"length", "utf8bytelength", "floor", "ceil", "round", "sqrt", "fabs", "tonumber",
                 "now", "mktime", "infinite", "nan", "index", "rindex"})) {
    bool may_be_null = name == "index" || name == "rindex";
    return may_be_null ? Union(number_, null_) : number_;
  }
  if (is_one_of({"tostring", "tojson", "ascii_downcase", "ascii_upcase", "join", "implode",
                 "ltrimstr", "rtrimstr", "trimstr", "trim", "ltrim", "rtrim", "strftime",
                 "strflocaltime", "ascii", "_splice"})) {
    // What is no text goes through those that cut.
    bool cuts = name.find("trim") != std::string_view::npos;
    return cuts ? Union(WithoutTexts(in), string_) : string_;
  }
  if (name == "type") {
    Shape names;
    for (const auto& [kind, text] : kTypeNames) {
      if (in->is_opaque || KindsOf(*in).Has(kind)) names.texts.insert(text);
    }
    return Share(std::move(names));
  }
  if (name == "abs") return WithoutTexts(in);
  return anything_;
}

// The names or indices of its members.
Ref Interpreter::Keys(const Shape& shape) {
  Kinds kinds = KindsOf(shape);
  if (shape.is_opaque) return anything_;
  Kinds made = Kinds::None();
  if (kinds.Has(Kinds::kArray)) made |= Kinds::kNumber;
  if (kinds.Has(Kinds::kObject)) made |= Kinds::kString;
  return Made(made);
}

// What is in arrays in arrays: of those put together here at any depth, of the document one
// level.
Ref Interpreter::Leaves(const Ref& in, const Node& node) {
  Ref all = Items(in, node);
  Ref level = all;
  for (int i = 0; i < kDeepestShape && level->items != nullptr; ++i) {
    level = level->items;
    all = Union(all, level);
  }
  return all;
}

// The scope of a definition of the prelude, parsed at its first use.
const Interpreter::Scope* Interpreter::PreludeFunction(const builtins::PreludeRow& row) {
  auto [at, is_new] = prelude_.try_emplace(row.source.data(), nullptr);
  if (!is_new) return at->second;
  Result<Syntax> parsed = Parse(Cat(row.source, " ."));
  WMAP_CHECK(parsed.has_value());
  const Syntax& syntax = syntaxes_.emplace_back(*std::move(parsed));
  const Node& define = syntax.node(syntax.root());
  at->second = Define(syntax, syntax.list(define)[0], nullptr);
  return at->second;
}

}  // namespace wmap::expr::typing
