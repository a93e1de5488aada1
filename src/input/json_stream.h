// A stream of JSON values, Lists among them, read through a window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "input/delivery.h"
#include "input/window.h"
#include "json/reader.h"

namespace wmap::input {

class JsonStream {
 public:
  enum class End : std::uint8_t {
    kEnd,    // of the stream, or of what can be read of it: faults are reported
    kYaml,   // the rest of the window's stream is YAML
    kRetry,  // the window's first value is no JSON and might be YAML; see error()
  };

  JsonStream(Window& window, std::string_view file, Delivery& delivery);

  End Run();
  // After kRetry: why it is no JSON; its range is in the window's text.
  const Error& error() const { return *error_; }

 private:
  // The head of an object: a List whose items begin at `items`, behind the bracket, or another one.
  struct Head {
    bool is_list = false;
    std::size_t items = 0;
    std::string api_version;
    std::string kind;
  };

  // The next character that is no white space, first in the window then, with `size` characters in
  // the window if there are so many; '\0' at the end.
  Result<char> Peek(std::size_t size = 1);
  // The next value; its text stays in the window until Take().
  Result<json::Value> Next(Arena& arena);
  void Take() { window_.Consume(size_); }
  Result<void> Expect(char c);

  Result<void> ReadValue(bool* may_be_yaml);
  Result<Head> ReadHead();
  std::optional<Head> ParseHead(bool final);
  Result<bool> BeginsArrayOfObjects();
  Result<void> ReadArray();
  Result<void> ReadList(const Head& head);
  Result<void> ReadItems(const ItemType& type, bool is_type_known);
  Result<void> ReadItem(const ItemType& type, bool is_type_known);
  Result<void> ReadListTail(Head& head);
  Result<void> DeliverPending(const ItemType& type);

  Source source();
  const json::SourceMap* ReadPlaces(std::string_view pointer);
  void Report(const Error& error);

  Window& window_;
  std::string_view file_;
  Delivery& delivery_;
  json::Reader reader_;
  std::size_t size_ = 0;  // of the text of the value that Next() read
  std::uint64_t item_ = 0;
  bool in_list_ = false;
  Arena arena_;  // of the value at hand
  // Items without a kind that came before that of their list.
  Arena pending_arena_;
  std::vector<json::Value> pending_;
  std::vector<std::uint64_t> pending_numbers_;
  json::SourceMap places_;
  std::optional<Error> error_;
};

}  // namespace wmap::input
