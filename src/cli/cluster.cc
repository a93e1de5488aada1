#include "cli/cluster.h"

#include <memory>
#include <utility>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "definition/load.h"
#include "inspect/snapshot.h"
#include "kube/cache.h"
#include "kube/client.h"
#include "kube/discovery.h"
#include "kube/locate.h"
#include "live/collect.h"

namespace wmap::cli {
namespace {

std::unexpected<int> Tell(const Error& error, const Context& context) {
  context.err->Write(Cat("error: ", Safe(error.Describe()), '\n'));
  return std::unexpected<int>(kFailed);
}

// What comes with line ends of its own.
void TellLines(std::string_view text, const Context& context) {
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    context.err->Write(Cat(Safe(text.substr(0, end)), end == std::string_view::npos ? "" : "\n"));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

Result<std::unique_ptr<kube::Client>> Connect(const ClusterOptions& options,
                                              const kube::Target& target, const Context& context) {
  kube::Surroundings surroundings;
  surroundings.files = context.files;
  surroundings.clock = context.clock;
  surroundings.is_interactive = context.in_is_terminal;
  surroundings.tell = [&context](std::string_view text) { TellLines(text, context); };
  kube::Client::Options settings;
  settings.transport.user_agent = "wmap/" WMAP_VERSION;
  settings.request_timeout_ms = options.request_timeout_s * 1000;
  return kube::Client::Make(target, surroundings, settings);
}

// Registers a definition that the cluster holds. One with errors is told and left aside: those who
// read cannot mend it.
void Register(const json::Value& object, const Context& context, definition::Registry& registry) {
  definition::LoadOptions options;
  options.mode = definition::Mode::kLenient;
  options.origin = definition::Origin::kCluster;
  definition::Loaded loaded = definition::Load(object, options);
  std::string name =
      Cat("the cluster's definition ", Quote(object.Get("metadata").Get("name").text_or_empty()));
  if (loaded.karta == nullptr || !loaded.karta->is_valid) {
    context.err->Write(Cat("warning: ", Safe(name), " has errors and is not used\n"));
    return;
  }
  if (Result<void> added = registry.Add(std::move(loaded.karta)); !added) {
    context.err->Write(Cat("warning: ", Safe(name), ": ", Safe(added.error().Describe()), '\n'));
  }
}

// "error: cannot list pods: pods is forbidden: ...".
void TellGap(const live::Gap& gap, const Context& context) {
  context.err->Write(
      Cat("error: cannot list ", Safe(gap.what), ": ", Safe(gap.error.Describe()), '\n'));
}

}  // namespace

std::expected<Session, int> ReadCluster(const InputOptions& options, SelectOptions& select,
                                        bool with_events, const Context& context) {
  Session session;
  std::optional<workload::AcceleratorTable> accelerators = AcceleratorsOf(options, context);
  if (!accelerators) return std::unexpected(kUsage);
  session.exit_code = AddDefinitions(options, context, session.registry);

  const ClusterOptions& cluster = options.cluster;
  Result<kube::Target> target =
      kube::FindTarget(cluster.kubeconfig, cluster.overrides, context.environment, *context.files);
  if (!target) {
    context.err->Write(Cat("error: ", Safe(target.error().Describe()),
                           "\nTo read files instead, give them with -f.\n"));
    return std::unexpected(kFailed);
  }
  if (select.name_space.empty() && !select.all_namespaces) select.name_space = target->name_space;
  auto client = Connect(cluster, *target, context);
  if (!client) return Tell(client.error(), context);
  std::string cache = kube::CacheFolder(context.environment("KUBECACHEDIR"),
                                        context.environment("HOME"), target->cluster.server);
  Result<kube::Discovery> discovery = kube::Discovery::Load(**client, cache);
  if (!discovery) return Tell(discovery.error(), context);

  std::vector<live::Gap> gaps;
  Result<void> read = live::ReadDefinitions(**client, *discovery, [&](const json::Value& object) {
    Register(object, context, session.registry);
  });
  if (!read) gaps.push_back({read.error(), "kartas.run.ai"});

  inspect::Snapshot snapshot(session.registry, *accelerators);
  {
    Progress progress(context);
    live::Scope scope;
    if (!select.all_namespaces) scope.name_space = select.name_space;
    scope.with_events = with_events;
    scope.page_size = cluster.page_size;
    std::vector<live::Gap> missing = live::Collect(**client, *discovery, session.registry, scope,
                                                   snapshot, [&] { progress.Tick(); });
    gaps.insert(gaps.end(), missing.begin(), missing.end());
  }
  session.report = snapshot.Build();
  for (const live::Gap& gap : gaps) {
    TellGap(gap, context);
    session.exit_code = kFailed;
  }
  return session;
}

}  // namespace wmap::cli
