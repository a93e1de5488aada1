#include "cli/findings.h"

#include <algorithm>

#include "base/text.h"
#include "cli/table.h"
#include "definition/rule_list.h"
#include "json/writer.h"

namespace wmap::cli {
namespace {

using definition::Finding;
using definition::Rule;
using json::Value;

Value Texts(std::span<const std::string> texts, Arena& arena) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(Value::String(text));
  return json::MakeArray(arena, values);
}

// With all that is said of it, for outputs that have one text for it.
std::string MessageOf(const Told& told) {
  const Finding& finding = *told.finding;
  std::string message = finding.message;
  if (!told.releases.empty()) {
    std::vector<std::string> releases(told.releases.begin(), told.releases.end());
    CatTo(message, " (in ", Join(releases, ", "), ')');
  }
  if (!finding.hint.empty()) CatTo(message, "; ", finding.hint);
  return message;
}

// --- SARIF.

Value Named(std::string_view name, Value value, Arena& arena) {
  json::ObjectBuilder object;
  object.Add(name, value);
  return object.Finish(arena);
}

// A text that is made here.
Value Text(std::string_view text, Arena& arena) { return json::MakeString(arena, text); }

std::string PageOf(std::string_view rule) {
  return Cat("https://wmap.dev/docs/rules.md#", ToLower(rule));
}

Value RuleJson(const Rule& rule, Arena& arena) {
  json::ObjectBuilder object;
  object.Add("id", Value::String(rule.id));
  object.Add("shortDescription", Named("text", Value::String(rule.summary), arena));
  object.Add("helpUri", Text(PageOf(rule.id), arena));
  object.Add("defaultConfiguration",
             Named("level", Value::String(definition::SeverityName(rule.severity)), arena));
  return object.Finish(arena);
}

// A file as a relative reference: what would mean something else in one is written in hex.
std::string UriOf(std::string_view file) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string uri;
  for (char c : file) {
    auto byte = static_cast<unsigned char>(c);
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_letter || kPlain.contains(c)) {
      uri += c;
    } else {
      CatTo(uri, '%', kHex[byte >> 4U], kHex[byte & 15U]);
    }
  }
  return uri;
}

Value LocationJson(const Finding& finding, Arena& arena) {
  json::ObjectBuilder physical;
  physical.Add("artifactLocation", Named("uri", Text(UriOf(finding.source), arena), arena));
  if (finding.place.known()) {
    json::ObjectBuilder region;
    region.Add("startLine", Value::Int(finding.place.line));
    region.Add("startColumn", Value::Int(finding.place.column));
    region.Add("endColumn", Value::Int(finding.place.column + std::int64_t{finding.width}));
    physical.Add("region", region.Finish(arena));
  }
  json::ObjectBuilder location;
  location.Add("physicalLocation", physical.Finish(arena));
  if (!finding.pointer.empty()) {
    Value logical = Named("fullyQualifiedName", Value::String(finding.pointer), arena);
    location.Add("logicalLocations", json::MakeArray(arena, {&logical, 1}));
  }
  return location.Finish(arena);
}

Value ResultJson(const Told& told, std::size_t rule, Arena& arena) {
  const Finding& finding = *told.finding;
  json::ObjectBuilder result;
  result.Add("ruleId", Value::String(finding.id));
  result.Add("ruleIndex", Value::Int(static_cast<std::int64_t>(rule)));
  result.Add("level", Value::String(definition::SeverityName(finding.severity)));
  result.Add("message", Named("text", Text(MessageOf(told), arena), arena));
  if (!finding.source.empty()) {
    Value location = LocationJson(finding, arena);
    result.Add("locations", json::MakeArray(arena, {&location, 1}));
  }
  if (!finding.silenced_because.empty()) {
    json::ObjectBuilder suppression;
    suppression.Add("kind", Value::String("inSource"));
    suppression.Add("justification", Value::String(finding.silenced_because));
    Value one = suppression.Finish(arena);
    result.Add("suppressions", json::MakeArray(arena, {&one, 1}));
  }
  return result.Finish(arena);
}

// --- Annotations.

// What ends a message, or a property of it, is written in hex.
std::string Escaped(std::string_view text, std::string_view also) {
  std::string escaped;
  for (char c : text) {
    if (c == '%') {
      escaped += "%25";
    } else if (c == '\r') {
      escaped += "%0D";
    } else if (c == '\n') {
      escaped += "%0A";
    } else if (also.contains(c)) {
      escaped += c == ':' ? "%3A" : "%2C";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

Value FindingJson(const Told& told, Arena& arena) {
  const Finding& finding = *told.finding;
  json::ObjectBuilder object;
  object.Add("severity", Value::String(definition::SeverityName(finding.severity)));
  object.Add("id", Value::String(finding.id));
  object.Add("message", Value::String(finding.message));
  if (!finding.hint.empty()) object.Add("hint", Value::String(finding.hint));
  object.Add("file", Value::String(finding.source));
  object.Add("line", Value::Int(finding.place.line));
  object.Add("column", Value::Int(finding.place.column));
  object.Add("pointer", Value::String(finding.pointer));
  if (!finding.path.empty()) object.Add("path", Value::String(finding.path));
  if (!finding.silenced_because.empty()) {
    object.Add("reason", Value::String(finding.silenced_because));
  }
  if (!told.releases.empty()) object.Add("releases", Texts(told.releases, arena));
  return object.Finish(arena);
}

Value FindingsJson(std::span<const Told> told, Arena& arena) {
  std::vector<Value> findings;
  for (const Told& one : told) findings.push_back(FindingJson(one, arena));
  return json::MakeArray(arena, findings);
}

std::string SarifOf(std::span<const Told> told) {
  Arena arena;
  std::vector<Value> rules;
  std::vector<std::string_view> ids;
  std::vector<Value> results;
  for (const Told& one : told) {
    auto known = std::ranges::find(ids, one.finding->id);
    auto index = static_cast<std::size_t>(known - ids.begin());
    if (known == ids.end()) {
      ids.push_back(one.finding->id);
      if (const Rule* rule = definition::FindRule(one.finding->id)) {
        rules.push_back(RuleJson(*rule, arena));
      }
    }
    results.push_back(ResultJson(one, index, arena));
  }
  json::ObjectBuilder driver;
  driver.Add("name", Value::String("wmap"));
  driver.Add("version", Value::String(WMAP_VERSION));
  driver.Add("rules", json::MakeArray(arena, rules));
  json::ObjectBuilder run;
  run.Add("tool", Named("driver", driver.Finish(arena), arena));
  run.Add("columnKind", Value::String("unicodeCodePoints"));
  run.Add("results", json::MakeArray(arena, results));
  Value the_run = run.Finish(arena);
  json::ObjectBuilder log;
  log.Add("$schema", Value::String("https://json.schemastore.org/sarif-2.1.0.json"));
  log.Add("version", Value::String("2.1.0"));
  log.Add("runs", json::MakeArray(arena, {&the_run, 1}));
  return Cat(json::ToJson(log.Finish(arena), {.indent = 4}), '\n');
}

std::string GithubOf(std::span<const Told> told) {
  std::string lines;
  for (const Told& one : told) {
    const Finding& finding = *one.finding;
    if (!finding.silenced_because.empty()) continue;
    // What came on standard input is in no file that could be shown.
    bool has_file = finding.source != "<stdin>";
    CatTo(lines, "::", definition::SeverityName(finding.severity),
          has_file ? Cat(" file=", Escaped(Safe(finding.source), ":,"), ",") : std::string(" "));
    if (finding.place.known()) {
      CatTo(lines, "line=", finding.place.line, ",col=", finding.place.column,
            ",endColumn=", finding.place.column + finding.width, ",");
    }
    CatTo(lines, "title=", Escaped(finding.id, ":,"), "::", Escaped(Safe(MessageOf(one)), ""),
          '\n');
  }
  return lines;
}

bool Fails(const Finding& finding, FailOn fail_on) {
  return finding.is_error() || fail_on == FailOn::kWarning;
}

}  // namespace wmap::cli
