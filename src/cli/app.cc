// The only file that includes CLI11: parsing, help and the description for completion.
#include "cli/app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <utility>

#include "base/text.h"
#include "cli/choice.h"
#include "cli/completion.h"
#include "cli/context.h"
#include "cli/select.h"

namespace wmap::cli {
namespace {

struct NamedFormat {
  std::string_view name;
  Format format;
};
constexpr std::array kFormats = {
    NamedFormat{"wide", Format::kWide},       NamedFormat{"json", Format::kJson},
    NamedFormat{"jsonl", Format::kJsonLines}, NamedFormat{"yaml", Format::kYaml},
    NamedFormat{"name", Format::kName},       NamedFormat{"sarif", Format::kSarif},
    NamedFormat{"github", Format::kGithub},
};

// The command of completion scripts, which help does not show.
constexpr std::string_view kComplete = "__complete";

using Choices = std::vector<std::string_view>;

std::string Joined(const Choices& choices) {
  return Join(std::vector<std::string>(choices.begin(), choices.end()), ", ");
}

constexpr std::string_view kColumns =
    "PHASE may carry a mark: Deleting, a deletion is pending; Stale, the status is older than the\n"
    "object. --phase takes phases and marks. READY is pods that are ready / pods that are wanted "
    "now\n"
    "(none while suspended); GPUS is what the workload asks for, whether it has them or not.\n\n";

constexpr std::string_view kCases =
    "Cases stand in files named *.cases.yaml, beside the definitions that they test. Each has a "
    "name,\nobjects (object, objects or files) and what is expected to be read of them "
    "(docs/testing.md).\n\n";

constexpr std::string_view kReleases =
    "A folder below --crd is a release of an operator, named by its path: of crds/kuberay/v1.7.0\n"
    "--crd crds makes kuberay/v1.7.0. Fields that came or went between releases are told of as "
    "such.\n\n";

constexpr std::string_view kDrafts =
    "The definition is printed. What it guesses is marked so, with the grounds; read it before you "
    "use\nit (docs/draft.md).\n\n";

constexpr std::string_view kDiffs =
    "Compared is what the definitions say, and what is read of objects through them: phases, "
    "counts,\n"
    "roles, pods, groups. Comments, order and the form of expressions are no difference. The exit "
    "code is\n1 when something changes.\n\n";

constexpr std::string_view kFooter =
    "Exit codes: 0 fine, 1 failed or a negative answer, 2 wrong usage or an input that could not "
    "be\n"
    "read, 3 not found, 4 no definition covers the kind.";

struct TimeUnit {
  std::string_view name;
  double milliseconds;
};
// The longer name first where one begins with another.
constexpr std::array kTimeUnits = {
    TimeUnit{"ms", 1},         TimeUnit{"ns", 1e-6}, TimeUnit{"us", 1e-3},
    TimeUnit{"\u00B5s", 1e-3}, TimeUnit{"s", 1'000}, TimeUnit{"m", 60'000},
    TimeUnit{"h", 3'600'000},
};

// As kubectl reads it: seconds, or "500ms", "1m30s", "1.5h". At least a millisecond, when it is not
// 0.
std::optional<std::int64_t> ParseMilliseconds(std::string_view text) {
  double all = 0;
  bool is_first = true;
  while (!text.empty()) {
    double value = 0;
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc() || !(value >= 0)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    auto unit = std::ranges::find_if(
        kTimeUnits, [&](const TimeUnit& one) { return text.starts_with(one.name); });
    bool is_plain = text.empty() && is_first;
    if (!is_plain && unit == kTimeUnits.end()) return std::nullopt;
    all += value * (is_plain ? 1'000 : unit->milliseconds);
    text.remove_prefix(is_plain ? 0 : unit->name.size());
    is_first = false;
  }
  if (is_first || all > 1e12) return std::nullopt;
  auto milliseconds = static_cast<std::int64_t>(all);
  return all > 0 ? std::max<std::int64_t>(milliseconds, 1) : milliseconds;
}

// Builds the CLI11 application and holds what it parses into.
class App {
 public:
  explicit App(std::string program)
      : app_("Show and check any kind of Kubernetes AI workload.", program),
        program_(std::move(program)) {
    app_.require_subcommand(0, 1);
    app_.footer(std::string(kFooter));
    app_.set_help_flag("-h,--help", "Print help");
    app_.get_formatter()->column_width(34);
    // As kubectl: of an option that takes one value, the last one counts.
    app_.option_defaults()->take_last();
    app_.set_version_flag("--version", std::string("wmap " WMAP_VERSION));
    AddGet();
    AddTree();
    AddDescribe();
    AddExplain();
    AddAudit();
    AddDefinitions();
    AddValidate();
    AddCheck();
    AddDraft();
    AddDiff();
    AddTest();
    AddEval();
    AddCompletion();
    AddVersion();
    AddHelp();
  }

  std::expected<Command, UsageError> Parse(std::vector<std::string> arguments) {
    if (!arguments.empty() && arguments.front() == kComplete) {
      arguments.erase(arguments.begin());
      return Complete(std::move(arguments));
    }
    PutCommandFirst(arguments);
    SpellOut(arguments);
    for (const std::string& word : arguments) {
      if (word == "--") break;
      // CLI11 would take the next word instead.
      if (word.starts_with("--") && word.find('=') == word.size() - 1) {
        return std::unexpected(UsageError{Cat("error: ", word, " lacks its value\n"), kUsage});
      }
    }
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
    if (chosen == help_) return HelpOnTopic();
    return commands_.at(chosen)();
  }

 private:
  // An option or argument with a fixed set of values, in any case; `take` gets it in lower case.
  CLI::Option* AddChoice(CLI::App* command, const char* names, const std::string& what,
                         Choices choices, const std::function<void(const std::string&)>& take,
                         const std::string& help) {
    CLI::Option* option = command->add_option_function<std::string>(
        names,
        [what, choices, take](const std::string& given) {
          std::string value = ToLower(given);
          if (std::ranges::find(choices, value) == choices.end()) {
            throw CLI::ValidationError(UnknownChoice(what, given, choices));
          }
          take(value);
        },
        help);
    choices_.emplace(option, std::move(choices));
    return option;
  }

  void AddFormat(CLI::App* command, Format& format, const Choices& names) {
    auto take = [&format](const std::string& name) {
      format = std::ranges::find(kFormats, name, &NamedFormat::name)->format;
    };
    AddChoice(command, "-o,--output", "output format", names, take,
              Cat("Output format: ", Joined(names)))
        ->type_name("FORMAT");
  }

  // Of the commands that judge definitions.
  template <typename Options>
  void AddFindingFlags(CLI::App* command, Options& options) {
    command->add_flag("--show-silenced", options.show_silenced,
                      "Also show the findings that definitions silence, with their reasons");
    AddChoice(
        command, "--fail-on", "severity", {"error", "warning"},
        [&options](const std::string& name) {
          options.fail_on = name == "error" ? FailOn::kError : FailOn::kWarning;
        },
        "Exit with 1 when there is one: error (the default), warning")
        ->type_name("SEVERITY");
    AddFormat(command, options.format, {"json", "sarif", "github"});
  }

  // An option that may be repeated and takes one value each time: the words behind that are
  // TARGETs.
  static void AddRepeated(CLI::App* command, const char* names, std::vector<std::string>& values,
                          const char* type, const char* help) {
    command->add_option(names, values, help)
        ->type_name(type)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
  }

  // How many clusters a command looks at.
  enum class Clusters : bool { kOne, kSeveral };

  static void AddInput(CLI::App* command, InputOptions& input, Clusters clusters) {
    AddRepeated(command, "-f,--filename", input.files, "FILE|DIR|-",
                "Files, folders or - (standard input) with objects, instead of a cluster; may be "
                "repeated");
    AddCluster(command, input.cluster, clusters);
    AddDefinitionFlags(command, input);
    AddRepeated(command, "--accelerator", input.accelerators, "RESOURCE=TYPE",
                "Count a resource as accelerators of a type, e.g. example.com/npu=npu");
  }

  // As kubectl's.
  static void AddCluster(CLI::App* command, ClusterOptions& cluster, Clusters clusters) {
    const std::string group = "Cluster";
    auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
      command->add_option(name, value, help)->type_name(type)->group(group);
    };
    kube::Overrides& overrides = cluster.overrides;
    add("--kubeconfig", cluster.kubeconfig, "FILE", "The kubeconfig, instead of $KUBECONFIG");
    bool several = clusters == Clusters::kSeveral;
    command
        ->add_option_function<std::vector<std::string>>(
            "--context",
            [&cluster, several](const std::vector<std::string>& given) {
              TakeContexts(given, several, cluster);
            },
            several ? "Context of the kubeconfig; several, separated by commas or each with "
                      "--context, are shown side by side"
                    : "Context of the kubeconfig")
        ->type_name(several ? "NAME[,NAME...]" : "NAME")
        ->group(group)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    add("--cluster", overrides.cluster, "NAME", "Cluster of the kubeconfig");
    add("--user", overrides.user, "NAME", "User of the kubeconfig");
    add("-s,--server", overrides.server, "URL", "Address of the API server");
    add("--token", overrides.token, "TOKEN", "Bearer token");
    add("--as", overrides.impersonation.user, "USER", "User to act as");
    add("--as-uid", overrides.impersonation.uid, "UID", "UID to act as");
    command
        ->add_option("--as-group", overrides.impersonation.groups,
                     "Group to act as; may be repeated")
        ->type_name("GROUP")
        ->group(group)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    add("--certificate-authority", overrides.authority_file, "FILE",
        "Certificate of the authority that the server is checked with");
    add("--client-certificate", overrides.certificate_file, "FILE", "Client certificate");
    add("--client-key", overrides.key_file, "FILE", "Key of the client certificate");
    add("--tls-server-name", overrides.tls_server_name, "NAME",
        "Name that the server's certificate must have");
    command
        ->add_flag("--insecure-skip-tls-verify", overrides.insecure,
                   "Do not check the server's certificate: anybody may answer")
        ->group(group);
    AddDuration(command, "--request-timeout", cluster.request_timeout_ms,
                "How long a request may take, as 30, 500ms or 1m30s; 0 = without bound");
    command
        ->add_option_function<std::string>(
            "--chunk-size",
            [&cluster](const std::string& given) {
              const char* end = given.data() + given.size();
              auto [at, error] = std::from_chars(given.data(), end, cluster.page_size);
              if (error != std::errc() || at != end || cluster.page_size < 0) {
                throw CLI::ValidationError(Cat("--chunk-size ", Quote(given),
                                               " is no number of objects; give 0 for all at once, "
                                               "or more"));
              }
            },
            "Objects that are asked for at a time; 0 = all at once")
        ->type_name("N")
        ->group(group);
  }

  // One is an override like others; several are told apart.
  static void TakeContexts(const std::vector<std::string>& given, bool several,
                           ClusterOptions& cluster) {
    std::vector<std::string>& names = cluster.contexts;
    names.clear();
    for (std::string_view list : given) {
      while (!list.empty()) {
        std::size_t comma = std::min(list.find(','), list.size());
        std::string name(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
        if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
    if (names.empty()) throw CLI::ValidationError("--context needs a name");
    if (names.size() > 1 && !several) {
      throw CLI::ValidationError("this command looks at one cluster; give --context once");
    }
    if (names.size() > 1) return;
    cluster.overrides.context = names.front();
    names.clear();
  }

  static void AddWatch(CLI::App* command, bool& watch) {
    command->add_flag("-w,--watch", watch, "Go on, and show what changes in the cluster");
  }

  static void AddDuration(CLI::App* command, const char* name, std::int64_t& milliseconds,
                          const char* help) {
    command
        ->add_option_function<std::string>(
            name,
            [name, &milliseconds](const std::string& given) {
              std::optional<std::int64_t> parsed = ParseMilliseconds(given);
              if (!parsed) {
                throw CLI::ValidationError(
                    Cat(name, " ", Quote(given), " is no time; write it as 30, 500ms or 1m30s"));
              }
              milliseconds = *parsed;
            },
            help)
        ->type_name("TIME")
        ->group("Cluster");
  }

  static void AddDefinitionFlags(CLI::App* command, InputOptions& input) {
    AddRepeated(command, "--definitions", input.definitions, "FILE|DIR",
                "Files or folders with definitions; may be repeated");
    command->add_flag("--lenient", input.lenient,
                      "Take definitions with unknown fields, as other readers do");
  }

  static void AddSelect(CLI::App* command, SelectOptions& select) {
    command->add_option("TARGET", select.targets, "TYPE, TYPE NAME... or TYPE/NAME...")->take_all();
    command->add_option("-n,--namespace", select.name_space, "Only this namespace")
        ->type_name("NAME");
    command->add_flag("-A,--all-namespaces", select.all_namespaces, "All namespaces");
    command->add_option("-l,--selector", select.labels, "Only workloads with these labels")
        ->type_name("SELECTOR");
    command
        ->add_option("--field-selector", select.fields,
                     "Only workloads with these fields: metadata.name, metadata.namespace")
        ->type_name("SELECTOR");
    AddRepeated(command, "--phase", select.phases, "PHASE[,PHASE...]",
                "Only workloads in these phases; may be repeated");
  }

  CLI::App* Add(const char* name, const char* description, std::function<Command()> result) {
    CLI::App* command = app_.add_subcommand(name, description);
    commands_.emplace(command, std::move(result));
    return command;
  }

  void AddGet() {
    CLI::App* command =
        Add("get", "List workloads, one row each", [this]() -> Command { return get_; });
    command->footer(Cat(kColumns, kFooter));
    AddSelect(command, get_.select);
    AddInput(command, get_.input, Clusters::kSeveral);
    AddFormat(command, get_.format, {"wide", "json", "jsonl", "yaml", "name"});
    Choices columns = SortColumns();
    AddChoice(
        command, "--sort-by", "column", columns,
        [this](const std::string& column) { get_.sort_by = column; },
        Cat("Column: ", Joined(columns)))
        ->type_name("COLUMN");
    command->add_flag("--no-headers", get_.no_headers, "Leave the header line out");
    AddWatch(command, get_.watch);
  }

  void AddTree() {
    CLI::App* command = Add("tree", "Show the structure: roles, instances, pods and totals",
                            [this]() -> Command { return tree_; });
    AddSelect(command, tree_.select);
    AddInput(command, tree_.input, Clusters::kSeveral);
    AddFormat(command, tree_.format, {"json", "jsonl", "yaml"});
    command->add_flag("--no-pods", tree_.no_pods, "Leave the pods out");
    AddWatch(command, tree_.watch);
  }

  void AddDescribe() {
    CLI::App* command =
        Add("describe", "Show everything about workloads: tree, resources, conditions, events",
            [this]() -> Command { return describe_; });
    AddSelect(command, describe_.select);
    AddInput(command, describe_.input, Clusters::kSeveral);
  }

  void AddExplain() {
    CLI::App* command = Add("explain", "Say why a workload is in its phase, and what it waits for",
                            [this]() -> Command { return explain_; });
    AddSelect(command, explain_.select);
    AddInput(command, explain_.input, Clusters::kOne);
    AddFormat(command, explain_.format, {"json", "yaml"});
    command->add_flag("--definition", explain_.definition,
                      "For the author of a definition: each field, and what it yields");
  }

  void AddAudit() {
    CLI::App* command =
        Add("audit", "Compare what definitions say with pods, what makes them, and nodes",
            [this]() -> Command { return audit_; });
    AddSelect(command, audit_.select);
    AddInput(command, audit_.input, Clusters::kOne);
    AddFormat(command, audit_.format, {"json", "yaml"});
  }

  void AddDefinitions() {
    CLI::App* command =
        Add("definitions", "List the kinds that are covered, or show one definition",
            [this]() -> Command { return definitions_; });
    command->add_option("NAME", definitions_.name, "Name of a definition, or a kind");
    AddRepeated(command, "-f,--filename", definitions_.input.files, "FILE|DIR",
                "Files or folders with definitions, instead of a cluster; may be repeated");
    AddCluster(command, definitions_.input.cluster, Clusters::kOne);
    AddDefinitionFlags(command, definitions_.input);
    AddFormat(command, definitions_.format, {"json", "yaml", "name"});
    command->add_flag("--no-headers", definitions_.no_headers, "Leave the header line out");
    command->add_flag("--schema", definitions_.schema,
                      "Print the JSON Schema of definitions, for editors");
  }

  void AddValidate() {
    CLI::App* command = Add("validate", "Check definitions by every rule of the format",
                            [this]() -> Command { return validate_; });
    command->add_option("FILE|DIR", validate_.files, "Definitions, folders with such, or -")
        ->required()
        ->take_all();
    command->add_flag("--lenient", validate_.lenient,
                      "Warn of unknown fields instead of refusing them");
    AddFindingFlags(command, validate_);
  }

  void AddCheck() {
    CLI::App* command =
        Add("check", "Check definitions against the schemas of the kinds that they are about",
            [this]() -> Command { return check_; });
    command->footer(Cat(kReleases, kFooter));
    command->add_option("FILE|DIR", check_.files,
                        "Definitions, folders with such, or -; without any, the built-in ones");
    AddRepeated(command, "--crd", check_.crds, "FILE|DIR",
                "Custom resource definitions, or folders with those of releases, instead of what "
                "the cluster has; may be repeated");
    command
        ->add_option("--drift", check_.drift,
                     "What changes between two releases, each a file or folder with custom "
                     "resource definitions; OLD may be 'cluster'")
        ->option_text("OLD NEW")
        ->expected(2)
        ->take_all();
    AddRepeated(command, "-f,--filename", check_.input.files, "FILE|DIR|-",
                "With --drift: objects that would be read differently, instead of the cluster's");
    AddCluster(command, check_.input.cluster, Clusters::kOne);
    command->add_flag("--lenient", check_.lenient,
                      "Take definitions with unknown fields, as other readers do");
    AddFindingFlags(command, check_);
  }

  void AddDraft() {
    CLI::App* command =
        Add("draft", "Draft a definition for a kind that has none, from its schema and samples",
            [this]() -> Command { return draft_; });
    command->footer(Cat(kDrafts, kFooter));
    AddRepeated(command, "--crd", draft_.crds, "FILE|DIR",
                "Files or folders with the kind's custom resource definition; may be repeated");
    AddRepeated(command, "--sample", draft_.samples, "FILE|DIR",
                "Files or folders with objects of the kind, at best with their pods and what is "
                "between; may be repeated");
    command
        ->add_option("--kind", draft_.kind,
                     "The kind, where there are several: Kind, or Kind.group")
        ->type_name("KIND");
    command
        ->add_option("--version", draft_.version, "The version of the kind, instead of its newest")
        ->type_name("VERSION");
    command
        ->add_option("--write", draft_.folder,
                     "Write the definition and a first test case to files in this folder")
        ->type_name("DIR");
  }

  void AddDiff() {
    CLI::App* command = Add("diff", "Show what changes between two definitions",
                            [this]() -> Command { return diff_; });
    command->footer(Cat(kDiffs, kFooter));
    command
        ->add_option("OLD", diff_.before,
                     "A file or folder, - or the name of a built-in definition")
        ->required();
    command->add_option("NEW", diff_.after, "The same")->required();
    AddRepeated(
        command, "-f,--filename", diff_.files, "FILE|DIR|-",
        "Files, folders or - with objects to read through both, instead of the cases beside "
        "the definitions; may be repeated");
    AddRepeated(command, "--definitions", diff_.definitions, "FILE|DIR",
                "Files or folders with definitions of other kinds; may be repeated");
    command->add_flag("--lenient", diff_.lenient,
                      "Take definitions with unknown fields, as other readers do");
    AddFormat(command, diff_.format, {"json"});
  }

  void AddTest() {
    CLI::App* command = Add("test", "Run the cases that stand beside definitions",
                            [this]() -> Command { return test_; });
    command->footer(Cat(kCases, kFooter));
    command->add_option("FILE|DIR", test_.files, "Case files, or folders with such")->take_all();
    AddRepeated(command, "--definitions", test_.definitions, "FILE|DIR",
                "Files or folders with definitions; may be repeated");
    command->add_flag("--lenient", test_.lenient,
                      "Take definitions with unknown fields, as other readers do");
    AddChoice(
        command, "-o,--output", "output format", {"json", "junit"},
        [this](const std::string& name) {
          test_.format = name == "json" ? TestOptions::Format::kJson : TestOptions::Format::kJunit;
        },
        "Output format: json, junit")
        ->type_name("FORMAT");
    command->add_flag("-v,--verbose", test_.verbose, "List the cases that passed, too");
    command->add_flag("--record", test_.record,
                      "Print a case of what -f holds, with what is read of it now");
    AddRepeated(command, "-f,--filename", test_.inputs, "FILE|DIR|-",
                "With --record: files, folders or - with objects; may be repeated");
    command->add_option("--name", test_.name, "With --record: the name of the case")
        ->type_name("NAME");
  }

  void AddEval() {
    CLI::App* command = Add("eval", "Evaluate an expression on JSON or YAML",
                            [this]() -> Command { return eval_; });
    command->add_option("EXPRESSION", eval_.expression, "Expression in the jq language")
        ->required();
    AddRepeated(command, "-f,--filename", eval_.files, "FILE|DIR|-",
                "Files, folders or - (default: standard input); may be repeated");
    command->add_flag("-r,--raw", eval_.raw, "Print strings without quotes");
    command->add_flag(
        "--trace", eval_.trace,
        "Tell on standard error what each part of the expression gave, and where each "
        "result comes from");
  }

  void AddCompletion() {
    completion_ = app_.add_subcommand("completion", "Print a completion script for a shell");
    AddChoice(
        completion_, "SHELL", "shell", {"bash", "zsh", "fish"},
        [this](const std::string& shell) { shell_ = shell; }, "bash, zsh or fish")
        ->required();
  }

  void AddVersion() {
    CLI::App* command =
        Add("version", "Print the version", [this]() -> Command { return version_; });
    AddFormat(command, version_.format, {"json"});
  }

  void AddHelp() {
    help_ = app_.add_subcommand("help", "Print help, on a command when one is named");
    help_->add_option("COMMAND", topic_, "Name of a command");
  }

  // Not App::help(), which prints the help of the command that was chosen.
  std::string ProgramHelp() const {
    return app_.get_formatter()->make_help(&app_, program_, CLI::AppFormatMode::Normal);
  }

  // Null when no command is named so.
  const CLI::App* FindCommand(std::string_view name) const {
    for (const CLI::App* command : app_.get_subcommands({})) {
      if (command->get_name() == name) return command;
    }
    return nullptr;
  }

  static const CLI::Option* FindShort(const CLI::App& command, char letter) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_snames()) {
        if (name.size() == 1 && name.front() == letter) return option;
      }
    }
    return nullptr;
  }
  static bool TakesValue(const CLI::Option& option) { return option.get_expected_min() > 0; }

  // Whether the next word is the value of `word`, an option of `command`.
  static bool LacksValue(const CLI::App& command, std::string_view word) {
    if (word.starts_with("--")) {
      std::string_view name = word.substr(2);
      return std::ranges::any_of(command.get_options(), [&](const CLI::Option* option) {
        return TakesValue(*option) &&
               std::ranges::find(option->get_lnames(), name) != option->get_lnames().end();
      });
    }
    if (!word.starts_with('-')) return false;
    for (std::size_t i = 1; i < word.size(); ++i) {
      const CLI::Option* option = FindShort(command, word[i]);
      if (option == nullptr) return false;
      if (TakesValue(*option)) return i + 1 == word.size();
    }
    return false;
  }

  // Options may stand before the command, as with kubectl. Of help and version there is one of the
  // program's own.
  void PutCommandFirst(std::vector<std::string>& words) const {
    const std::vector<const CLI::App*> commands = app_.get_subcommands({});
    auto command = words.begin();
    while (command != words.end() && command->starts_with('-')) {
      bool is_own = *command == "-h" || *command == "--help" || *command == "--version";
      if (is_own || *command == "--" || *command == "-") return;
      bool lacks_value = std::ranges::any_of(
          commands, [&](const CLI::App* one) { return LacksValue(*one, *command); });
      if (lacks_value && ++command == words.end()) return;
      ++command;
    }
    if (command == words.end() || FindCommand(*command) == nullptr) return;
    std::rotate(words.begin(), command, command + 1);
  }

  // "-n=a" means "a", as with kubectl, and "-A=false" is an answer: the short names with "=" are
  // written as the long ones, which are read so.
  void SpellOut(std::vector<std::string>& words) const {
    const CLI::App* command = words.empty() ? nullptr : FindCommand(words.front());
    if (command == nullptr) return;
    for (std::size_t at = 1; at < words.size() && words[at] != "--"; ++at) {
      const std::string word = words[at];
      if (!word.starts_with('-') || word.starts_with("--")) continue;
      for (std::size_t i = 1; i + 1 < word.size(); ++i) {
        const CLI::Option* option = FindShort(*command, word[i]);
        if (option == nullptr || option->get_lnames().empty()) break;
        if (word[i + 1] == '=') {
          words[at] = Cat("--", option->get_lnames().front(), word.substr(i + 1));
          // The flags before it.
          if (i > 1)
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), word.substr(0, i));
          break;
        }
        if (TakesValue(*option)) break;
      }
    }
  }

  // The help of the command that was asked about, or of the program.
  std::string HelpText() {
    for (CLI::App* command : app_.get_subcommands()) return command->help(program_);
    return ProgramHelp();
  }

  std::expected<Command, UsageError> HelpOnTopic() {
    if (topic_.empty()) return PrintOptions{ProgramHelp()};
    for (CLI::App* command : app_.get_subcommands({})) {
      if (command->get_name() == topic_) return PrintOptions{command->help(program_)};
    }
    return std::unexpected(UsageError{Cat("error: ", NoCommand(topic_), '\n'), kUsage});
  }

  std::string NoCommand(const std::string& word) {
    return Cat(Quote(word), " is no command", DidYouMean(word, CommandNames()));
  }

  std::string Complaint(const CLI::ParseError& error) {
    CLI::App* chosen = app_.get_subcommands().empty() ? &app_ : app_.get_subcommands().front();
    std::string fault = LeftOver(app_);
    if (!fault.empty()) chosen = &app_;
    if (fault.empty()) fault = LeftOver(*chosen);
    if (fault.empty()) fault = error.what();
    // "--namespace: 1 required NAME missing".
    if (error.get_name() == "ArgumentMismatch") {
      fault = Cat(fault.substr(0, fault.find(':')), " needs a value");
    }
    return Cat("error: ", fault, "\nSee '", chosen == &app_ ? std::string() : Cat(program_, ' '),
               chosen->get_name(), " --help'.\n");
  }

  // What is wrong with the words that `app` has no place for; "" when there are none.
  std::string LeftOver(const CLI::App& app) {
    const std::vector<std::string> words = app.remaining();
    if (words.empty()) return {};
    auto is_option = [](const std::string& word) { return word.starts_with('-'); };
    if (auto option = std::ranges::find_if(words, is_option); option != words.end()) {
      std::string name = option->substr(0, option->find('='));
      return Cat("unknown option ", Quote(name), DidYouMean(name, LongOptions(app)));
    }
    if (&app != &app_) return Cat("unexpected argument ", Quote(words.front()));
    return NoCommand(words.front());
  }

  std::vector<std::string> LongOptions(const CLI::App& app) const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back(Cat("--", name));
    }
    return names;
  }

  std::vector<std::string> CommandNames() {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    return names;
  }

  CompleteOptions Complete(std::vector<std::string> words) {
    CompleteOptions complete;
    for (const CLI::App* command : app_.get_subcommands({})) {
      complete.commands.push_back(Describe(*command));
    }
    // Where a shell splits "--name=value" into three.
    if (!words.empty() && words.back() == "=") words.back() = "";
    std::erase(words, "=");
    if (words.empty()) words.emplace_back();
    std::string current = std::move(words.back());
    words.pop_back();
    PutCommandFirst(words);
    std::vector<std::string> before = words;
    words.push_back(std::move(current));
    complete.words = std::move(words);
    // Options that stand before a command that is not written yet are read as those of this one.
    if (!before.empty() && before.front().starts_with('-')) before.insert(before.begin(), "get");
    // A flag at the end may still lack its value.
    const CLI::App* command = before.empty() ? nullptr : FindCommand(before.front());
    if (command != nullptr && LacksValue(*command, before.back())) before.pop_back();
    std::expected<Command, UsageError> parsed = App(program_).Parse(std::move(before));
    if (!parsed) return complete;
    std::visit(
        [&](const auto& options) {
          if constexpr (requires { options.input.cluster; }) complete.input = options.input;
          if constexpr (requires { options.select.targets; }) complete.select = options.select;
        },
        *parsed);
    return complete;
  }

  std::expected<Command, UsageError> Completion() {
    std::optional<std::string> script = CompletionScript(shell_);
    if (!script) {
      return std::unexpected(UsageError{Cat("error: no completion for ", shell_, '\n'), kUsage});
    }
    return PrintOptions{*std::move(script)};
  }

  CommandDescription Describe(const CLI::App& command) {
    CommandDescription description;
    description.name = command.get_name();
    description.help = command.get_description();
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_positional()) {
        description.takes_files |= option->get_name() == "FILE|DIR" || option->get_name() == "OLD";
        description.takes_targets |= option->get_name() == "TARGET" || option->get_name() == "NAME";
        if (option->get_name() == "COMMAND") description.words = CommandNames();
        auto choices = choices_.find(option);
        if (choices != choices_.end()) {
          description.words.assign(choices->second.begin(), choices->second.end());
        }
        continue;
      }
      FlagDescription flag;
      flag.name = Cat("--", option->get_lnames().front());
      if (!option->get_snames().empty()) flag.short_name = Cat('-', option->get_snames().front());
      flag.help = option->get_description();
      flag.takes_value = option->get_expected_min() > 0;
      flag.takes_file = option->get_type_name().find("FILE") != std::string::npos;
      auto choices = choices_.find(option);
      if (choices != choices_.end()) {
        flag.values.assign(choices->second.begin(), choices->second.end());
      }
      description.flags.push_back(std::move(flag));
    }
    return description;
  }

  CLI::App app_;
  std::string program_;
  std::map<CLI::App*, std::function<Command()>> commands_;
  std::map<const CLI::Option*, Choices> choices_;
  CLI::App* completion_ = nullptr;
  std::string shell_;
  CLI::App* help_ = nullptr;
  std::string topic_;
  GetOptions get_;
  TreeOptions tree_;
  DescribeOptions describe_;
  ExplainOptions explain_;
  AuditOptions audit_;
  DefinitionsOptions definitions_;
  ValidateOptions validate_;
  CheckOptions check_;
  DraftOptions draft_;
  DiffOptions diff_;
  TestOptions test_;
  EvalOptions eval_;
  VersionOptions version_;
};

}  // namespace

std::expected<Command, UsageError> ParseCommandLine(std::vector<std::string> arguments,
                                                    const std::string& program) {
  return App(program).Parse(std::move(arguments));
}

}  // namespace wmap::cli
