// Cluster: what the planner may ask for beyond the pod. A seam: in a controller it is a client with
// its caches, in a test a list of objects. Answers live as long as the Cluster.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "definition/karta.h"
#include "json/value.h"

namespace wmap::gang {

struct ObjectKey {
  std::string api_version;
  std::string kind;
  std::string name_space;
  std::string name;

  // "PyTorchJob lab/ring".
  std::string Describe() const;
};

enum class Absence : std::uint8_t {
  kNotFound,
  kForbidden,  // not for this reader, or no such kind is served
  kFailed,     // it may be there; ask again
};

template <typename T>
using Fetched = std::expected<T, Absence>;

class Cluster {
 public:
  virtual ~Cluster() = default;

  // apiVersion, kind and metadata; asks for this one object and nothing else, so that no right to
  // list its kind is needed.
  virtual Fetched<json::Value> Metadata(const ObjectKey& key) = 0;
  virtual Fetched<json::Value> Object(const ObjectKey& key) = 0;
  // The pods of a namespace.
  virtual Fetched<std::vector<json::Value>> Pods(std::string_view name_space) = 0;
  // The groups (scheduling.run.ai PodGroups) of a namespace.
  virtual Fetched<std::vector<json::Value>> Groups(std::string_view name_space) = 0;
  virtual bool HasPriorityClass(std::string_view name) = 0;
  // The JSON list of what kinds start with where nothing else is said:
  // [{"typeName", "group", "priorityName", "preemptibility"}]; "" when there is none.
  virtual std::string_view KindDefaults() = 0;
  // All definitions of exactly this kind, also those that cannot be used.
  virtual std::vector<const definition::Karta*> Definitions(
      const definition::GroupVersionKind& kind) = 0;
};

}  // namespace wmap::gang
