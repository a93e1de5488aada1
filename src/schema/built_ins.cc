#include "schema/built_ins.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "json/reader.h"
#include "schema/embedded_data.h"

namespace wmap::schema {

BuiltIns::BuiltIns() {
  auto table = json::Read(kBuiltInSchemas, arena_);
  WMAP_CHECK(table.has_value());
  table_ = *table;
}

std::string_view BuiltIns::version() const { return table_.Get("version").text_or_empty(); }

Schema BuiltIns::Find(std::string_view group, std::string_view version,
                      std::string_view kind) const {
  const json::Value* type =
      table_.Get("kinds").Find(Cat(group, group.empty() ? "" : "/", version, ' ', kind));
  if (type == nullptr) return {};
  json::Value definitions = table_.Get("definitions");
  return Schema(definitions.Get(type->text_or_empty()), definitions);
}

Schema BuiltIns::Core(std::string_view type) const {
  json::Value definitions = table_.Get("definitions");
  return Schema(definitions.Get(Cat("core.v1.", type)), definitions);
}

Schema BuiltIns::ObjectMeta() const {
  json::Value definitions = table_.Get("definitions");
  return Schema(definitions.Get("meta.v1.ObjectMeta"), definitions);
}

std::vector<definition::GroupVersionKind> BuiltIns::Kinds() const {
  std::vector<definition::GroupVersionKind> kinds;
  for (const json::Member& member : table_.Get("kinds").members()) {
    std::string_view name = member.key;
    std::size_t blank = name.find(' ');
    std::size_t slash = name.find('/');
    bool has_group = slash < blank;
    std::size_t version = has_group ? slash + 1 : 0;
    kinds.push_back({std::string(has_group ? name.substr(0, slash) : std::string_view()),
                     std::string(name.substr(version, blank - version)),
                     std::string(name.substr(blank + 1))});
  }
  return kinds;
}

}  // namespace wmap::schema
