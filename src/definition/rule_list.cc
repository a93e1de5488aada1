#include "definition/rule_list.h"

#include <algorithm>

namespace wmap::definition {
namespace {

constexpr auto kValidate = Rule::Of::kValidate;
constexpr auto kCheck = Rule::Of::kCheck;
constexpr auto kError = Severity::kError;
constexpr auto kWarning = Severity::kWarning;

constexpr Rule kRules[] = {
    // Documents and fields.
    {"syntax", kValidate, kError, "the document is no YAML or JSON"},
    {"not-a-definition", kValidate, kError, "the document is of another kind"},
    {"api-version", kValidate, kError, "the version of the format is not known"},
    {"unknown-field", kValidate, kError, "the format has no such field; other readers drop it"},
    {"field-case", kValidate, kError, "a field is written in other letters"},
    {"null-field", kValidate, kError, "a field is null where the API server refuses that"},
    {"required-field", kValidate, kError, "a field that the format requires is missing"},
    {"wrong-type", kValidate, kError, "a field has a value of another type"},
    {"empty-value", kValidate, kError, "a field is empty where it must not be"},
    {"empty-list", kValidate, kError, "a list is empty where it must not be"},
    {"duplicate-entry", kValidate, kError,
     "a list has an entry twice, and its entries must differ"},
    {"limit", kValidate, kError, "the definition is larger than can be read"},
    // Structure.
    {"V1", kValidate, kError, "there is no root component"},
    {"V2", kValidate, kError, "two components have one name"},
    {"V3", kValidate, kError, "the root component lacks a part of its kind"},
    {"V4", kValidate, kError, "the root component has an owner"},
    {"V5", kValidate, kError, "the root component has no statusDefinition"},
    {"V6", kValidate, kError, "a child component has no owner"},
    {"V7", kValidate, kError, "the owner of a component does not exist"},
    {"V8", kValidate, kError, "a component has no name"},
    {"V9", kValidate, kError, "a component says in several ways where its pods are described"},
    {"V10", kValidate, kError,
     "a component has an instanceIdPath and no componentInstanceSelector"},
    {"V11", kValidate, kError, "a component has a componentInstanceSelector and no instanceIdPath"},
    {"V12", kValidate, kError, "a type selector has no condition"},
    {"V13", kValidate, kError, "a type selector has a value and no keyPath"},
    {"V14", kValidate, kError, "the owners of components form a cycle"},
    {"V15", kValidate, kError, "a member of a pod group is no component"},
    // Expressions.
    {"J1", kValidate, kError, "an expression cannot be parsed"},
    {"J2", kValidate, kError, "an expression assigns"},
    {"J3", kValidate, kError, "an expression deletes"},
    {"J4", kValidate, kError, "an expression calls a function that may give far too much"},
    {"J5", kValidate, kError, "an expression descends everywhere"},
    {"compile", kValidate, kError,
     "an expression names a function or variable that does not exist"},
    {"empty-expression", kValidate, kWarning, "an expression is empty, as if it were not there"},
    {"trailing-comment", kValidate, kWarning,
     "an expression ends with a comment, which breaks readers that go on behind it"},
    // Extensions.
    {"extension-syntax", kValidate, kError, "the extensions are no JSON"},
    {"extension-component", kValidate, kError,
     "the extensions name a component that does not exist"},
    {"extension-value", kValidate, kError, "the extensions say what cannot be"},
    {"unused-silence", kValidate, kWarning, "a silenced entry silences nothing"},
    // Status.
    {"empty-matcher", kValidate, kWarning, "a matcher has no condition, and always holds"},
    {"always-matches", kValidate, kWarning, "a matcher holds whatever the object says"},
    {"never-holds", kValidate, kWarning,
     "a matcher asks for a result that its expression never has"},
    {"phase-without-definition", kValidate, kWarning,
     "byPhase never holds without a phaseDefinition"},
    {"conditions-without-definition", kValidate, kWarning,
     "byConditions never holds without a conditionsDefinition"},
    {"bare-condition", kValidate, kWarning, "a condition is asked for that may be False"},
    {"reason-field-unnamed", kValidate, kWarning,
     "a reason is asked for, and nothing says which field holds it"},
    {"same-matchers", kValidate, kWarning, "two phases have the same matchers"},
    {"phases-overlap", kValidate, kWarning, "one object is in two phases that exclude each other"},
    {"terminal-phases-overlap", kValidate, kWarning, "one object is both completed and failed"},
    {"running-while-suspended", kValidate, kWarning, "one object is both running and suspended"},
    // Counts and pods.
    {"default-after-iteration", kValidate, kWarning,
     "a default applies to a whole list, and entries without a value are dropped"},
    {"instance-stem", kValidate, kWarning, "a value walks another list than the instance ids"},
    {"empty-scale", kValidate, kWarning, "a scaleDefinition has no path"},
    {"same-bounds", kValidate, kWarning,
     "two of replicas, minimum and maximum read the same field"},
    {"zero-minimum", kValidate, kWarning,
     "the minimum of a gang's member is 0 where it is not given"},
    {"ambiguous-count", kValidate, kWarning,
     "nothing says whether a count is for each copy of its owner or for the whole workload"},
    {"empty-fragments", kValidate, kWarning, "a fragmentedPodSpecDefinition has no path"},
    {"missing-type-selector", kValidate, kWarning,
     "one of several components with pods has no type selector"},
    {"same-selector", kValidate, kWarning, "two components select the same pods"},
    {"selectors-overlap", kValidate, kWarning, "one pod may be of two components"},
    {"selector-precedence", kValidate, kWarning,
     "readers that put a comparison behind the key path compare only a part of it"},
    {"child-kind-twice", kValidate, kWarning, "an additional child kind is that of a component"},
    // Writing.
    {"action-value", kValidate, kWarning, "the value of an action is no JSON"},
    {"not-a-path", kValidate, kWarning, "nothing can be written to the path of an action"},
    {"read-only-path", kValidate, kWarning,
     "nothing can be written to where the pods are described"},
    {"image-in-container", kValidate, kWarning,
     "an image is written, and then overwritten with its container"},
    {"metadata-in-pod", kValidate, kWarning, "writing the metadata overwrites the pod spec"},
    {"actions-differ", kValidate, kWarning, "resuming writes to other fields than suspending"},
    // Gangs.
    {"unknown-component", kValidate, kWarning, "a subgroup is no component"},
    {"gang-without-pods", kValidate, kWarning, "a gang names a component without pods"},
    {"same-group-keys", kValidate, kWarning, "two pod groups have the same keys"},
    {"filter-not-boolean", kValidate, kWarning, "a filter never gives true or false"},
    // Against schemas.
    {"gone-version", kCheck, kWarning, "newer releases no longer have this version of the kind"},
    {"missing-field", kCheck, kError, "an expression goes to a field that no document has"},
    {"absent-items", kCheck, kWarning, "an expression iterates over what may be absent"},
    {"absent-operand", kCheck, kWarning, "an operation fails where its operand is absent"},
    {"absent-zero", kCheck, kWarning,
     "a field of the status that may be absent is compared with 0 or \"\""},
    {"absent-count", kCheck, kWarning, "a count is read from a field that may be absent"},
    {"never-equal", kCheck, kError, "two values are compared that are never equal"},
    {"never-works", kCheck, kError, "an operation always refuses its values"},
    {"wrong-kind", kCheck, kError, "the results of an expression are not what its field is for"},
    {"wrong-count", kCheck, kError, "an expression gives as many values as another list has items"},
    {"never-matches", kCheck, kError, "a matcher asks for what cannot occur"},
    {"unusual-word", kCheck, kWarning, "a word or label differs by a slip from one that is known"},
    {"swapped-bounds", kCheck, kError, "a minimum is read from a maximum, or the reverse"},
};

}  // namespace

std::span<const Rule> Rules() { return kRules; }

const Rule* FindRule(std::string_view id) {
  auto found = std::ranges::find(kRules, id, &Rule::id);
  return found == std::ranges::end(kRules) ? nullptr : found;
}

}  // namespace wmap::definition
