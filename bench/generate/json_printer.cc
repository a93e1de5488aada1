#include "generate/json_printer.h"

#include <cstdlib>

namespace wmap::bench {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

[[noreturn]] void Die(const char* what, std::string_view detail) {
  std::fprintf(stderr, "wmap_bench_generate: %s%.*s\n", what, static_cast<int>(detail.size()),
               detail.data());
  std::exit(1);
}

}  // namespace

JsonPrinter::JsonPrinter(std::FILE* out) : out_(out) { buffer_.reserve(2 * kChunk); }

JsonPrinter::~JsonPrinter() { Flush(); }

void JsonPrinter::Field(std::string_view key, std::string_view value) {
  Key(key);
  Quote(value);
}

void JsonPrinter::Field(std::string_view key, std::int64_t value) {
  Key(key);
  buffer_ += std::to_string(value);
}

void JsonPrinter::Field(std::string_view key, bool value) {
  Key(key);
  buffer_ += value ? "true" : "false";
}

void JsonPrinter::Null(std::string_view key) {
  Key(key);
  buffer_ += "null";
}

void JsonPrinter::Element(std::string_view value) {
  Next();
  Quote(value);
}

void JsonPrinter::Finish() {
  buffer_ += '\n';
  Flush();
  if (std::fflush(out_) != 0) Die("the output could not be written", "");
}

void JsonPrinter::Push() {
  if (depth_ == levels_.size()) levels_.emplace_back();
  levels_[depth_].empty = true;
  levels_[depth_].last_key.clear();
  ++depth_;
}

void JsonPrinter::Pop(char close) {
  --depth_;
  if (!levels_[depth_].empty) {
    buffer_ += '\n';
    buffer_.append(4 * depth_, ' ');
  }
  buffer_ += close;
}

void JsonPrinter::Key(std::string_view key) {
  std::string& last = levels_[depth_ - 1].last_key;
  if (key <= last) Die("a key is out of order: ", key);
  last = key;
  Next();
  Quote(key);
  buffer_ += ": ";
}

void JsonPrinter::Next() {
  if (depth_ == 0) return;
  if (buffer_.size() > kChunk) Flush();
  Level& level = levels_[depth_ - 1];
  if (!level.empty) buffer_ += ',';
  level.empty = false;
  buffer_ += '\n';
  buffer_.append(4 * depth_, ' ');
}

void JsonPrinter::Quote(std::string_view text) {
  buffer_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') buffer_ += '\\';
    buffer_ += c;
  }
  buffer_ += '"';
}

void JsonPrinter::Flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), out_) != buffer_.size()) {
    Die("the output could not be written", "");
  }
  flushed_ += static_cast<std::int64_t>(buffer_.size());
  buffer_.clear();
}

}  // namespace wmap::bench
