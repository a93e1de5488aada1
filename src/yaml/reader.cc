#include "yaml/reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>
#include <yaml.h>

#include "base/text.h"
#include "yaml/diagnose.h"
#include "yaml/scalar.h"

namespace wmap::yaml {
namespace {

using json::Member;
using json::Value;

// A place as libyaml counts: characters from 0.
struct Mark {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::size_t index = 0;

  Mark() = default;
  explicit Mark(const yaml_mark_t& mark)
      : line(static_cast<std::uint32_t>(mark.line)),
        column(static_cast<std::uint32_t>(mark.column)),
        index(mark.index) {}
};

std::string_view View(const yaml_char_t* text, std::size_t size) {
  return {static_cast<const char*>(static_cast<const void*>(text)), size};
}
std::string_view View(const yaml_char_t* text) {
  if (text == nullptr) return {};
  return static_cast<const char*>(static_cast<const void*>(text));
}
std::string_view View(const char* text) { return text == nullptr ? "" : text; }

// libyaml's parser over a text, giving events until one is an error.
class Parser {
 public:
  explicit Parser(std::string_view text) {
    WMAP_CHECK(yaml_parser_initialize(&parser_) != 0);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    const void* bytes = text.data();
    yaml_parser_set_input_string(&parser_, static_cast<const unsigned char*>(bytes), text.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }

  // The next event, valid until the following call; nullptr on a syntax error.
  const yaml_event_t* Next() {
    yaml_event_delete(&event_);
    return yaml_parser_parse(&parser_, &event_) != 0 ? &event_ : nullptr;
  }

  Trouble trouble(std::string_view text) const {
    Trouble trouble;
    trouble.problem = View(parser_.problem);
    if (parser_.error == YAML_READER_ERROR) {
      trouble.at = parser_.problem_offset;
      return trouble;
    }
    trouble.at = OffsetOfCharacter(text, parser_.problem_mark.index);
    trouble.context = View(parser_.context);
    trouble.context_at =
        trouble.context.empty() ? trouble.at : OffsetOfCharacter(text, parser_.context_mark.index);
    return trouble;
  }

 private:
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

// What a node counts against the alias budget.
constexpr std::size_t kNodeBytes = sizeof(Member);

}  // namespace

// Builds the tree from events, with the open collections on a stack.
class Reader::Impl {
 public:
  explicit Impl(const ReadOptions& options) : options_(options) {}

  Result<std::optional<Value>> Read(std::string_view text, Arena& arena,
                                    const PlaceOptions& places);

 private:
  struct Frame {
    bool is_mapping;
    bool expects_key;
    bool is_merge;  // the value to come is that of a merge key
    Mark start;
    std::string anchor;
    std::size_t bytes;         // budget count when it started
    std::size_t first;         // of its entries in items_ or members_
    std::size_t first_merged;  // of its entries in merged_
    std::size_t pointer_size;  // of its own JSON pointer
    std::string_view key;      // of the value to come
    Mark key_mark;
  };
  struct Anchor {
    Value value;
    std::size_t bytes = 0;
    bool is_complete = false;
    bool is_float = false;
  };

  Result<void> Handle(const yaml_event_t& event);
  Result<void> OnScalar(const yaml_event_t& event);
  Result<void> OnAlias(const yaml_event_t& event);
  Result<void> OnStart(const yaml_event_t& event, bool is_mapping, std::string_view anchor);
  Result<void> OnEnd();
  Result<Value> FinishMapping(const Frame& frame);
  bool NextIsKey() const {
    return !frames_.empty() && frames_.back().is_mapping && frames_.back().expects_key;
  }
  // What a number with fraction or exponent is where it stands: as a key, 1e6 is not the integer
  // that it is as a value, and .inf is a text. `text` is for the error.
  Result<Value> FloatHere(const Value& value, std::string_view text, Mark mark) const;
  // A finished node goes to its parent, or is the document.
  Result<void> Add(const Value& value, Mark mark);
  Result<void> SetKey(Frame& parent, const Value& key, Mark mark);
  Result<void> AddMerged(const Value& value, Mark mark);

  void RecordPlace(Mark mark);
  void Remember(std::string_view anchor, const Value& value, std::size_t bytes,
                bool is_float = false);
  Error Invalid(std::string message, Mark mark) const {
    std::size_t at = OffsetOfCharacter(text_, mark.index);
    return Error(Code::kInvalid, std::move(message)).At({at, std::min(at + 1, text_.size())});
  }
  Error RepeatedKey(const Frame& frame) const;
  std::uint32_t LineOf(Mark mark) const { return places_.first_line + mark.line; }

  ReadOptions options_;

  std::string_view text_;
  Arena* arena_ = nullptr;
  PlaceOptions places_;
  std::optional<Value> root_;
  std::size_t bytes_ = 0;
  std::size_t alias_bytes_ = 0;
  std::vector<Frame> frames_;
  std::vector<Value> items_;
  std::vector<Member> members_;
  std::vector<Mark> key_marks_;  // beside members_
  std::vector<Value> merged_;    // mappings, in the order in which they apply
  std::map<std::string, Anchor, std::less<>> anchors_;
  std::string pointer_;
};

Result<std::optional<Value>> Reader::Impl::Read(std::string_view text, Arena& arena,
                                                const PlaceOptions& places) {
  text_ = text;
  arena_ = &arena;
  places_ = places;
  root_.reset();
  bytes_ = alias_bytes_ = 0;
  frames_.clear();
  items_.clear();
  members_.clear();
  key_marks_.clear();
  merged_.clear();
  anchors_.clear();
  pointer_.clear();

  Parser parser(text);
  while (const yaml_event_t* event = parser.Next()) {
    if (event->type == YAML_STREAM_END_EVENT) return root_;
    if (event->type == YAML_DOCUMENT_START_EVENT && root_) {
      return Fail(Invalid("a second document where one was expected", Mark(event->start_mark)));
    }
    WMAP_TRY_VOID(Handle(*event));
  }
  return Fail(Diagnose(parser.trouble(text), text, places.first_line));
}

Result<void> Reader::Impl::Handle(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_SCALAR_EVENT:
      return OnScalar(event);
    case YAML_ALIAS_EVENT:
      return OnAlias(event);
    case YAML_MAPPING_START_EVENT:
      return OnStart(event, true, View(event.data.mapping_start.anchor));
    case YAML_SEQUENCE_START_EVENT:
      return OnStart(event, false, View(event.data.sequence_start.anchor));
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
      return OnEnd();
    default:
      return {};
  }
}

Result<void> Reader::Impl::OnScalar(const yaml_event_t& event) {
  const auto& data = event.data.scalar;
  std::string_view text = View(data.value, data.length);
  Mark mark(event.start_mark);
  Scalar scalar;
  if (data.tag != nullptr) {
    auto resolved = ResolveTagged(View(data.tag), text, *arena_);
    if (!resolved) return Fail(Invalid(resolved.error().message(), mark));
    scalar = *resolved;
  } else if (data.plain_implicit != 0) {
    scalar = ResolvePlain(text, *arena_);
  }
  if (scalar.kind == Scalar::Kind::kMerge && NextIsKey()) {
    frames_.back().is_merge = true;
    frames_.back().expects_key = false;
    frames_.back().key = "<<";
    frames_.back().key_mark = mark;
    return {};
  }
  bool is_text = scalar.kind == Scalar::Kind::kText || scalar.kind == Scalar::Kind::kMerge;
  if (is_text && !scalar.value.is_string()) scalar.value = json::MakeString(*arena_, text);
  std::size_t bytes = kNodeBytes + (is_text ? text.size() : 0);
  bytes_ += bytes;
  bool is_float = scalar.kind == Scalar::Kind::kFloat;
  if (data.anchor != nullptr) Remember(View(data.anchor), scalar.value, bytes, is_float);
  if (is_float) {
    WMAP_TRY(scalar.value, FloatHere(scalar.value, text, mark));
  }
  return Add(scalar.value, mark);
}

Result<Value> Reader::Impl::FloatHere(const Value& value, std::string_view text, Mark mark) const {
  double number = value.as_double();
  if (NextIsKey()) return Value::Double(number);
  if (std::isfinite(number)) return value;
  return Fail(Invalid(Cat(text, " is a number that JSON, and so Kubernetes, cannot hold"), mark));
}

Result<void> Reader::Impl::OnAlias(const yaml_event_t& event) {
  std::string_view name = View(event.data.alias.anchor);
  Mark mark(event.start_mark);
  auto found = anchors_.find(name);
  if (found == anchors_.end()) {
    return Fail(Invalid(Cat("no anchor &", name,
                            " before this alias; an anchor does not reach into another document, "
                            "and text that begins with \"*\" needs quotes"),
                        mark));
  }
  const Anchor& anchor = found->second;
  if (!anchor.is_complete) {
    return Fail(Invalid(Cat("the value of anchor &", name, " contains itself"), mark));
  }
  bytes_ += anchor.bytes;
  alias_bytes_ += anchor.bytes;
  if (alias_bytes_ > options_.max_alias_bytes) {
    Error error = Invalid("", mark);
    return Fail(Error(Code::kLimit, Cat("aliases make this document too large: written out, they "
                                        "would add more than ",
                                        options_.max_alias_bytes >> 20, " MiB"))
                    .At(error.range().value_or(SourceRange{})));
  }
  if (!anchor.is_float) return Add(anchor.value, mark);
  WMAP_TRY(auto value, FloatHere(anchor.value, Cat("the value of anchor &", name), mark));
  return Add(value, mark);
}

Result<void> Reader::Impl::OnStart(const yaml_event_t& event, bool is_mapping,
                                   std::string_view anchor) {
  Mark mark(event.start_mark);
  if (!frames_.empty() && frames_.back().is_mapping && frames_.back().expects_key) {
    std::size_t at = OffsetOfCharacter(text_, mark.index);
    std::string_view hint = PlaceholderHint(text_, at);
    return Fail(Invalid(Cat("a key must be text, not a ", is_mapping ? "mapping" : "sequence",
                            hint.empty() ? "" : "; ", hint),
                        mark));
  }
  if (frames_.size() >= options_.max_depth) {
    Error error = Invalid("", mark);
    return Fail(Error(Code::kLimit, Cat("more than ", options_.max_depth,
                                        " mappings and sequences inside each other"))
                    .At(error.range().value_or(SourceRange{})));
  }
  if (places_.map != nullptr) RecordPlace(mark);
  frames_.push_back({.is_mapping = is_mapping,
                     .expects_key = true,
                     .is_merge = false,
                     .start = mark,
                     .anchor = std::string(anchor),
                     .bytes = bytes_,
                     .first = is_mapping ? members_.size() : items_.size(),
                     .first_merged = merged_.size(),
                     .pointer_size = pointer_.size(),
                     .key = {},
                     .key_mark = {}});
  bytes_ += kNodeBytes;
  if (!anchor.empty()) anchors_[std::string(anchor)] = Anchor{};
  return {};
}

Result<void> Reader::Impl::OnEnd() {
  Frame frame = std::move(frames_.back());
  Value value;
  if (frame.is_mapping) {
    WMAP_TRY(value, FinishMapping(frame));
    members_.resize(frame.first);
    key_marks_.resize(frame.first);
    merged_.resize(frame.first_merged);
  } else {
    value = json::MakeArray(*arena_, std::span<const Value>(items_).subspan(frame.first));
    items_.resize(frame.first);
  }
  frames_.pop_back();
  pointer_.resize(frames_.empty() ? 0 : frames_.back().pointer_size);
  if (!frame.anchor.empty()) Remember(frame.anchor, value, bytes_ - frame.bytes);
  // The place of a collection was recorded at its start.
  json::SourceMap* map = std::exchange(places_.map, nullptr);
  auto added = Add(value, frame.start);
  places_.map = map;
  return added;
}

Result<Value> Reader::Impl::FinishMapping(const Frame& frame) {
  auto own = [&] { return std::span<const Member>(members_).subspan(frame.first); };
  Value value = json::MakeObject(*arena_, own());
  if (value.size() != own().size()) return Fail(RepeatedKey(frame));
  if (merged_.size() == frame.first_merged) return value;
  // What is merged comes behind the own keys; the first mapping that has a key gives its value.
  std::unordered_set<std::string_view> keys;
  for (const Member& member : own()) keys.insert(member.key);
  for (std::size_t i = frame.first_merged; i < merged_.size(); ++i) {
    for (std::size_t k = 0; k < merged_[i].size(); ++k) {
      const Member& member = merged_[i].member_in_source_order(k);
      if (keys.insert(member.key).second) members_.push_back(member);
    }
  }
  return json::MakeObject(*arena_, own());
}

Error Reader::Impl::RepeatedKey(const Frame& frame) const {
  std::map<std::string_view, Mark> seen;
  for (std::size_t i = frame.first; i < members_.size(); ++i) {
    auto [earlier, is_new] = seen.emplace(members_[i].key, key_marks_[i]);
    if (is_new) continue;
    Error error = Invalid(Cat("key ", Quote(members_[i].key), " is repeated, first in line ",
                              LineOf(earlier->second)),
                          key_marks_[i]);
    std::size_t at = error.range()->begin;
    std::size_t size = std::max<std::size_t>(members_[i].key.size(), 1);
    return std::move(error).At({at, std::min(at + size, text_.size())});
  }
  return Invalid("a key is repeated", frame.start);
}

Result<void> Reader::Impl::Add(const Value& value, Mark mark) {
  if (frames_.empty()) {
    if (places_.map != nullptr) RecordPlace(mark);
    root_ = value;
    return {};
  }
  Frame& parent = frames_.back();
  if (!parent.is_mapping) {
    if (places_.map != nullptr) RecordPlace(mark);
    items_.push_back(value);
    pointer_.resize(parent.pointer_size);
    return {};
  }
  if (parent.expects_key) return SetKey(parent, value, mark);
  parent.expects_key = true;
  if (std::exchange(parent.is_merge, false)) return AddMerged(value, mark);
  if (places_.map != nullptr) RecordPlace(mark);
  pointer_.resize(parent.pointer_size);
  members_.push_back({parent.key, value});
  key_marks_.push_back(parent.key_mark);
  return {};
}

Result<void> Reader::Impl::SetKey(Frame& parent, const Value& key, Mark mark) {
  if (key.is_null() || key.is_array() || key.is_object()) {
    return Fail(Invalid(Cat("a key must be text, not ", json::TypeName(key.type())), mark));
  }
  parent.key = KeyText(key, *arena_);
  parent.key_mark = mark;
  parent.expects_key = false;
  return {};
}

Result<void> Reader::Impl::AddMerged(const Value& value, Mark mark) {
  if (value.is_object()) {
    merged_.push_back(value);
    return {};
  }
  bool is_list = value.is_array();
  for (std::size_t i = 0; is_list && i < value.size(); ++i) {
    is_list = value[i].is_object();
    if (is_list) merged_.push_back(value[i]);
  }
  if (is_list) return {};
  return Fail(Invalid("the merge key \"<<\" takes a mapping or a list of mappings", mark));
}

// Notes the place of the node that starts at `mark` as the next child of the innermost collection.
void Reader::Impl::RecordPlace(Mark mark) {
  json::SourceMap::Entry entry;
  entry.value = {LineOf(mark), mark.column + 1};
  if (!frames_.empty()) {
    const Frame& parent = frames_.back();
    pointer_.resize(parent.pointer_size);
    if (parent.is_mapping) {
      json::AppendPointerToken(pointer_, parent.key);
      entry.key = {LineOf(parent.key_mark), parent.key_mark.column + 1};
    } else {
      json::AppendPointerIndex(pointer_, items_.size() - parent.first);
    }
  }
  std::string_view pointer = pointer_;
  if (!pointer.starts_with(places_.root)) return;
  pointer.remove_prefix(places_.root.size());
  if (pointer.empty() || pointer.front() == '/') places_.map->Set(pointer, entry);
}

void Reader::Impl::Remember(std::string_view anchor, const Value& value, std::size_t bytes,
                            bool is_float) {
  anchors_[std::string(anchor)] = {value, bytes, true, is_float};
}

Reader::Reader(const ReadOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

Result<std::optional<Value>> Reader::Read(std::string_view text, Arena& arena,
                                          const PlaceOptions& places) {
  return impl_->Read(text, arena, places);
}

Documents::Documents(std::string_view text, const ReadOptions& options)
    : text_(text), reader_(options) {}

std::uint32_t Documents::CountLines(std::size_t begin, std::size_t end) const {
  std::string_view text = text_.substr(begin, end - begin);
  return static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
}

Result<std::optional<Document>> Documents::Next(Arena& arena, json::SourceMap* places) {
  while (position_ < text_.size()) {
    std::size_t scanned = 0;
    DocumentText found = *FindDocument(text_.substr(position_), true, &scanned);
    std::size_t begin = position_ + found.begin;
    std::string_view text = text_.substr(begin, found.end - found.begin);
    PlaceOptions options{
        .map = places, .root = {}, .first_line = line_ + CountLines(position_, begin)};
    line_ += CountLines(position_, position_ + found.next);
    position_ += found.next;
    auto value = reader_.Read(text, arena, options);
    if (!value) {
      ++number_;
      Error error = std::move(value).error();
      if (error.range()) error.At({error.range()->begin + begin, error.range()->end + begin});
      if (number_ > 1 || position_ < text_.size()) error.In(Cat("document ", number_));
      return Fail(std::move(error));
    }
    if (!*value) continue;
    return Document{**value, ++number_, text, options.first_line};
  }
  return std::optional<Document>();
}

Result<Value> Read(std::string_view text, Arena& arena, json::SourceMap* places,
                   const ReadOptions& options) {
  Documents documents(text, options);
  WMAP_TRY(auto first, documents.Next(arena, places));
  if (!first) return Value();
  WMAP_TRY(auto second, documents.Next(arena));
  if (!second) return first->value;
  auto at = static_cast<std::size_t>(second->text.data() - text.data());
  return Fail(Error(Code::kInvalid, "a second document where one was expected").At({at, at + 1}));
}

}  // namespace wmap::yaml
