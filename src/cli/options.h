// What the user asked for, parsed: one struct per command.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cli/completion.h"
#include "kube/kubeconfig.h"

namespace wmap::cli {

enum class Format { kTable, kWide, kJson, kJsonLines, kYaml, kName, kSarif, kGithub };

// What makes validate and check fail.
enum class FailOn { kError, kWarning };

// Which cluster, as whom, and how it is read.
struct ClusterOptions {
  std::string kubeconfig;               // --kubeconfig
  kube::Overrides overrides;            // --context, --server, --as and the like
  std::vector<std::string> contexts;    // --context, when there are several; they differ
  std::int64_t request_timeout_ms = 0;  // --request-timeout; 0 = none
  std::int64_t page_size = 500;         // --chunk-size
};

// Where objects and definitions come from.
struct InputOptions {
  std::vector<std::string> files;  // -f; none: the cluster
  ClusterOptions cluster;
  std::vector<std::string> definitions;   // --definitions
  std::vector<std::string> accelerators;  // --accelerator RESOURCE=TYPE
  bool lenient = false;                   // --lenient, for definitions
};

// Which workloads of the inputs.
struct SelectOptions {
  std::vector<std::string> targets;  // TYPE, TYPE NAME..., TYPE/NAME...
  std::string name_space;            // -n
  bool all_namespaces = false;       // -A
  std::string labels;                // -l
  std::string fields;                // --field-selector
  std::vector<std::string> phases;   // --phase
};

struct GetOptions {
  InputOptions input;
  SelectOptions select;
  Format format = Format::kTable;
  std::string sort_by;
  bool no_headers = false;
  bool watch = false;  // -w
};

struct TreeOptions {
  InputOptions input;
  SelectOptions select;
  Format format = Format::kTable;
  bool no_pods = false;
  bool watch = false;  // -w
};

struct DescribeOptions {
  InputOptions input;
  SelectOptions select;
};

struct ExplainOptions {
  InputOptions input;
  SelectOptions select;
  Format format = Format::kTable;
  bool definition = false;  // --definition
};

struct AuditOptions {
  InputOptions input;
  SelectOptions select;
  Format format = Format::kTable;
};

struct DefinitionsOptions {
  InputOptions input;
  std::string name;
  Format format = Format::kTable;
  bool no_headers = false;
  bool schema = false;  // nothing but the JSON Schema of definitions
};

struct ValidateOptions {
  std::vector<std::string> files;
  bool lenient = false;
  bool show_silenced = false;
  FailOn fail_on = FailOn::kError;
  Format format = Format::kTable;
};

struct CheckOptions {
  std::vector<std::string> files;  // definitions; none: the built-in ones
  std::vector<std::string> crds;   // --crd
  std::vector<std::string> drift;  // --drift OLD NEW
  InputOptions input;              // objects that drift is looked at on, and the cluster
  bool lenient = false;
  bool show_silenced = false;
  FailOn fail_on = FailOn::kError;
  Format format = Format::kTable;
};

struct DraftOptions {
  std::vector<std::string> crds;     // --crd
  std::vector<std::string> samples;  // --sample
  std::string kind;                  // --kind
  std::string version;               // --version
  std::string folder;                // --write; "" = the definition is printed
};

struct DiffOptions {
  std::string before;                    // a file, - or the name of a built-in definition
  std::string after;                     // as before
  std::vector<std::string> files;        // -f; none: the cases beside the definitions
  std::vector<std::string> definitions;  // --definitions, of other kinds
  bool lenient = false;
  Format format = Format::kTable;
};

struct TestOptions {
  enum class Format { kTable, kJson, kJunit };

  std::vector<std::string> files;        // case files, and folders with such
  std::vector<std::string> definitions;  // --definitions
  bool lenient = false;                  // --lenient, for definitions
  Format format = Format::kTable;
  bool verbose = false;             // --verbose: also the cases that passed
  bool record = false;              // --record
  std::vector<std::string> inputs;  // -f, of --record
  std::string name;                 // --name, of the recorded case
};

struct EvalOptions {
  std::string expression;
  std::vector<std::string> files;
  bool raw = false;
  bool trace = false;
};

struct VersionOptions {
  Format format = Format::kTable;
};

// Text that is printed as it is: help and completion scripts.
struct PrintOptions {
  std::string text;
};

// What a word may become.
struct CompleteOptions {
  std::vector<CommandDescription> commands;
  std::vector<std::string> words;  // of the command line; the last one is to be completed
  // What the words before say, as far as that makes sense.
  InputOptions input;
  SelectOptions select;
};

using Command =
    std::variant<GetOptions, TreeOptions, DescribeOptions, ExplainOptions, AuditOptions,
                 DefinitionsOptions, ValidateOptions, CheckOptions, DraftOptions, DiffOptions,
                 TestOptions, EvalOptions, VersionOptions, PrintOptions, CompleteOptions>;

}  // namespace wmap::cli
