// The extensions of the format, in the annotation `wmap.dev/extensions` (JSON). Other readers of
// definitions ignore it; the API server keeps it.
//
//   {"components": {"<component>": {
//      "role":   "worker",               name of the role; default: the component's name
//      "counts": "workload" | "owner",   what replicas, minReplicas and maxReplicas are per
//      "wanted": "<expression>",         what is still wanted now, one number per instance
//      "active": "<expression>",         pods that the object counts as active, for each instance
//      "exists": "<expression>",         whether the component, or each instance, is there
//      "described": "<expression>",      whether what its pods ask for is known
//      "ownerInstance": "<expression>",  the instance of the owner that each instance is in
//      "startsAfter": "<expression>",    roles whose pods are ready before its pods start
//      "startsByIndex": "<expression>",  whether its pods start one by one, by their numbers
//      "createdLater": "<expression>",   whether its pods are made only once others run
//      "podInstance": "<expression>",    ids of instances that a pod may be in
//      "wraps":  "<expression>",         the object of another kind that each instance describes
//      "childScale": {"group": "…", "kind": "…", "instance": "<expression>",
//                     "copy": "<expression>", "replicas": "<expression>"}}},
//                                        the kind of object that carries the count itself
//    "status": {"reason": "<expression>", "message": "<expression>",
//               "holdsOnReadyPods": "<expression>"},
//                                        whether its word is about more than its pods
//    "minimum": "<expression>",          the fewest pods, of all roles together
//    "gang": {"subGroupPerRole": true, "expandInstances": true},
//                                        how its gang is divided
//    "keys": [{"at": ".spec.roles", "known": ["Master", "Worker"], "anyCase": true}],
//                                        maps whose keys are names that the operator knows
//    "objects": [{"group": "batch", "kind": "Job", "name": "<expression>"}],
//                                        other objects that expressions read
//    "testedWith": ["JobSet v0.12.0"],   versions of the operator
//    "silenced": [{"rule": "missing-field", "at": ".spec.old", "reason": "…"}]}
//                                        findings that its author knows of
//
// All expressions are evaluated on the workload object, those of childScale on the child, and
// podInstance on a pod.
// docs/extensions.md says what each means.
#pragma once

#include <string>
#include <string_view>

namespace wmap::definition {

class Report;
struct Karta;

// Reads the annotation's `text` into the components and the status of `karta`. What is wrong goes
// to `report`, with places inside the text; what is right is taken over.
void ReadExtensions(std::string_view text, Karta& karta, Report& report);

}  // namespace wmap::definition
