// Catalog: the definitions that are compiled into the program, from the files in catalog/.
//
// The list costs nothing to have; a definition is parsed only when it is opened. Immutable and
// shared between threads. The build fails when two files are about one kind.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/error.h"
#include "definition/karta.h"

namespace wmap::definition {

struct CatalogEntry {
  std::string_view name;  // metadata.name, e.g. "jobset-x-k8s-io-jobset-v1alpha2"
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  std::string_view file;  // "catalog/jobset.yaml"
  std::string_view text;  // the file as it was written
};

// All entries, ascending by kind, then group, then version.
std::span<const CatalogEntry> CatalogEntries();

// Whether a definition of the catalog reads counts from objects of this kind of Kubernetes itself
// (Karta::ReadsChild). Opens nothing.
bool IsReadByCatalog(std::string_view group, std::string_view kind);

// The entry of exactly this kind, or of this name, or nullptr.
const CatalogEntry* FindInCatalog(std::string_view group, std::string_view version,
                                  std::string_view kind);
const CatalogEntry* FindInCatalog(std::string_view name);

// Parses and compiles an entry. Never fails on the entries above: a test loads them all.
std::unique_ptr<Karta> Open(const CatalogEntry& entry);

}  // namespace wmap::definition
