// `wmap definitions`: the kinds that are covered, and by whom.
#include <algorithm>

#include "base/text.h"
#include "cli/choice.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/select.h"
#include "cli/session.h"
#include "cli/show.h"
#include "cli/table.h"
#include "cli/types.h"
#include "definition/catalog.h"
#include "json/reader.h"
#include "json/writer.h"
#include "schema/embedded_data.h"
#include "yaml/reader.h"
#include "yaml/writer.h"

namespace wmap::cli {
namespace {

using definition::Component;
using definition::Karta;
using definition::Listing;

// "pod template, instances, min/max, suspend": what a definition says of a component.
std::string FeaturesOf(const Component& component) {
  std::vector<std::string> features;
  if (component.bears_pods()) {
    features.emplace_back(component.spec->fragmented ? "pod fields" : "pod template");
  }
  if (component.has_instances()) features.emplace_back("instances");
  if (component.scale) features.emplace_back("replicas");
  if (component.scale && component.scale->min_replicas) features.emplace_back("elastic");
  if (component.status) features.emplace_back("status");
  if (component.suspend) features.emplace_back("suspend");
  return Join(features, ", ");
}

void PrintOne(const Karta& karta, const Context& context) {
  Table head({});
  head.Add({{"Name:"}, {Safe(karta.name)}});
  head.Add({{"Kind:"}, {Safe(karta.kind().Describe())}});
  head.Add({{"Origin:"},
            {Cat(OriginName(karta.origin),
                 karta.source.empty() ? std::string() : Cat(" ", Safe(karta.source)))}});
  if (!karta.tested_with.empty()) {
    head.Add({{"Tested with:"}, {Safe(Join(karta.tested_with, ", "))}});
  }
  context.out->Write(head.Render(context.colour));
  Table components({"COMPONENT", "KIND", "OWNER", "ROLE", "WHAT IT SAYS"});
  for (const Component& component : karta.components) {
    components.Add(
        {{Safe(component.name)},
         {component.kind ? Safe(component.kind->kind) : "-"},
         {component.owner_ref ? Safe(*component.owner_ref) : "-"},
         {component.bears_pods()
              ? (component.has_instances() ? "(instance id)" : Safe(component.role_name()))
              : "-"},
         {FeaturesOf(component)}});
  }
  context.out->Write(Cat("\n", components.Render(context.colour)));
}

// A built-in definition as its file has it; JSON is made from that.
int PrintDocument(const definition::CatalogEntry& entry, Format format, const Context& context) {
  if (format == Format::kYaml) {
    context.out->Write(entry.text);
    return kOk;
  }
  Arena arena;
  Result<json::Value> value = yaml::Read(entry.text, arena);
  if (!value) return kFailed;
  context.out->Write(Cat(json::ToJson(*value, {.indent = 4}), '\n'));
  return kOk;
}

// One of the cluster as the cluster has it.
int PrintText(const std::string& text, Format format, const Context& context) {
  Arena arena;
  Result<json::Value> value = json::Read(text, arena);
  if (!value) return kFailed;
  std::string printed;
  if (format == Format::kYaml) {
    yaml::Write(*value, printed);
  } else {
    printed = Cat(json::ToJson(*value, {.indent = 4}), '\n');
  }
  context.out->Write(printed);
  return kOk;
}

std::string_view StateOf(const Listing& listing) {
  return listing.in_force ? "in-force" : "overridden";
}

json::Value ListingJson(const Listing& listing, const Karta& karta, Arena& arena) {
  json::ObjectBuilder object;
  object.Add("name", json::Value::String(listing.name));
  object.Add("group", json::Value::String(listing.kind.group));
  object.Add("version", json::Value::String(listing.kind.version));
  object.Add("kind", json::Value::String(listing.kind.kind));
  object.Add("origin", json::Value::String(OriginName(listing.origin)));
  object.Add("source", json::Value::String(listing.source));
  object.Add("inForce", json::Value::Bool(listing.in_force));
  object.Add("state", json::Value::String(StateOf(listing)));
  std::vector<json::Value> tested;
  for (const std::string& name : karta.tested_with) tested.push_back(json::Value::String(name));
  object.Add("testedWith", json::MakeArray(arena, tested));
  return object.Finish(arena);
}

json::Value UnusedJson(const UnusedDefinition& unused, Arena& arena) {
  json::ObjectBuilder object;
  object.Add("name", json::Value::String(unused.name));
  object.Add("group", json::Value::String(unused.kind.group));
  object.Add("version", json::Value::String(unused.kind.version));
  object.Add("kind", json::Value::String(unused.kind.kind));
  object.Add("origin", json::Value::String(OriginName(definition::Origin::kCluster)));
  object.Add("source", json::Value::String(""));
  object.Add("inForce", json::Value::Bool(false));
  object.Add("state", json::Value::String(unused.state()));
  std::vector<json::Value> errors;
  for (const std::string& error : unused.errors) errors.push_back(json::Value::String(error));
  object.Add("errors", json::MakeArray(arena, errors));
  object.Add("testedWith", json::MakeArray(arena, {}));
  return object.Finish(arena);
}

// One that is not used: why.
void PrintUnused(const UnusedDefinition& unused, const Context& context) {
  Table head({});
  head.Add({{"Name:"}, {Safe(unused.name)}});
  if (!unused.kind.kind.empty()) head.Add({{"Kind:"}, {Safe(unused.kind.Describe())}});
  head.Add({{"Origin:"},
            {Cat(OriginName(definition::Origin::kCluster), " (", unused.state(), ": not used)")}});
  context.out->Write(head.Render(context.colour));
  context.out->Write("\n");
  for (const std::string& error : unused.errors) {
    context.out->Write(Cat(Safe(error), '\n'));
  }
}

void PrintList(const definition::Registry& registry, const ClusterDefinitions& cluster,
               const DefinitionsOptions& options, const Context& context) {
  const Format format = options.format;
  const std::vector<Listing> listings = registry.List();
  if (format == Format::kName) {
    for (const Listing& listing : listings) context.out->Write(Cat(Safe(listing.name), '\n'));
    for (const UnusedDefinition& unused : cluster.unused) {
      context.out->Write(Cat(Safe(unused.name), '\n'));
    }
    return;
  }
  if (format == Format::kJson || format == Format::kYaml) {
    Arena arena;
    std::vector<json::Value> items;
    for (const Listing& listing : listings) {
      items.push_back(ListingJson(listing, registry.Opened(listing), arena));
    }
    for (const UnusedDefinition& unused : cluster.unused) {
      items.push_back(UnusedJson(unused, arena));
    }
    json::ObjectBuilder list;
    list.Add("apiVersion", json::Value::String("wmap/v1"));
    list.Add("kind", json::Value::String("DefinitionList"));
    list.Add("complete", json::Value::Bool(cluster.complete));
    list.Add("items", json::MakeArray(arena, items));
    std::vector<json::Value> diagnostics;
    for (const workload::Diagnostic& diagnostic : cluster.diagnostics) {
      json::ObjectBuilder object;
      object.Add("severity", json::Value::String(SeverityName(diagnostic.severity)));
      object.Add("code", json::Value::String(diagnostic.code));
      object.Add("message", json::Value::String(diagnostic.message));
      object.Add("source", json::Value::String(diagnostic.source));
      diagnostics.push_back(object.Finish(arena));
    }
    list.Add("diagnostics", json::MakeArray(arena, diagnostics));
    json::Value value = list.Finish(arena);
    std::string text;
    if (format == Format::kYaml) {
      yaml::Write(value, text);
    } else {
      text = Cat(json::ToJson(value, {.indent = 4}), '\n');
    }
    context.out->Write(text);
    return;
  }
  std::vector<std::string> headers = {"KIND",       "API VERSION", "ORIGIN",
                                      "DEFINITION", "SOURCE",      "TESTED WITH"};
  if (options.no_headers) headers.clear();
  Table table(headers);
  for (const Listing& listing : listings) {
    std::string origin(OriginName(listing.origin));
    if (!listing.in_force) origin += " (overridden)";
    table.Add({{Safe(listing.kind.kind)},
               {Safe(listing.kind.api_version())},
               {origin},
               {Safe(listing.name)},
               {Safe(listing.source)},
               {Safe(Join(registry.Opened(listing).tested_with, ", "))}});
  }
  for (const UnusedDefinition& unused : cluster.unused) {
    auto or_dash = [](const std::string& text) { return text.empty() ? "-" : Safe(text); };
    table.Add({{or_dash(unused.kind.kind)},
               {or_dash(unused.kind.kind.empty() ? "" : unused.kind.api_version())},
               {Cat(OriginName(definition::Origin::kCluster), " (", unused.state(), ')'),
                Colour::kYellow},
               {Safe(unused.name)},
               {""},
               {""}});
  }
  context.out->Write(table.Render(context.colour));
}

std::string Unknown(const std::string& name, const definition::Registry& registry) {
  std::string text = Cat("no definition and no kind is named ", Quote(name));
  if (std::string kinds = KindsOf(name, registry); !kinds.empty()) {
    return Cat(text, "; it is the API version of ", kinds);
  }
  std::vector<std::string> names;
  for (const Listing& listing : registry.List()) {
    names.push_back(ToLower(listing.kind.kind));
    names.push_back(listing.name);
  }
  std::string hint = DidYouMean(name, names);
  return Cat(text, hint, hint.empty() ? ";" : "", " `wmap definitions` lists them");
}

}  // namespace

int RunDefinitions(const DefinitionsOptions& options, const Context& context) {
  if (options.schema) {
    context.out->Write(schema::kDefinitionSchema);
    return kOk;
  }
  definition::Registry registry;
  InputOptions input = options.input;
  // Definitions may stand among the files, too.
  input.definitions.insert(input.definitions.end(), input.files.begin(), input.files.end());
  int exit_code = AddDefinitions(input, context, registry);
  ClusterDefinitions cluster;
  if (input.files.empty()) cluster = AddClusterDefinitions(input.cluster, context, registry);
  if (cluster.is_disputed && exit_code == kOk) exit_code = kFailed;
  if (options.name.empty()) {
    PrintList(registry, cluster, options, context);
    return exit_code;
  }
  auto unused = std::ranges::find(cluster.unused, options.name, &UnusedDefinition::name);
  if (unused != cluster.unused.end()) {
    if (options.format == Format::kName) {
      context.out->Write(Cat(Safe(unused->name), '\n'));
    } else if (options.format == Format::kTable) {
      PrintUnused(*unused, context);
    } else {
      int printed = PrintText(cluster.texts[unused->name], options.format, context);
      if (printed != kOk) return printed;
    }
    return exit_code;
  }
  definition::Match match = registry.FindByName(options.name);
  if (!match) {
    // By the cluster's names as well, as `wmap get` takes them; what it does not have, definitions
    // may still cover.
    Result<definition::TypeMatch> type = ResolveType(options.name, registry, cluster.served.get());
    if (!type && type.error().code() != Code::kInvalid) type = registry.Resolve(options.name);
    if (type) match = registry.Find(type->group, type->version, type->kind);
    if (!type && type.error().code() == Code::kInvalid) {
      context.err->Write(Cat("error: ", Safe(type.error().message()), '\n'));
      return kUsage;
    }
    if (!match) {
      context.err->Write(Cat("error: ", Safe(Unknown(options.name, registry)), '\n'));
      return exit_code == kOk ? kNotFound : exit_code;
    }
  }
  if (options.format == Format::kName) {
    context.out->Write(Cat(Safe(match.karta->name), '\n'));
    return exit_code;
  }
  if (options.format == Format::kYaml || options.format == Format::kJson) {
    if (match.karta->origin == definition::Origin::kCluster) {
      int printed = PrintText(cluster.texts[match.karta->name], options.format, context);
      return printed == kOk ? exit_code : printed;
    }
    const definition::CatalogEntry* entry = definition::FindInCatalog(match.karta->name);
    if (match.karta->origin != definition::Origin::kBuiltin || entry == nullptr) {
      context.err->Write(Cat("error: definitions of files are not printed; this one stands in ",
                             Safe(match.karta->source), '\n'));
      return kUsage;
    }
    int printed = PrintDocument(*entry, options.format, context);
    return printed == kOk ? exit_code : printed;
  }
  PrintOne(*match.karta, context);
  return exit_code;
}

}  // namespace wmap::cli
