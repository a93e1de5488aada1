#include "yaml/writer.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "json/writer.h"
#include "yaml/scalar.h"

namespace wmap::yaml {
namespace {

using json::Member;
using json::Value;

// Readers look for a colon this far behind the start of a key; longer ones are written with "? ".
constexpr std::size_t kLongestSimpleKey = 128;

// How a text can stand in YAML.
struct Form {
  bool plain = true;
  bool single_quoted = true;
  bool block = true;
};

// Characters that end or start something when they begin an unquoted text.
bool IsIndicator(char c) {
  return std::string_view("#,[]{}&*!|>'\"%@`").find(c) != std::string_view::npos;
}

bool IsPrintable(char32_t c) {
  if (c < 0x20) return c == '\n';
  return (c < 0x7F) || (c >= 0xA0 && c < 0xD800 && c != 0x2028 && c != 0x2029) ||
         (c >= 0xE000 && c <= 0xFFFD && c != 0xFEFF) || c >= 0x10000;
}

Form FormOf(std::string_view text) {
  Form form;
  if (text.empty()) return {.plain = false, .single_quoted = true, .block = false};
  bool multiline = false;
  for (std::size_t at = 0; at < text.size();) {
    unsigned char byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++at;
      continue;
    }
    Utf8Char c = DecodeUtf8(text.substr(at));
    if (!IsPrintable(c.code) || (c.code == kReplacement && c.size < 3)) {
      return {.plain = false, .single_quoted = false, .block = false};
    }
    multiline |= c.code == '\n';
    at += c.size;
  }
  char first = text.front();
  if (multiline) {
    // Leading blanks would need an indentation hint, blanks before a line end are easily lost.
    bool block = first != ' ' && first != '\n' && text.back() != ' ' &&
                 text.find(" \n") == std::string_view::npos;
    return {.plain = false, .single_quoted = false, .block = block};
  }
  form.block = false;
  bool starts_value =
      (first == '-' || first == '?' || first == ':') && (text.size() == 1 || text[1] == ' ');
  form.plain = !starts_value && !IsIndicator(first) && first != ' ' && text.back() != ' ' &&
               text.back() != ':' && text.find(": ") == std::string_view::npos &&
               text.find(" #") == std::string_view::npos && !text.starts_with("---") &&
               !text.starts_with("...");
  return form;
}

// Appends `text` in double quotes, with every escape that YAML needs.
void WriteDoubleQuoted(std::string_view text, std::string& to) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  to += '"';
  for (std::size_t at = 0; at < text.size();) {
    Utf8Char c = DecodeUtf8(text.substr(at));
    std::string_view bytes = text.substr(at, c.size);
    at += c.size;
    if (c.code == '"' || c.code == '\\') {
      CatTo(to, '\\', bytes);
    } else if (c.code == '\n') {
      to += "\\n";
    } else if (c.code == '\t') {
      to += "\\t";
    } else if (c.code == '\r') {
      to += "\\r";
    } else if (IsPrintable(c.code)) {
      AppendUtf8(to, c.code);
    } else {
      bool is_short = c.code < 0x100;
      to += is_short ? "\\x" : "\\u";
      for (int shift = is_short ? 4 : 12; shift >= 0; shift -= 4) to += kHex[c.code >> shift & 15];
    }
  }
  to += '"';
}

void WriteSingleQuoted(std::string_view text, std::string& to) {
  to += '\'';
  for (char c : text) {
    to += c;
    if (c == '\'') to += c;
  }
  to += '\'';
}

class Writer {
 public:
  Writer(std::string& to, const WriteOptions& options) : to_(to), options_(options) {}

  void Write(const Value& root) {
    if (!WriteNode(root, 0, false)) return;
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next == frame.value.size()) {
        frames_.pop_back();
      } else if (frame.value.is_array()) {
        WriteItem(frame);
      } else {
        WriteMember(frame);
      }
    }
  }

 private:
  struct Frame {
    Value value;
    std::size_t next;
    std::size_t indent;
    // The first entry continues a line ("- " or "  "), which stands already.
    bool continues;
  };

  void Indent(std::size_t spaces) { to_.append(spaces, ' '); }

  // Writes a scalar or empty collection and the line end, or opens a frame. `in_sequence` when the
  // text so far ends in "- ".
  bool WriteNode(const Value& value, std::size_t indent, bool in_sequence) {
    if ((value.is_array() || value.is_object()) && value.size() != 0) {
      frames_.push_back({value, 0, indent, in_sequence});
      return true;
    }
    WriteScalar(value, indent);
    to_ += '\n';
    return !frames_.empty();
  }

  void StartEntry(Frame& frame) {
    if (frame.continues) {
      frame.continues = false;
    } else {
      Indent(frame.indent);
    }
  }

  void WriteItem(Frame& frame) {
    StartEntry(frame);
    to_ += "- ";
    const Value& item = frame.value[frame.next++];
    WriteNode(item, frame.indent + 2, true);
  }

  void WriteMember(Frame& frame) {
    StartEntry(frame);
    std::size_t i = frame.next++;
    const Member& member = options_.order == WriteOptions::Order::kSorted
                               ? frame.value.members()[i]
                               : frame.value.member_in_source_order(i);
    std::size_t indent = frame.indent;
    WriteKey(member.key, indent);
    const Value& value = member.value;
    bool nested = (value.is_array() || value.is_object()) && value.size() != 0;
    to_ += nested ? ":\n" : ": ";
    // Sequences stand under their key without indentation.
    WriteNode(value, value.is_array() ? indent : indent + 2, false);
  }

  void WriteKey(std::string_view key, std::size_t indent) {
    bool is_long = key.size() > kLongestSimpleKey;
    if (is_long) to_ += "? ";
    WriteText(key, 0, false);
    if (!is_long) return;
    to_ += '\n';
    Indent(indent);
  }

  void WriteScalar(const Value& value, std::size_t indent) {
    if (value.is_string()) return WriteText(value.as_string(), indent, true);
    if (value.is_array()) {
      to_ += "[]";
    } else if (value.is_object()) {
      to_ += "{}";
    } else if (value.is_number() && std::isinf(value.as_double())) {
      // Digits beyond the doubles would be read as text.
      json::WriteDouble(value.as_double(), to_);
    } else {
      json::Write(value, to_);
    }
  }

  void WriteText(std::string_view text, std::size_t indent, bool may_be_block) {
    Form form = FormOf(text);
    if (form.block && may_be_block) return WriteBlock(text, indent);
    if (form.plain) {
      if (IsTextWhenPlain(text)) {
        to_ += text;
      } else {
        WriteDoubleQuoted(text, to_);
      }
    } else if (form.single_quoted && !text.empty()) {
      WriteSingleQuoted(text, to_);
    } else {
      WriteDoubleQuoted(text, to_);
    }
  }

  // "|", the lines, and how many line ends there are behind the last of them.
  void WriteBlock(std::string_view text, std::size_t indent) {
    to_ += '|';
    if (text.back() != '\n') {
      to_ += '-';
    } else if (text.size() > 1 && text[text.size() - 2] == '\n') {
      to_ += '+';
    }
    if (text.back() == '\n') text.remove_suffix(1);
    if (indent == 0) indent = 2;  // the document itself
    while (true) {
      std::size_t end = text.find('\n');
      to_ += '\n';
      if (end != 0 && !text.empty()) Indent(indent);
      to_ += text.substr(0, end);
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
    }
  }

  std::string& to_;
  const WriteOptions& options_;
  std::vector<Frame> frames_;
};

}  // namespace

void Write(const Value& value, std::string& to, const WriteOptions& options) {
  Writer(to, options).Write(value);
}

std::string ToYaml(const Value& value, const WriteOptions& options) {
  std::string text;
  Write(value, text, options);
  return text;
}

}  // namespace wmap::yaml
