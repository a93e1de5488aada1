// The only file that includes CLI11: parsing, help and the description for completion.
#include "cli/app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/text.h"
#include "cli/completion.h"
#include "cli/context.h"
#include "definition/catalog.h"

namespace wmap::cli {
namespace {

const std::map<std::string, Format>& Formats() {
  static const std::map<std::string, Format> kFormats = {
      {"wide", Format::kWide},       {"json", Format::kJson}, {"yaml", Format::kYaml},
      {"jsonl", Format::kJsonLines}, {"name", Format::kName}, {"table", Format::kTable}};
  return kFormats;
}

constexpr std::string_view kFooter =
    "Exit codes: 0 fine, 1 failed or a negative answer, 2 wrong usage or an input that could not "
    "be\n"
    "read, 3 not found, 4 no definition covers the kind.";

// Builds the CLI11 application and holds what it parses into.
class App {
 public:
  App() : app_("See, check and compare any kind of Kubernetes AI workload.", "wmap") {
    app_.require_subcommand(0, 1);
    app_.footer(std::string(kFooter));
    app_.set_help_flag("-h,--help", "Print help");
    app_.get_formatter()->column_width(34);
    app_.set_version_flag("--version", std::string("wmap " WMAP_VERSION));
    AddGet();
    AddTree();
    AddDescribe();
    AddDefinitions();
    AddValidate();
    AddEval();
    AddCompletion();
    AddVersion();
  }

  std::expected<Command, UsageError> Parse(std::vector<std::string> arguments) {
    // CLI11 takes them in reverse order.
    std::reverse(arguments.begin(), arguments.end());
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      return PrintOptions{HelpText()};
    } catch (const CLI::CallForAllHelp&) {
      return PrintOptions{app_.help("", CLI::AppFormatMode::All)};
    } catch (const CLI::CallForVersion&) {
      return PrintOptions{"wmap " WMAP_VERSION "\n"};
    } catch (const CLI::ParseError& error) {
      return std::unexpected(UsageError{Complaint(error), kUsage});
    }
    if (app_.get_subcommands().empty()) {
      return std::unexpected(UsageError{app_.help(), kUsage});
    }
    CLI::App* chosen = app_.get_subcommands().front();
    if (chosen == completion_) return Completion();
    return commands_.at(chosen)();
  }

 private:
  static void AddFormat(CLI::App* command, Format& format, const std::vector<std::string>& names) {
    std::map<std::string, Format> allowed;
    for (const std::string& name : names) allowed.emplace(name, Formats().at(name));
    command->add_option("-o,--output", format, Cat("Output format: ", Join(names, ", ")))
        ->transform(CLI::CheckedTransformer(allowed, CLI::ignore_case).description(""))
        ->type_name("FORMAT");
  }

  static void AddInput(CLI::App* command, InputOptions& input) {
    command
        ->add_option("-f,--filename", input.files,
                     "Files, folders or - (standard input) with objects; may be repeated")
        ->type_name("FILE|DIR|-")
        ->expected(1)
        ->take_all();
    AddDefinitionFlags(command, input);
    command
        ->add_option("--accelerator", input.accelerators,
                     "Count a resource as accelerators of a type, e.g. example.com/npu=npu")
        ->type_name("RESOURCE=TYPE")
        ->expected(1)
        ->take_all();
  }

  static void AddDefinitionFlags(CLI::App* command, InputOptions& input) {
    command
        ->add_option("--definitions", input.definitions,
                     "Files or folders with definitions; may be repeated")
        ->type_name("FILE|DIR")
        ->expected(1)
        ->take_all();
    command->add_flag("--lenient", input.lenient,
                      "Take definitions with unknown fields, as other readers do");
  }

  static void AddSelect(CLI::App* command, SelectOptions& select) {
    command->add_option("TARGET", select.targets, "TYPE, TYPE NAME... or TYPE/NAME...");
    command->add_option("-n,--namespace", select.name_space, "Only this namespace")
        ->type_name("NAME");
    command->add_flag("-A,--all-namespaces", select.all_namespaces, "All namespaces");
    command->add_option("-l,--selector", select.labels, "Only workloads with these labels")
        ->type_name("SELECTOR");
    command->add_option("--phase", select.phases, "Only workloads in these phases")
        ->type_name("PHASE")
        ->delimiter(',');
  }

  CLI::App* Add(const char* name, const char* description, std::function<Command()> result) {
    CLI::App* command = app_.add_subcommand(name, description);
    commands_.emplace(command, std::move(result));
    return command;
  }

  void AddGet() {
    CLI::App* command =
        Add("get", "List workloads, one row each", [this]() -> Command { return get_; });
    AddSelect(command, get_.select);
    AddInput(command, get_.input);
    AddFormat(command, get_.format, {"wide", "json", "jsonl", "yaml", "name"});
    command
        ->add_option("--sort-by", get_.sort_by,
                     "Column: name, kind, namespace, phase, pods, gpus or age")
        ->type_name("COLUMN");
    command->add_flag("--no-headers", get_.no_headers, "Leave the header line out");
  }

  void AddTree() {
    CLI::App* command = Add("tree", "Show the structure: roles, instances, pods and totals",
                            [this]() -> Command { return tree_; });
    AddSelect(command, tree_.select);
    AddInput(command, tree_.input);
    AddFormat(command, tree_.format, {"json", "jsonl", "yaml"});
    command->add_flag("--no-pods", tree_.no_pods, "Leave the pods out");
  }

  void AddDescribe() {
    CLI::App* command =
        Add("describe", "Show everything about workloads: tree, resources, conditions, events",
            [this]() -> Command { return describe_; });
    AddSelect(command, describe_.select);
    AddInput(command, describe_.input);
  }

  void AddDefinitions() {
    CLI::App* command =
        Add("definitions", "List the kinds that are covered, or show one definition",
            [this]() -> Command { return definitions_; });
    command->add_option("NAME", definitions_.name, "Name of a definition, or a kind");
    command
        ->add_option("-f,--filename", definitions_.input.files, "Files or folders with definitions")
        ->type_name("FILE|DIR")
        ->expected(1)
        ->take_all();
    AddDefinitionFlags(command, definitions_.input);
    AddFormat(command, definitions_.format, {"json", "yaml", "name"});
  }

  void AddValidate() {
    CLI::App* command = Add("validate", "Check definitions by every rule of the format",
                            [this]() -> Command { return validate_; });
    command->add_option("FILE", validate_.files, "Definitions; - is standard input")->required();
    command->add_flag("--lenient", validate_.lenient,
                      "Warn of unknown fields instead of refusing them");
  }

  void AddEval() {
    CLI::App* command = Add("eval", "Evaluate an expression on JSON or YAML",
                            [this]() -> Command { return eval_; });
    command->add_option("EXPRESSION", eval_.expression, "Expression in the jq language")
        ->required();
    command
        ->add_option("-f,--filename", eval_.files, "Files, folders or - (default: standard input)")
        ->type_name("FILE|DIR|-")
        ->expected(1)
        ->take_all();
    command->add_flag("-r,--raw", eval_.raw, "Print strings without quotes");
  }

  void AddCompletion() {
    completion_ = app_.add_subcommand("completion", "Print a completion script for a shell");
    completion_->add_option("SHELL", shell_, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
  }

  void AddVersion() {
    CLI::App* command =
        Add("version", "Print the version", [this]() -> Command { return version_; });
    AddFormat(command, version_.format, {"json"});
  }

  // The help of the command that was asked about, or of the program.
  std::string HelpText() {
    for (CLI::App* command : app_.get_subcommands()) return command->help();
    return app_.help();
  }

  std::string Complaint(const CLI::ParseError& error) {
    std::string text = Cat("error: ", error.what(), '\n');
    std::vector<std::string_view> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    const std::vector<std::string> rest = app_.remaining();
    if (app_.get_subcommands().empty() && !rest.empty()) {
      text = Cat("error: ", Quote(rest.front()), " is no command");
      std::string_view nearest = Nearest(rest.front(), names);
      if (!nearest.empty()) CatTo(text, "; did you mean ", Quote(nearest), "?");
      text += '\n';
    }
    std::string command = "wmap";
    for (const CLI::App* chosen : app_.get_subcommands()) CatTo(command, ' ', chosen->get_name());
    CatTo(text, "See '", command, " --help'.\n");
    return text;
  }

  std::expected<Command, UsageError> Completion() {
    std::vector<CommandDescription> descriptions;
    for (const CLI::App* command : app_.get_subcommands({})) {
      descriptions.push_back(Describe(*command));
    }
    std::optional<std::string> script = CompletionScript(shell_, descriptions);
    if (!script) {
      return std::unexpected(UsageError{Cat("error: no completion for ", shell_, '\n'), kUsage});
    }
    return PrintOptions{*std::move(script)};
  }

  CommandDescription Describe(const CLI::App& command) const {
    CommandDescription description;
    description.name = command.get_name();
    description.help = command.get_description();
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_positional()) {
        description.takes_files |= option->get_name() == "FILE";
        if (option->get_name() == "TARGET") AddTypes(description.words);
        if (option->get_name() == "SHELL") description.words = {"bash", "zsh", "fish"};
        continue;
      }
      FlagDescription flag;
      flag.name = Cat("--", option->get_lnames().front());
      if (!option->get_snames().empty()) flag.short_name = Cat('-', option->get_snames().front());
      flag.help = option->get_description();
      flag.takes_value = option->get_expected_min() > 0;
      flag.takes_file = option->get_type_name().find("FILE") != std::string::npos;
      if (flag.name == "--output") {
        std::size_t colon = flag.help.find(": ");
        for (const auto& [name, format] : Formats()) {
          if (flag.help.find(name, colon) != std::string::npos) flag.values.push_back(name);
        }
      }
      description.flags.push_back(std::move(flag));
    }
    return description;
  }

  static void AddTypes(std::vector<std::string>& words) {
    for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
      words.push_back(ToLower(entry.kind));
    }
  }

  CLI::App app_;
  std::map<CLI::App*, std::function<Command()>> commands_;
  CLI::App* completion_ = nullptr;
  std::string shell_;
  GetOptions get_;
  TreeOptions tree_;
  DescribeOptions describe_;
  DefinitionsOptions definitions_;
  ValidateOptions validate_;
  EvalOptions eval_;
  VersionOptions version_;
};

}  // namespace

std::expected<Command, UsageError> ParseCommandLine(std::vector<std::string> arguments) {
  return App().Parse(std::move(arguments));
}

}  // namespace wmap::cli
