// The structural rules of the format: V2 to V15, and those of the resource's schema that decoding
// does not see (lists whose entries must differ, lists that must not be empty).
#pragma once

#include "definition/karta.h"
#include "definition/report.h"

namespace wmap::definition {

// Definitions in the wild have twenty components, three deep.
inline constexpr std::size_t kMostComponents = 1000;
inline constexpr std::size_t kDeepestTree = 64;

// Sets parent and children of every component, so that all hang below the root, whatever the owner
// references say.
void LinkComponents(Karta& karta, Report& report);

// V2. False when a name is repeated: then nothing else of the structure can be judged.
bool CheckNames(const Karta& karta, Report& report);
// V3 to V13, and V14 when those find nothing.
void CheckStructure(const Karta& karta, Report& report);
// V15.
void CheckInstructions(const Karta& karta, Report& report);
// duplicate-entry, empty-list, empty-value.
void CheckSchema(const Karta& karta, Report& report);

}  // namespace wmap::definition
