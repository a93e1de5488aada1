// What embed_catalog.py writes at build time.
#pragma once

#include <cstddef>

#include "definition/catalog.h"

namespace wmap::definition {

extern const CatalogEntry kCatalog[];
extern const std::size_t kCatalogSize;

}  // namespace wmap::definition
