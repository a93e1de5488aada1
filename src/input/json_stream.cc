#include "input/json_stream.h"

#include <utility>

#include "base/text.h"

namespace wmap::input {
namespace {

using json::Value;

json::ReadOptions ReaderOptions(const Options& options) {
  json::ReadOptions result;
  result.borrow_text = true;
  result.drop_managed_fields = options.drop_managed_fields;
  return result;
}

constexpr std::string_view kSeparator = "---";

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::size_t SkipSpace(std::string_view text, std::size_t at) {
  while (at < text.size() && IsSpace(text[at])) ++at;
  return at;
}

}  // namespace

JsonStream::JsonStream(Window& window, std::string_view file, Delivery& delivery)
    : window_(window),
      file_(file),
      delivery_(delivery),
      reader_(ReaderOptions(delivery.options())) {}

JsonStream::End JsonStream::Run() {
  for (bool is_first = true;; is_first = false) {
    auto c = Peek(kSeparator.size());
    if (c && *c == '\0') return End::kEnd;
    if (c && window_.text().starts_with(kSeparator)) return End::kYaml;
    bool may_be_yaml = is_first;
    auto read = c ? ReadValue(&may_be_yaml) : Result<void>(Fail(std::move(c).error()));
    if (read) continue;
    Code code = read.error().code();
    if (may_be_yaml && (code == Code::kSyntax || code == Code::kTruncated)) {
      error_ = std::move(read).error();
      return End::kRetry;
    }
    Report(read.error());
    return End::kEnd;
  }
}

Result<char> JsonStream::Peek(std::size_t size) {
  while (true) {
    window_.Consume(SkipSpace(window_.text(), 0));
    std::string_view text = window_.text();
    if (text.size() >= size) return text.front();
    if (window_.is_final()) return text.empty() ? '\0' : text.front();
    WMAP_TRY_VOID(window_.Refill());
  }
}

Result<Value> JsonStream::Next(Arena& arena) {
  while (true) {
    size_ = 0;
    auto value = reader_.ReadNext(window_.text(), &size_, arena, window_.is_final());
    if (value && *value) return **value;
    if (value || (value.error().code() == Code::kTruncated && !window_.is_final())) {
      if (value && window_.is_final()) {
        return Fail(Error(Code::kTruncated, "the text ends where a value is expected")
                        .At({window_.text().size(), window_.text().size()}));
      }
      arena.Reset();
      WMAP_TRY_VOID(window_.Refill());
      continue;
    }
    return Fail(std::move(value).error());
  }
}

Result<void> JsonStream::Expect(char c) {
  WMAP_TRY(char found, Peek());
  if (found == c) {
    window_.Consume(1);
    return {};
  }
  if (found == '\0') {
    return Fail(
        Error(Code::kTruncated, Cat("the text ends where \"", c, "\" is expected")).At({0, 0}));
  }
  return Fail(
      Error(Code::kSyntax, Cat("expected \"", c, "\", found ", Quote({&found, 1}))).At({0, 1}));
}

// Reads one value of the stream. `*may_be_yaml` is cleared when part of it was delivered.
Result<void> JsonStream::ReadValue(bool* may_be_yaml) {
  item_ = 0;
  in_list_ = false;
  if (window_.text().front() == '{' && delivery_.options().unit == Options::Unit::kObjects) {
    WMAP_TRY(Head head, ReadHead());
    if (head.is_list) {
      *may_be_yaml = false;
      return ReadList(head);
    }
  }
  if (window_.text().front() == '[' && delivery_.options().unit == Options::Unit::kObjects) {
    WMAP_TRY(bool is_list, BeginsArrayOfObjects());
    if (is_list) {
      *may_be_yaml = false;
      return ReadArray();
    }
  }
  arena_.Reset();
  WMAP_TRY(Value value, Next(arena_));
  *may_be_yaml = false;
  Source from = source();
  delivery_.Deliver(value, from, {}, [&](std::string_view pointer) { return ReadPlaces(pointer); });
  Take();
  return {};
}

// Whether the window starts with an array whose first item is a JSON object.
Result<bool> JsonStream::BeginsArrayOfObjects() {
  while (true) {
    std::string_view text = window_.text();
    std::size_t at = SkipSpace(text, 1);
    if (at < text.size() && text[at] != '{') return false;
    arena_.Reset();
    auto item = reader_.ReadNext(text, &at, arena_, window_.is_final());
    if (item && *item) return true;
    bool is_cut = item || item.error().code() == Code::kTruncated;
    if (!is_cut || window_.is_final()) return false;
    WMAP_TRY_VOID(window_.Refill());
  }
}

Result<void> JsonStream::ReadArray() {
  in_list_ = true;
  window_.Consume(1);
  return ReadItems({}, true);
}

Result<JsonStream::Head> JsonStream::ReadHead() {
  while (true) {
    auto head = ParseHead(window_.is_final());
    if (head) return std::move(*head);
    WMAP_TRY_VOID(window_.Refill());
  }
}

// The head of the object that the window starts with, nothing when more text is needed to tell. It
// looks no further than a List's members go before its items; what is wrong or different there is
// left to the reader of whole values.
std::optional<JsonStream::Head> JsonStream::ParseHead(bool final) {
  std::string_view text = window_.text();
  Head head;
  std::size_t at = 1;
  // What a step returns that cannot go on: nothing, or "no List".
  auto other = [&](bool is_cut) -> std::optional<Head> {
    if (is_cut && !final) return std::nullopt;
    return Head{};
  };
  while (true) {
    at = SkipSpace(text, at);
    if (at == text.size()) return other(true);
    if (text[at] != '"') return other(false);
    arena_.Reset();
    auto key = reader_.ReadNext(text, &at, arena_, false);
    if (!key) return other(key.error().code() == Code::kTruncated);
    std::string_view name = (*key)->as_string();
    at = SkipSpace(text, at);
    if (at == text.size()) return other(true);
    if (text[at] != ':') return other(false);
    at = SkipSpace(text, at + 1);
    if (at == text.size()) return other(true);
    if (name == "items") {
      head.is_list = text[at] == '[';
      head.items = at + 1;
      return head;
    }
    if (name == "apiVersion" || name == "kind") {
      auto value = reader_.ReadNext(text, &at, arena_, false);
      if (!value) return other(value.error().code() == Code::kTruncated);
      bool is_kind = name == "kind";
      std::string_view word = (*value)->text_or_empty();
      if (is_kind && !IsListKind(word)) return other(false);
      (is_kind ? head.kind : head.api_version) = word;
    } else if (name == "metadata") {
      auto value = reader_.SkipNext(text, &at, false);
      if (!value) return other(value.error().code() == Code::kTruncated);
    } else {
      return other(false);
    }
    at = SkipSpace(text, at);
    if (at == text.size()) return other(true);
    if (text[at] != ',') return other(false);
    ++at;
  }
}

Result<void> JsonStream::ReadList(const Head& start) {
  Head head = start;
  in_list_ = true;
  pending_.clear();
  pending_numbers_.clear();
  pending_arena_.Reset();
  ItemType type = ItemTypeOf(head.api_version, head.kind);
  bool is_type_known = !head.kind.empty() && !head.api_version.empty();
  window_.Consume(head.items);
  WMAP_TRY_VOID(ReadItems(type, is_type_known));
  WMAP_TRY_VOID(ReadListTail(head));
  return DeliverPending(ItemTypeOf(head.api_version, head.kind));
}

// From behind the bracket that opens the items to behind the one that closes them.
Result<void> JsonStream::ReadItems(const ItemType& type, bool is_type_known) {
  WMAP_TRY(char c, Peek());
  if (c == ']') {
    window_.Consume(1);
    return {};
  }
  while (true) {
    WMAP_TRY_VOID(ReadItem(type, is_type_known));
    WMAP_TRY(c, Peek());
    if (c != ',') return Expect(']');
    window_.Consume(1);
  }
}

Result<void> JsonStream::ReadItem(const ItemType& type, bool is_type_known) {
  arena_.Reset();
  WMAP_TRY(Value value, Next(arena_));
  ++item_;
  if (!is_type_known && value.is_object() && value.Find("kind") == nullptr) {
    pending_.push_back(json::DeepCopy(pending_arena_, value));
    pending_numbers_.push_back(item_);
    std::size_t most = delivery_.options().max_object_bytes;
    if (pending_arena_.bytes_used() > most) {
      return Fail(Code::kLimit, Cat("the kind of this list comes after more than ", most >> 20,
                                    " MiB of items that have none; write it before the items"));
    }
  } else {
    Source from = source();
    delivery_.Deliver(value, from, type,
                      [&](std::string_view pointer) { return ReadPlaces(pointer); });
    item_ = from.item;
  }
  Take();
  return {};
}

// The members behind the items, up to the end of the list.
Result<void> JsonStream::ReadListTail(Head& head) {
  while (true) {
    WMAP_TRY(char c, Peek());
    if (c != ',') return Expect('}');
    window_.Consume(1);
    arena_.Reset();
    WMAP_TRY(Value key, Next(arena_));
    std::string name(key.text_or_empty());
    Take();
    WMAP_TRY_VOID(Expect(':'));
    arena_.Reset();
    WMAP_TRY(Value value, Next(arena_));
    if (name == "kind") head.kind = value.text_or_empty();
    if (name == "apiVersion") head.api_version = value.text_or_empty();
    Take();
  }
}

Result<void> JsonStream::DeliverPending(const ItemType& type) {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Source from{.file = file_, .item = pending_numbers_[i], .place = {}};
    delivery_.Deliver(pending_[i], from, type,
                      [](std::string_view) -> const json::SourceMap* { return nullptr; });
  }
  return {};
}

Source JsonStream::source() { return {.file = file_, .item = item_, .place = window_.PlaceAt(0)}; }

// Reads the value at hand once more for its places; those of values inside it are not kept apart.
const json::SourceMap* JsonStream::ReadPlaces(std::string_view pointer) {
  if (!pointer.empty()) return nullptr;
  places_.Clear();
  json::ReadOptions options;
  options.source_map = &places_;
  Arena arena;
  if (!json::Read(window_.text().substr(0, size_), arena, options)) return nullptr;
  json::LineColumn origin = window_.PlaceAt(0);
  places_.MoveTo(origin);
  return &places_;
}

void JsonStream::Report(const Error& error) {
  SourceRange range = error.range().value_or(SourceRange{});
  Source from{.file = file_, .item = in_list_ ? item_ + 1 : 0, .place = {}};
  std::string excerpt;
  if (error.code() != Code::kUnreadable) {
    from.place = window_.PlaceAt(range.begin);
    excerpt = json::Excerpt(window_.text(), range);
  }
  Error copy = error;
  if (in_list_) {
    bool is_cut = error.code() == Code::kTruncated;
    copy = Error(error.code(), Cat(is_cut ? "truncated: " : "", error.message(), "; ", item_,
                                   item_ == 1 ? " item was read" : " items were read"));
  }
  delivery_.ReportError(from, std::move(copy), std::move(excerpt));
}

}  // namespace wmap::input
