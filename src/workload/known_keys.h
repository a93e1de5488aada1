// Keys that a definition knows: maps in an object, such as its replica specs by type, whose keys
// are names that the operator knows (extension `keys`).
#pragma once

#include <string>
#include <vector>

#include "base/arena.h"
#include "definition/karta.h"
#include "json/value.h"

namespace wmap::workload {

struct KeysRead {
  // The object with the names as the definition has them, where the operator takes other letters
  // for the same; else the object itself.
  json::Value object;
  // ".spec.replicaSpecs has no \"Wrker\", …", for people.
  std::vector<std::string> problems;
};

// What is made in `arena` shares the rest with `object`.
KeysRead ReadKeys(const definition::Karta& karta, const json::Value& object, Arena& arena);

}  // namespace wmap::workload
