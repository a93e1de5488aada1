// Reading a cluster instead of files.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "cli/cluster_definitions.h"
#include "cli/context.h"
#include "cli/options.h"
#include "cli/select.h"
#include "cli/session.h"
#include "cli/show.h"
#include "definition/registry.h"
#include "kube/client.h"
#include "kube/discovery.h"
#include "kube/kubeconfig.h"
#include "live/collect.h"
#include "live/demand.h"
#include "live/follow.h"
#include "workload/accelerators.h"
#include "workload/evaluation.h"
#include "workload/workload.h"

namespace wmap::cli {

// The code of the diagnostic of a namespace that is not there.
inline constexpr std::string_view kNoNamespace = "no-namespace";

// A connection to the cluster of the options, with its types and definitions. Nothing here changes
// anything there. What cannot be read is told when it is met, and makes the exit code of a session
// kFailed.
class Cluster {
 public:
  // Without a namespace and -A in `select`, that of the cluster's context is taken, and set there.
  // When there is nothing to go on with, says why and returns the exit code.
  static std::expected<std::unique_ptr<Cluster>, int> Open(const InputOptions& options,
                                                           SelectOptions& select, Detail detail,
                                                           const Context& context);

  // What of the options makes no sense in this cluster, as types that it does not have. What makes
  // sense is what is looked for from now on.
  std::optional<Refusal> Check(const SelectOptions& select);
  // What the TARGETs mean that were checked.
  const std::vector<Target>& targets() const { return targets_; }

  // What there is now, as ReadFiles() reads it from files. Once, last.
  Session Read();

  // Calls `show` with what there is, and again after every change, until it returns false or the
  // cluster is lost; returns the exit code.
  int Follow(FunctionRef<bool(Session&)> show);

 private:
  explicit Cluster(const Context& context) : context_(context) {}

  int exit_code() const { return gaps_.empty() ? exit_code_ : kFailed; }

  // That the namespace that was asked for is not there, where nothing was found in it.
  std::optional<workload::Diagnostic> LookForNamespace(const inspect::Report& report) const;
  // Reads the definitions of the files and of the cluster.
  Result<live::DefinitionsRead> ReadDefinitions();
  // Says it, unless it was said before.
  void Warn(const std::string& warning);
  // Whether what is asked for could be another without it.
  bool Matters(const live::Gap& gap) const;
  // Tells those that were not told, with one line for what has one reason, and keeps them for the
  // reports.
  void AddGaps(std::span<const live::Gap> gaps);
  std::unique_ptr<live::Follower> MakeFollower() const;
  // With the types and definitions of now; false when it cannot be had, and `follower` stays.
  bool Renew(std::unique_ptr<live::Follower>& follower);
  // Tells which kinds no definition covers any more, of those that `before` covers.
  void TellUncovered(const definition::Registry& before);
  // Whether what is asked for is read by one of two definitions of the cluster for one kind.
  bool ShowsDisputed(const inspect::Report& report) const;
  // What there is in `report`, as a session; the registry is in it until it ends.
  Session Make(inspect::Report report);

  const Context& context_;
  InputOptions input_;
  definition::Registry registry_;
  std::optional<live::DefinitionsRead> definitions_;
  std::set<std::string> warnings_;  // that were told
  std::vector<Target> targets_;
  std::set<std::pair<std::string, std::string>> uncovered_;  // by now; group and kind
  std::map<std::pair<std::string, std::string>, std::string> unread_kinds_;
  workload::AcceleratorTable accelerators_;
  workload::SpentBudgets spent_;  // by definitions of registry_
  std::unique_ptr<kube::Client> client_;
  std::shared_ptr<const kube::Discovery> discovery_;
  live::Scope scope_;
  Detail detail_ = Detail::kRows;
  std::map<std::string, std::string> unread_;  // what could not be read, and why
  std::vector<workload::Diagnostic> gaps_;
  std::vector<workload::Diagnostic> unused_;                // of definitions
  std::set<std::pair<std::string, std::string>> disputed_;  // DefinitionIntake::disputed()
  int exit_code_ = kOk;                                     // but for the gaps
};

// The definitions of a cluster.
struct ClusterDefinitions {
  std::map<std::string, std::string> texts;  // name -> the object as compact JSON
  std::vector<UnusedDefinition> unused;
  std::vector<workload::Diagnostic> diagnostics;  // which were told
  bool is_disputed = false;                       // two are for one kind
  bool complete = true;
  std::shared_ptr<const kube::Discovery> served;  // its types; null where they are not known
};

// Adds the definitions of the cluster of the options to `registry`; where no cluster is configured
// there are none. For commands that have an answer without: a cluster that cannot be read is a
// warning, and one that does not answer soon is not waited for, unless --request-timeout says so.
ClusterDefinitions AddClusterDefinitions(const ClusterOptions& options, const Context& context,
                                         definition::Registry& registry);

// What the API server of the options' cluster publishes of the kinds that it serves; read when it
// is asked for. For a command that has an answer without: as AddClusterDefinitions(), one that
// cannot be read is a warning.
class ClusterSchemas {
 public:
  // Connects, and adds the definitions of the cluster to `registry`. Null where no cluster is
  // configured or where it cannot be read, which is told.
  static std::unique_ptr<ClusterSchemas> Open(const ClusterOptions& options, const Context& context,
                                              definition::Registry& registry);
  const ClusterDefinitions& definitions() const { return definitions_; }
  const kube::Discovery& served() const { return *definitions_.served; }
  // The OpenAPI v3 document of a group and version as JSON; nothing the second time, where the
  // cluster has no such group and version, or where it cannot be read, which is told.
  std::optional<std::string> Take(std::string_view group, std::string_view version);

 private:
  ClusterSchemas(std::unique_ptr<kube::Client> client, const Context& context);

  std::unique_ptr<kube::Client> client_;
  const Context& context_;
  ClusterDefinitions definitions_;
  std::set<std::string> taken_;  // paths
};

// The kubeconfig; an empty one where it cannot be read.
kube::Kubeconfig KubeconfigOf(const ClusterOptions& options, const Context& context);

// A look at a cluster for somebody who is typing: two seconds at most, and what cannot be known by
// then is left out without a word.
class Glance {
 public:
  // Of several contexts, at the first one. Nothing is asked yet. Keeps the references.
  Glance(const ClusterOptions& options, const Context& context);

  std::vector<std::string> Namespaces();
  // The kinds that definitions cover and the cluster has, in lower case; adds its own definitions
  // to `registry`.
  std::vector<std::string> Types(definition::Registry& registry);
  // Of the objects of a TYPE, those that no workload owns.
  std::vector<std::string> Names(std::string_view type, const SelectOptions& select,
                                 definition::Registry& registry);

 private:
  bool Connect();

  ClusterOptions options_;
  const Context& context_;
  bool was_tried_ = false;
  std::unique_ptr<kube::Client> client_;  // null: the cluster cannot be reached
  std::string name_space_;
  kube::Discovery discovery_;
};

}  // namespace wmap::cli
