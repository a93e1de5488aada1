// Prints JSON as `kubectl get -o json` does: four spaces of indentation, keys in ascending order.
//
// A key that does not follow its predecessor is a fault of the generator and ends the program, so
// that what it writes has sorted keys by construction. Output is buffered in chunks of a megabyte.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace wmap::bench {

class JsonPrinter {
 public:
  // `out` must outlive the printer.
  explicit JsonPrinter(std::FILE* out);
  ~JsonPrinter();
  JsonPrinter(const JsonPrinter&) = delete;
  JsonPrinter& operator=(const JsonPrinter&) = delete;

  // Members of the current object. `body` writes the members or elements of the new container.
  void Field(std::string_view key, std::string_view value);
  void Field(std::string_view key, const char* value) { Field(key, std::string_view(value)); }
  void Field(std::string_view key, std::int64_t value);
  void Field(std::string_view key, int value) { Field(key, std::int64_t{value}); }
  void Field(std::string_view key, bool value);
  void Null(std::string_view key);
  template <typename Body>
  void Object(std::string_view key, Body body) {
    Key(key);
    Container('{', '}', body);
  }
  template <typename Body>
  void Array(std::string_view key, Body body) {
    Key(key);
    Container('[', ']', body);
  }

  // An element of the current array, or the document itself.
  template <typename Body>
  void Object(Body body) {
    Next();
    Container('{', '}', body);
  }
  void Element(std::string_view value);

  // The end of the document. Stops the program when the output could not be written.
  void Finish();

  // Bytes printed up to now.
  std::int64_t bytes() const { return flushed_ + static_cast<std::int64_t>(buffer_.size()); }

 private:
  struct Level {
    bool empty = true;
    std::string last_key;
  };

  template <typename Body>
  void Container(char open, char close, Body body) {
    buffer_ += open;
    Push();
    body();
    Pop(close);
  }

  void Push();
  void Pop(char close);
  void Key(std::string_view key);
  void Next();  // the comma and the line break before a member or element
  void Quote(std::string_view text);
  void Flush();

  std::FILE* out_;
  std::string buffer_;
  std::int64_t flushed_ = 0;
  std::vector<Level> levels_;  // those in use are the first `depth_`
  std::size_t depth_ = 0;
};

}  // namespace wmap::bench
