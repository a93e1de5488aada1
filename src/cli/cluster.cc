#include "cli/cluster.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/types.h"
#include "definition/api_version.h"
#include "inspect/snapshot.h"
#include "json/writer.h"
#include "kube/cache.h"
#include "kube/escape.h"
#include "kube/list.h"
#include "kube/locate.h"
#include "live/collect.h"
#include "live/follow.h"

namespace wmap::cli {
namespace {

// How long a wait for changes lasts; nothing is due at its end.
constexpr std::int64_t kIdleMs = 600'000;
// How long a cluster is waited for whose answer would only add to another one: in all, and for a
// connection.
constexpr std::int64_t kMostHasteMs = 10'000;
constexpr std::int64_t kHastyConnectMs = 3'000;
// The same for somebody who waits for the next letter.
constexpr std::int64_t kGlanceMs = 2'000;

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

Result<kube::Target> FindTarget(const ClusterOptions& options, const Context& context) {
  return kube::FindTarget(options.kubeconfig, options.overrides, context.environment,
                          *context.files);
}

live::Purpose PurposeOf(Detail detail) {
  switch (detail) {
    case Detail::kRows:
      break;
    case Detail::kEvents:
      return live::Purpose::kEvents;
    case Detail::kReasons:
      return live::Purpose::kReasons;
    case Detail::kAudit:
      return live::Purpose::kAudit;
  }
  return live::Purpose::kRows;
}

// How a cluster is talked to.
struct Manner {
  kube::Surroundings surroundings;
  kube::Client::Options options;
};
Manner MannerOf(const ClusterOptions& options, const Context& context) {
  Manner manner;
  manner.surroundings.files = context.files;
  manner.surroundings.clock = context.clock;
  manner.surroundings.is_interactive = context.in_is_terminal;
  manner.surroundings.tell = [&context](std::string_view text) { TellLines(text, context); };
  manner.options.transport.user_agent = "wmap/" WMAP_VERSION;
  manner.options.request_timeout_ms = options.request_timeout_ms;
  manner.surroundings.plugin_timeout_ms = options.request_timeout_ms;
  return manner;
}

// Where there is an answer without the cluster: nobody is asked anything, and who does not answer
// soon is not waited for. A time that was asked for is given.
Manner HastyManner(const ClusterOptions& options, std::int64_t most_ms, const Context& context) {
  Manner manner = MannerOf(options, context);
  manner.surroundings.is_interactive = false;
  std::int64_t asked_ms = options.request_timeout_ms;
  manner.surroundings.deadline_ms =
      manner.surroundings.NowMs() + (asked_ms == 0 ? most_ms : asked_ms);
  std::int64_t& connecting_ms = manner.options.transport.connect_timeout_ms;
  connecting_ms = asked_ms == 0 ? std::min(most_ms, kHastyConnectMs) : connecting_ms;
  manner.options.most_attempts = 2;
  return manner;
}

struct Connection {
  std::unique_ptr<kube::Client> client;
  kube::Discovery discovery;
};
Result<Connection> Connect(const kube::Target& target, const Manner& manner,
                           const Context& context) {
  Connection connection;
  WMAP_TRY(connection.client, kube::Client::Make(target, manner.surroundings, manner.options));
  std::string cache = kube::CacheFolder(context.environment("KUBECACHEDIR"),
                                        context.environment("HOME"), target.cluster.server);
  WMAP_TRY(connection.discovery, kube::Discovery::Load(*connection.client, cache));
  return connection;
}

std::string LineOf(const workload::Diagnostic& diagnostic) {
  return Cat(SeverityName(diagnostic.severity), ": ", Safe(diagnostic.message), '\n');
}

// What definitions of the cluster are not used, and why; kept for reports as well.
std::vector<workload::Diagnostic> TellUnused(const DefinitionIntake& intake,
                                             const Context& context) {
  std::vector<workload::Diagnostic> diagnostics = intake.Diagnostics();
  for (const workload::Diagnostic& diagnostic : diagnostics) {
    context.err->Write(LineOf(diagnostic));
  }
  return diagnostics;
}

// What an error says but for the type that it speaks of: `forbidden: User "jane" cannot list them
// in the namespace "ml"` for many types.
std::string WithoutType(const live::Gap& gap) {
  std::string text = gap.error.Describe();
  std::string begin = Cat(gap.what, " is forbidden: ");
  std::string type = Cat("resource \"", gap.what.substr(0, gap.what.find('.')),
                         "\" in API group \"", gap.group, '"');
  std::size_t at = text.find(type);
  if (gap.kind.empty() || !text.starts_with(begin) || at == std::string::npos) return text;
  text.replace(at, type.size(), "them");
  return Cat("forbidden: ", text.substr(begin.size()));
}

// Whether a kind that definitions cover controls an object, which then is no row.
bool IsOwned(const json::Value& metadata, const definition::Registry& registry) {
  json::Value owners = metadata.Get("ownerReferences");
  if (!owners.is_array()) return false;
  return std::ranges::any_of(owners.items(), [&](const json::Value& owner) {
    return owner.Get("controller").is_true() &&
           registry.Covers(definition::GroupOf(owner.Get("apiVersion").text_or_empty()),
                           owner.Get("kind").text_or_empty());
  });
}

// Names kinds in the version that the server prefers, whichever their objects spoke of.
void NameAsServed(const kube::Discovery& served, std::vector<inspect::Uncovered>& uncovered) {
  std::vector<inspect::Uncovered> named;
  for (inspect::Uncovered& one : uncovered) {
    const kube::ApiType* type = served.Find(definition::GroupOf(one.api_version), "", one.kind);
    if (type != nullptr) one.api_version = type->ApiVersion();
    auto same = std::ranges::find_if(named, [&](const inspect::Uncovered& known) {
      return known.api_version == one.api_version && known.kind == one.kind;
    });
    if (same == named.end()) {
      named.push_back(std::move(one));
    } else {
      same->objects += one.objects;
      same->pods += one.pods;
      same->gpus += one.gpus;
    }
  }
  uncovered = std::move(named);
}

}  // namespace

namespace {

// A cluster that would only add to an answer, with its definitions in `registry`.
struct Addition {
  std::unique_ptr<kube::Client> client;  // null: there is none, or it cannot be read
  ClusterDefinitions definitions;
};
Addition OpenAddition(const ClusterOptions& options, const Context& context,
                      definition::Registry& registry) {
  Addition addition;
  ClusterDefinitions& definitions = addition.definitions;
  DefinitionIntake intake(registry);
  Result<void> read = [&]() -> Result<void> {
    Result<kube::Target> target = FindTarget(options, context);
    if (!target && target.error().code() == Code::kNotDefined) return {};
    if (!target) return Fail(std::move(target).error());
    Manner manner = HastyManner(options, kMostHasteMs, context);
    WMAP_TRY(Connection connection, Connect(*target, manner, context));
    definitions.served = std::make_shared<const kube::Discovery>(std::move(connection.discovery));
    auto found = live::ReadDefinitions(
        *connection.client, *definitions.served, [&](const json::Value& object) {
          std::string name(object.Get("metadata").Get("name").text_or_empty());
          json::Write(object, definitions.texts[name]);
          intake.Take(object);
        });
    addition.client = std::move(connection.client);
    if (!found) return Fail(std::move(found).error());
    return {};
  }();
  definitions.unused = intake.unused();
  definitions.is_disputed = !intake.disputed().empty();
  definitions.diagnostics = TellUnused(intake, context);
  if (!read) {
    definitions.complete = false;
    std::string message = Cat("without the cluster's definitions: ", read.error().Describe());
    context.err->Write(Cat("warning: ", Safe(message), '\n'));
    definitions.diagnostics.push_back({workload::Severity::kWarning,
                                       std::string(CodeName(read.error().code())),
                                       std::move(message), ""});
  }
  return addition;
}

}  // namespace

ClusterDefinitions AddClusterDefinitions(const ClusterOptions& options, const Context& context,
                                         definition::Registry& registry) {
  return OpenAddition(options, context, registry).definitions;
}

ClusterSchemas::ClusterSchemas(std::unique_ptr<kube::Client> client, const Context& context)
    : client_(std::move(client)), context_(context) {}

std::unique_ptr<ClusterSchemas> ClusterSchemas::Open(const ClusterOptions& options,
                                                     const Context& context,
                                                     definition::Registry& registry) {
  Addition addition = OpenAddition(options, context, registry);
  if (addition.client == nullptr) return nullptr;
  std::unique_ptr<ClusterSchemas> schemas(new ClusterSchemas(std::move(addition.client), context));
  schemas->definitions_ = std::move(addition.definitions);
  return schemas;
}

std::optional<std::string> ClusterSchemas::Take(std::string_view group, std::string_view version) {
  kube::Request request;
  request.path = group.empty() ? Cat("/openapi/v3/api/", kube::PercentEncoded(version))
                               : Cat("/openapi/v3/apis/", kube::PercentEncoded(group), '/',
                                     kube::PercentEncoded(version));
  if (!taken_.insert(request.path).second) return std::nullopt;
  Result<std::string> text = client_->Read(request);
  if (text) return *std::move(text);
  if (text.error().code() != Code::kNotFound) {
    context_.err->Write(Cat("warning: without the cluster's schemas of ", Safe(group),
                            group.empty() ? "" : "/", Safe(version), ": ",
                            Safe(text.error().Describe()), '\n'));
  }
  return std::nullopt;
}

std::expected<std::unique_ptr<Cluster>, int> Cluster::Open(const InputOptions& options,
                                                           SelectOptions& select, Detail detail,
                                                           const Context& context) {
  std::unique_ptr<Cluster> cluster(new Cluster(context));
  std::optional<workload::AcceleratorTable> accelerators = AcceleratorsOf(options, context);
  if (!accelerators) return std::unexpected<int>(kUsage);
  cluster->accelerators_ = *std::move(accelerators);
  cluster->input_ = options;
  cluster->exit_code_ = AddDefinitions(options, context, cluster->registry_);

  Result<kube::Target> target = FindTarget(options.cluster, context);
  if (!target) {
    context.err->Write(Cat("error: ", Safe(target.error().Describe()),
                           "\nTo read files instead, give them with -f.\n"));
    return std::unexpected<int>(kFailed);
  }
  if (select.name_space.empty() && !select.all_namespaces) select.name_space = target->name_space;
  if (!select.all_namespaces) cluster->scope_.name_space = select.name_space;
  if (std::string_view why = kube::SegmentFault(cluster->scope_.name_space); !why.empty()) {
    context.err->Write(
        Cat("error: invalid namespace ", Safe(Quote(select.name_space)), ": ", why, '\n'));
    return std::unexpected<int>(kUsage);
  }
  cluster->detail_ = detail;
  cluster->scope_.purpose = PurposeOf(detail);
  cluster->scope_.page_size = options.cluster.page_size;

  Result<Connection> connection = Connect(*target, MannerOf(options.cluster, context), context);
  if (!connection) return Tell(connection.error(), context);
  cluster->client_ = std::move(connection->client);
  cluster->discovery_ = std::make_shared<const kube::Discovery>(std::move(connection->discovery));

  Result<live::DefinitionsRead> read = cluster->ReadDefinitions();
  if (read) {
    cluster->definitions_ = *std::move(read);
  } else {
    cluster->AddGaps(std::array{live::Gap{read.error(), "kartas.run.ai", "run.ai", "Karta"}});
  }
  return cluster;
}

Result<live::DefinitionsRead> Cluster::ReadDefinitions() {
  DefinitionIntake intake(registry_);
  auto read = live::ReadDefinitions(*client_, *discovery_,
                                    [&](const json::Value& object) { intake.Take(object); });
  unused_ = intake.Diagnostics();
  disputed_ = intake.disputed();
  for (const workload::Diagnostic& diagnostic : unused_) Warn(LineOf(diagnostic));
  return read;
}

void Cluster::Warn(const std::string& warning) {
  if (warnings_.insert(warning).second) context_.err->Write(warning);
}

bool Cluster::Matters(const live::Gap& gap) const {
  if (targets_.empty() || gap.is_pointed_at) return true;
  return std::ranges::any_of(targets_, [&](const Target& asked) {
    const definition::TypeMatch& target = asked.type;
    if (target.group == gap.group && target.kind == gap.kind) return true;
    definition::Match match = registry_.Find(target.group, target.version, target.kind);
    return match && std::ranges::any_of(match.karta->components, [&](const auto& component) {
             return component.kind && component.kind->group == gap.group &&
                    component.kind->kind == gap.kind;
           });
  });
}

void Cluster::AddGaps(std::span<const live::Gap> gaps) {
  struct Line {
    std::string verb;
    std::string words;  // those of all
    std::string whole;  // those of the first one
    std::vector<std::string> names;
  };
  std::vector<Line> lines;
  for (const live::Gap& gap : gaps) {
    std::string after = gap.is_listed_instead ? "; listed every 30 s instead" : "";
    std::string whole = Cat(gap.error.Describe(), after);
    std::string message = Cat("cannot ", gap.verb, ' ', gap.what, ": ", whole);
    if (std::ranges::find(gaps_, message, &workload::Diagnostic::message) != gaps_.end()) continue;
    std::string words = Cat(WithoutType(gap), after);
    auto line = std::ranges::find_if(
        lines, [&](const Line& one) { return one.verb == gap.verb && one.words == words; });
    if (line == lines.end()) {
      line = lines.insert(line, {std::string(gap.verb), words, whole, {}});
    }
    line->names.push_back(gap.what);
    unread_.emplace(gap.what, gap.error.message());
    if (gap.verb == "list") unread_kinds_.emplace(std::pair(gap.group, gap.kind), gap.what);
    gaps_.push_back({workload::Severity::kError, std::string(CodeName(gap.error.code())),
                     std::move(message), ""});
  }
  for (const Line& line : lines) {
    const std::string& why = line.names.size() == 1 ? line.whole : line.words;
    context_.err->Write(
        Cat("error: cannot ", line.verb, ' ', Safe(Join(line.names, ", ")), ": ", Safe(why), '\n'));
  }
}

std::optional<Refusal> Cluster::Check(const SelectOptions& select) {
  inspect::Report nothing;
  Result<Selection> selection = Select(select, registry_, discovery_.get(), nothing);
  if (!selection) return RefusalOf(selection.error(), exit_code());
  Result<std::vector<Target>> targets = ParseTargets(select.targets, registry_, discovery_.get());
  if (!targets) return RefusalOf(targets.error(), exit_code());
  targets_ = *std::move(targets);
  for (const Target& target : targets_) {
    if (!target.has_name) continue;
    std::vector<live::Named>& named = scope_.named;
    auto one = std::ranges::find_if(named, [&](const live::Named& known) {
      return known.group == target.type.group && known.kind == target.type.kind;
    });
    if (one == named.end()) {
      one = named.insert(one, {target.type.group, target.type.kind, {}});
    }
    one->names.push_back(target.name);
  }
  return std::nullopt;
}

bool Cluster::ShowsDisputed(const inspect::Report& report) const {
  if (!targets_.empty()) {
    return std::ranges::any_of(targets_, [&](const Target& target) {
      return disputed_.contains({target.type.group, target.type.kind});
    });
  }
  return std::ranges::any_of(report.workloads, [&](const workload::Workload& workload) {
    return disputed_.contains(
        {std::string(definition::GroupOf(workload.api_version)), workload.kind});
  });
}

Session Cluster::Make(inspect::Report report) {
  Session session;
  session.report = std::move(report);
  if (session.report.sources) {
    inspect::Sources& sources = *session.report.sources;
    sources.unread = unread_;
    // An empty list is an answer.
    sources.has_pods = !unread_.contains("pods");
    sources.has_events = !unread_.contains("events");
  }
  auto& diagnostics = session.report.diagnostics;
  diagnostics.insert(diagnostics.begin(), unused_.begin(), unused_.end());
  diagnostics.insert(diagnostics.begin(), gaps_.begin(), gaps_.end());
  session.told = gaps_.size() + unused_.size();
  NameAsServed(*discovery_, session.report.uncovered);
  session.unread = unread_kinds_;
  session.uncovered = uncovered_;
  session.report.complete &= gaps_.empty();
  session.exit_code = exit_code();
  if (session.exit_code == kOk && ShowsDisputed(session.report)) session.exit_code = kFailed;
  session.registry = std::move(registry_);
  session.served = discovery_;
  return session;
}

Session Cluster::Read() {
  inspect::Snapshot snapshot(registry_, accelerators_);
  Prepare(snapshot, detail_);
  Progress progress(context_);
  std::vector<live::Gap> gaps =
      live::Collect(*client_, *discovery_, registry_, scope_, snapshot, [&] { progress.Tick(); });
  std::erase_if(gaps, [&](const live::Gap& gap) { return !Matters(gap); });
  AddGaps(gaps);
  Session session = Make(snapshot.Build());
  if (std::optional<workload::Diagnostic> missing = LookForNamespace(session.report)) {
    session.report.diagnostics.push_back(*std::move(missing));
  }
  return session;
}

// Lists of a namespace that is not there are empty, and no errors.
std::optional<workload::Diagnostic> Cluster::LookForNamespace(const inspect::Report& report) const {
  bool is_empty = report.workloads.empty() && report.unclaimed.empty() && report.uncovered.empty();
  if (!is_empty || scope_.name_space.empty() || !gaps_.empty()) return std::nullopt;
  kube::Request request;
  request.path = Cat("/api/v1/namespaces/", kube::PercentEncoded(scope_.name_space));
  Result<std::string> answer = client_->Read(request);
  // Who may not read it is told nothing.
  if (answer || answer.error().code() != Code::kNotFound) return std::nullopt;
  return workload::Diagnostic{workload::Severity::kWarning, std::string(kNoNamespace),
                              Cat("there is no namespace ", Quote(scope_.name_space)), ""};
}

std::unique_ptr<live::Follower> Cluster::MakeFollower() const {
  // Definitions from a stream cannot be read twice.
  bool from_stream = std::ranges::find(input_.definitions, "-") != input_.definitions.end();
  return std::make_unique<live::Follower>(*client_, discovery_, registry_, scope_,
                                          from_stream ? std::nullopt : definitions_);
}

bool Cluster::Renew(std::unique_ptr<live::Follower>& follower) {
  std::shared_ptr<const kube::Discovery> before = std::exchange(discovery_, follower->newest());
  definition::Registry registry_before = std::exchange(registry_, definition::Registry());
  std::optional<live::DefinitionsRead> definitions_before = definitions_;
  spent_.Clear();
  // What is wrong with files was told at the beginning.
  Silence silence;
  Context quiet = context_;
  quiet.err = &silence;
  bool is_whole = AddDefinitions(input_, quiet, registry_) == exit_code_;
  Result<live::DefinitionsRead> read = ReadDefinitions();
  is_whole = is_whole && (read || read.error().code() == Code::kForbidden);
  if (read) definitions_ = *std::move(read);
  if (is_whole) {
    std::unique_ptr<live::Follower> renewed = MakeFollower();
    renewed->Start([] {});
    // A fault on the way would show as gone what is not.
    is_whole = std::ranges::all_of(
        renewed->gaps(), [](const live::Gap& gap) { return gap.error.code() == Code::kForbidden; });
    if (is_whole) {
      follower = std::move(renewed);
      TellUncovered(registry_before);
      return true;
    }
  }
  discovery_ = std::move(before);
  registry_ = std::move(registry_before);
  definitions_ = std::move(definitions_before);
  follower->PutOff();
  return false;
}

void Cluster::TellUncovered(const definition::Registry& before) {
  std::erase_if(uncovered_,
                [&](const auto& kind) { return registry_.Covers(kind.first, kind.second); });
  for (const definition::Listing& listing : before.List()) {
    const definition::GroupVersionKind& kind = listing.kind;
    bool is_asked_for = targets_.empty() || std::ranges::any_of(targets_, [&](const Target& one) {
                          return one.type.group == kind.group && one.type.kind == kind.kind;
                        });
    const kube::ApiType* type = discovery_->Find(kind.group, "", kind.kind);
    if (registry_.Covers(kind.group, kind.kind) || type == nullptr) continue;
    bool is_new = uncovered_.emplace(kind.group, kind.kind).second;
    if (!is_new || !is_asked_for) continue;
    context_.err->Write(Cat("no definition covers ", Safe(type->kind), " (",
                            Safe(type->ApiVersion()),
                            ") any more; its objects are followed again when one does\n"));
  }
}

int Cluster::Follow(FunctionRef<bool(Session&)> show) {
  std::unique_ptr<live::Follower> follower = MakeFollower();
  {
    Progress progress(context_);
    follower->Start([&] { progress.Tick(); });
  }
  // What was read of each part of the cluster when it last changed.
  std::map<std::string, std::shared_ptr<const inspect::Report>> parts;
  while (true) {
    if (follower->is_outdated() && Renew(follower)) {
      parts.clear();
    }
    std::vector<live::Gap> gaps;
    for (live::Gap gap : follower->gaps()) {
      gap.is_pointed_at = follower->IsPointedAt(gap);
      if (Matters(gap)) gaps.push_back(std::move(gap));
    }
    AddGaps(gaps);
    for (const std::string& part : follower->TakeChanged()) {
      // This one is all there is.
      if (part.empty()) parts.clear();
      inspect::Snapshot snapshot(registry_, accelerators_);
      snapshot.ShareBudgets(spent_);
      if (follower->Fill(part, snapshot) == 0) {
        parts.erase(part);
      } else {
        parts[part] = std::make_shared<const inspect::Report>(snapshot.Build());
      }
    }
    std::vector<const inspect::Report*> reports;
    for (const auto& [part, report] : parts) reports.push_back(report.get());
    Session session = Make(inspect::JoinRows(reports));
    for (const auto& [part, report] : parts) session.parts.push_back(report);
    bool go_on = show(session);
    registry_ = std::move(session.registry);
    if (!go_on) return session.exit_code;
    while (true) {
      Result<bool> changed = follower->AwaitChange(kIdleMs);
      if (!changed) return Tell(changed.error(), context_).error();
      if (*changed) break;
    }
  }
}

kube::Kubeconfig KubeconfigOf(const ClusterOptions& options, const Context& context) {
  return kube::LoadKubeconfig(options.kubeconfig, context.environment, *context.files)
      .value_or(kube::Kubeconfig());
}

Glance::Glance(const ClusterOptions& options, const Context& context)
    : options_(options), context_(context) {
  if (!options_.contexts.empty()) options_.overrides.context = options_.contexts.front();
  options_.contexts.clear();
  options_.request_timeout_ms = 0;
}

bool Glance::Connect() {
  if (std::exchange(was_tried_, true)) return client_ != nullptr;
  Result<kube::Target> target = FindTarget(options_, context_);
  if (!target) return false;
  name_space_ = target->name_space;
  Result<Connection> connection =
      cli::Connect(*target, HastyManner(options_, kGlanceMs, context_), context_);
  if (!connection) return false;
  client_ = std::move(connection->client);
  discovery_ = std::move(connection->discovery);
  return true;
}

std::vector<std::string> Glance::Namespaces() {
  std::vector<std::string> names;
  if (!Connect()) return names;
  const kube::ApiType* type = discovery_.Find("", "v1", "Namespace");
  if (type == nullptr) return names;
  kube::List list(*client_, {.type = *type, .metadata_only = true});
  Result<void> read = list.Read([&](const json::Value& object) {
    names.emplace_back(object.Get("metadata").Get("name").text_or_empty());
  });
  static_cast<void>(read.has_value());
  return names;
}

std::vector<std::string> Glance::Types(definition::Registry& registry) {
  std::vector<std::string> types;
  if (!Connect()) return types;
  DefinitionIntake intake(registry);
  auto read = live::ReadDefinitions(*client_, discovery_,
                                    [&](const json::Value& object) { intake.Take(object); });
  static_cast<void>(read.has_value());
  for (const definition::Listing& listing : registry.List()) {
    bool is_there = discovery_.Find(listing.kind.group, "", listing.kind.kind) != nullptr;
    if (is_there) types.push_back(ToLower(listing.kind.kind));
  }
  return types;
}

std::vector<std::string> Glance::Names(std::string_view type, const SelectOptions& select,
                                       definition::Registry& registry) {
  std::vector<std::string> names;
  if (!Connect()) return names;
  std::vector<const kube::ApiType*> named = discovery_.Named(type);
  Result<definition::TypeMatch> match = ResolveType(type, registry, &discovery_);
  const kube::ApiType* chosen = match           ? discovery_.Find(match->group, "", match->kind)
                                : named.empty() ? nullptr
                                                : named.front();
  if (chosen == nullptr || !chosen->can_list) return names;
  kube::ListQuery query{.type = *chosen, .metadata_only = true};
  query.name_space = select.all_namespaces       ? std::string()
                     : select.name_space.empty() ? name_space_
                                                 : select.name_space;
  kube::List list(*client_, query);
  Result<void> read = list.Read([&](const json::Value& object) {
    json::Value metadata = object.Get("metadata");
    if (!IsOwned(metadata, registry)) names.emplace_back(metadata.Get("name").text_or_empty());
  });
  // What came in time is better than nothing.
  static_cast<void>(read.has_value());
  return names;
}

}  // namespace wmap::cli
