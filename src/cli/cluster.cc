#include "cli/cluster.h"

#include <memory>
#include <utility>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "definition/load.h"
#include "inspect/snapshot.h"
#include "kube/cache.h"
#include "kube/locate.h"
#include "live/collect.h"
#include "live/follow.h"

namespace wmap::cli {
namespace {

// How long a wait for changes lasts; nothing is due at its end.
constexpr std::int64_t kIdleMs = 600'000;

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

}  // namespace

// One with errors is told and left aside: those who read cannot mend it.
void Cluster::TakeDefinition(const json::Value& object) {
  definition::LoadOptions options;
  options.mode = definition::Mode::kLenient;
  options.origin = definition::Origin::kCluster;
  definition::Loaded loaded = definition::Load(object, options);
  std::string name =
      Cat("the cluster's definition ", Quote(object.Get("metadata").Get("name").text_or_empty()));
  if (loaded.karta == nullptr || !loaded.karta->is_valid) {
    context_.err->Write(Cat("warning: ", Safe(name), " has errors and is not used\n"));
    return;
  }
  if (Result<void> added = registry_.Add(std::move(loaded.karta)); !added) {
    context_.err->Write(Cat("warning: ", Safe(name), ": ", Safe(added.error().Describe()), '\n'));
  }
}

std::expected<std::unique_ptr<Cluster>, int> Cluster::Open(const InputOptions& options,
                                                           SelectOptions& select, bool with_events,
                                                           const Context& context) {
  std::unique_ptr<Cluster> cluster(new Cluster(context));
  std::optional<workload::AcceleratorTable> accelerators = AcceleratorsOf(options, context);
  if (!accelerators) return std::unexpected<int>(kUsage);
  cluster->accelerators_ = *std::move(accelerators);
  cluster->exit_code_ = AddDefinitions(options, context, cluster->registry_);

  Result<kube::Target> target = kube::FindTarget(
      options.cluster.kubeconfig, options.cluster.overrides, context.environment, *context.files);
  if (!target) {
    context.err->Write(Cat("error: ", Safe(target.error().Describe()),
                           "\nTo read files instead, give them with -f.\n"));
    return std::unexpected<int>(kFailed);
  }
  if (select.name_space.empty() && !select.all_namespaces) select.name_space = target->name_space;
  if (!select.all_namespaces) cluster->scope_.name_space = select.name_space;
  cluster->scope_.with_events = with_events;
  cluster->scope_.page_size = options.cluster.page_size;

  auto client = Connect(options.cluster, *target, context);
  if (!client) return Tell(client.error(), context);
  cluster->client_ = *std::move(client);
  std::string cache = kube::CacheFolder(context.environment("KUBECACHEDIR"),
                                        context.environment("HOME"), target->cluster.server);
  Result<kube::Discovery> discovery = kube::Discovery::Load(*cluster->client_, cache);
  if (!discovery) return Tell(discovery.error(), context);
  cluster->discovery_ = *std::move(discovery);

  Result<void> read =
      live::ReadDefinitions(*cluster->client_, cluster->discovery_,
                            [&](const json::Value& object) { cluster->TakeDefinition(object); });
  if (!read) cluster->AddGap({read.error(), "kartas.run.ai"});
  return cluster;
}

void Cluster::AddGap(const live::Gap& gap) {
  std::string message = Cat("cannot list ", gap.what, ": ", gap.error.Describe());
  context_.err->Write(Cat("error: ", Safe(message), '\n'));
  gaps_.push_back({workload::Severity::kError, std::string(CodeName(gap.error.code())),
                   std::move(message), ""});
}

template <typename F>
Session Cluster::Make(F fill) {
  Session session;
  inspect::Snapshot snapshot(registry_, accelerators_);
  fill(snapshot);
  session.report = snapshot.Build();
  auto& diagnostics = session.report.diagnostics;
  diagnostics.insert(diagnostics.begin(), gaps_.begin(), gaps_.end());
  session.told = gaps_.size();
  session.report.complete &= gaps_.empty();
  session.exit_code = gaps_.empty() ? exit_code_ : kFailed;
  session.registry = std::move(registry_);
  return session;
}

Session Cluster::Read() {
  return Make([&](inspect::Snapshot& snapshot) {
    Progress progress(context_);
    for (const live::Gap& gap : live::Collect(*client_, discovery_, registry_, scope_, snapshot,
                                              [&] { progress.Tick(); })) {
      AddGap(gap);
    }
  });
}

int Cluster::Follow(FunctionRef<bool(Session&)> show) {
  live::Follower follower(*client_, discovery_, registry_, scope_);
  {
    Progress progress(context_);
    follower.Start([&] { progress.Tick(); });
  }
  std::size_t told = 0;
  while (true) {
    for (; told < follower.gaps().size(); ++told) AddGap(follower.gaps()[told]);
    Session session = Make([&](inspect::Snapshot& snapshot) { follower.Fill(snapshot); });
    bool go_on = show(session);
    registry_ = std::move(session.registry);
    if (!go_on) return session.exit_code;
    while (true) {
      Result<bool> changed = follower.AwaitChange(kIdleMs);
      if (!changed) return Tell(changed.error(), context_).error();
      if (*changed) break;
    }
  }
}

}  // namespace wmap::cli
