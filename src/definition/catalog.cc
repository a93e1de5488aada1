#include "definition/catalog.h"

#include <utility>

#include "base/arena.h"
#include "base/check.h"
#include "definition/catalog_data.h"
#include "definition/load.h"
#include "yaml/reader.h"

namespace wmap::definition {

std::span<const CatalogEntry> CatalogEntries() { return {kCatalog, kCatalogSize}; }

bool IsReadByCatalog(std::string_view group, std::string_view kind) {
  return (group == "autoscaling" && kind == "HorizontalPodAutoscaler") ||
         (group == "apps" && kind == "Deployment");
}

const CatalogEntry* FindInCatalog(std::string_view group, std::string_view version,
                                  std::string_view kind) {
  for (const CatalogEntry& entry : CatalogEntries()) {
    if (entry.kind == kind && entry.group == group && entry.version == version) return &entry;
  }
  return nullptr;
}

const CatalogEntry* FindInCatalog(std::string_view name) {
  for (const CatalogEntry& entry : CatalogEntries()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::unique_ptr<Karta> Open(const CatalogEntry& entry) {
  Arena arena;
  Result<json::Value> document = yaml::Read(entry.text, arena);
  WMAP_CHECK(document);
  LoadOptions options;
  options.origin = Origin::kBuiltin;
  options.trusted = true;
  Loaded loaded = Load(*document, options);
  WMAP_CHECK(loaded.karta != nullptr);
  return std::move(loaded.karta);
}

}  // namespace wmap::definition
