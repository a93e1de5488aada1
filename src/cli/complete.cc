// `wmap __complete`: what the word at the cursor may become. Nothing is ever told on the error
// stream: whoever is typing did not ask for it.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/select.h"
#include "cli/session.h"

namespace wmap::cli {
namespace {

class Completer {
 public:
  Completer(const CompleteOptions& options, const Context& context)
      : options_(options), context_(context), current_(options.words.back()) {}

  // False when files are meant.
  bool Run() {
    const std::string& first = options_.words.front();
    bool lacks_command = options_.words.size() == 1 || first.starts_with('-');
    const CommandDescription any = lacks_command ? AnyCommand() : CommandDescription();
    const CommandDescription* command = lacks_command ? &any : Find(first);
    if (command == nullptr) return true;
    const FlagDescription* flag = FlagBefore(*command);
    if (flag != nullptr) return ValuesOf(*flag);
    if (current_.starts_with('-')) return Flags(*command);
    if (lacks_command) return Commands();
    if (command->takes_files) return false;
    if (command->takes_targets) return Targets();
    for (const std::string& word : command->words) Offer(word);
    return true;
  }

  const std::vector<std::string>& candidates() const { return candidates_; }

 private:
  void Offer(std::string_view word, std::string_view help = {}) {
    if (!word.starts_with(current_)) return;
    candidates_.push_back(Cat(before_, word, help.empty() ? "" : "\t", help));
  }

  const CommandDescription* Find(std::string_view name) const {
    auto found = std::ranges::find(options_.commands, name, &CommandDescription::name);
    return found == options_.commands.end() ? nullptr : &*found;
  }

  // What may stand before a command that is not written yet: the flags of those that look at
  // workloads.
  CommandDescription AnyCommand() const {
    CommandDescription any;
    for (const CommandDescription& command : options_.commands) {
      if (!command.takes_targets) continue;
      for (const FlagDescription& flag : command.flags) {
        bool is_known =
            std::ranges::find(any.flags, flag.name, &FlagDescription::name) != any.flags.end();
        if (!is_known) any.flags.push_back(flag);
      }
    }
    return any;
  }

  // The flag that the word at the cursor is a value of, or null.
  const FlagDescription* FlagBefore(const CommandDescription& command) {
    const std::vector<std::string>& words = options_.words;
    std::string_view name = words.size() > 1 ? std::string_view(words[words.size() - 2]) : "";
    std::size_t equals = current_.find('=');
    bool is_joined = current_.starts_with("--") && equals != std::string_view::npos;
    if (is_joined) name = current_.substr(0, equals);
    for (const FlagDescription& flag : command.flags) {
      if (!flag.takes_value || flag.name != name) continue;
      if (is_joined) current_.remove_prefix(equals + 1);
      return &flag;
    }
    if (is_joined) return nullptr;
    // "-nml", or "-n" with the value behind it; each perhaps behind others, "-An".
    if (std::size_t at = 0; const FlagDescription* flag = ShortWithValue(command, current_, at)) {
      before_ = current_.substr(0, at + 1);
      current_.remove_prefix(at + 1);
      return flag;
    }
    std::size_t at = 0;
    const FlagDescription* flag = ShortWithValue(command, name, at);
    return flag != nullptr && at + 1 == name.size() ? flag : nullptr;
  }

  // The flag among the short ones of `word` that takes a value, and where its letter is; null when
  // there is none.
  static const FlagDescription* ShortWithValue(const CommandDescription& command,
                                               std::string_view word, std::size_t& at) {
    if (!word.starts_with('-') || word.starts_with("--")) return nullptr;
    for (at = 1; at < word.size(); ++at) {
      auto flag = std::ranges::find(command.flags, Cat('-', word.substr(at, 1)),
                                    &FlagDescription::short_name);
      if (flag == command.flags.end()) return nullptr;
      if (flag->takes_value) return &*flag;
    }
    return nullptr;
  }

  bool Commands() {
    for (const CommandDescription& command : options_.commands) Offer(command.name, command.help);
    return true;
  }

  bool Flags(const CommandDescription& command) {
    for (const FlagDescription& flag : command.flags) Offer(flag.name, flag.help);
    return true;
  }

  bool ValuesOf(const FlagDescription& flag) {
    if (flag.takes_file) return false;
    for (const std::string& value : flag.values) Offer(value);
    const ClusterOptions& cluster = options_.input.cluster;
    if (flag.name == "--context") OfferInList(KubeconfigOf(cluster, context_).ContextNames());
    if (flag.name == "--phase") OfferInList(PhaseMarks());
    if (flag.name == "--cluster") {
      for (const auto& name : KubeconfigOf(cluster, context_).ClusterNames()) Offer(name);
    }
    if (flag.name == "--user") {
      for (const auto& name : KubeconfigOf(cluster, context_).UserNames()) Offer(name);
    }
    if (flag.name == "--namespace" && options_.input.files.empty()) {
      for (const std::string& name : Glance(options_.input.cluster, context_).Namespaces()) {
        Offer(name);
      }
    }
    return true;
  }

  // Behind what is there of a list already.
  void OfferInList(const auto& words) {
    std::size_t comma = current_.rfind(',');
    std::string_view before = current_.substr(0, comma == std::string_view::npos ? 0 : comma + 1);
    for (const auto& word : words) Offer(Cat(before, word));
  }

  // TYPE, NAME behind it, or TYPE/NAME.
  bool Targets() {
    const std::vector<std::string>& given = options_.select.targets;
    bool slashed = !given.empty() && given.front().contains('/');
    definition::Registry registry;
    AddDefinitions(options_.input, context_, registry);
    if (!options_.input.files.empty()) {
      if (given.empty()) OfferTypes(registry, nullptr);
      return true;
    }
    Glance cluster(options_.input.cluster, context_);
    std::size_t slash = current_.find('/');
    if (slash != std::string_view::npos) {
      std::string_view type = current_.substr(0, slash);
      for (const std::string& name : cluster.Names(type, options_.select, registry)) {
        Offer(Cat(type, '/', name));
      }
    } else if (given.empty() || slashed) {
      OfferTypes(registry, &cluster);
    } else {
      for (const std::string& name : cluster.Names(given.front(), options_.select, registry)) {
        bool is_given = std::find(given.begin() + 1, given.end(), name) != given.end();
        if (!is_given) Offer(name);
      }
    }
    return true;
  }

  // Of the kinds that are covered those that the cluster has, where that can be known.
  void OfferTypes(definition::Registry& registry, Glance* cluster) {
    std::vector<std::string> types;
    if (cluster != nullptr) types = cluster->Types(registry);
    if (types.empty()) {
      for (const definition::Listing& listing : registry.List()) {
        types.push_back(ToLower(listing.kind.kind));
      }
    }
    std::ranges::sort(types);
    types.erase(std::unique(types.begin(), types.end()), types.end());
    for (const std::string& type : types) Offer(type);
  }

  const CompleteOptions& options_;
  const Context& context_;
  std::string_view current_;
  std::string_view before_;  // what of the word at the cursor stands before `current_`
  std::vector<std::string> candidates_;
};

}  // namespace

int RunComplete(const CompleteOptions& options, const Context& context) {
  Silence silence;
  Context quiet = context;
  quiet.err = &silence;
  quiet.err_is_terminal = false;
  Completer completer(options, quiet);
  bool no_files = completer.Run();
  std::string text;
  for (const std::string& candidate : completer.candidates()) {
    // Names of a cluster are a stranger's; what is more than a line is none.
    bool is_line = std::ranges::none_of(candidate, [](char c) { return c == '\n' || c == '\x1b'; });
    if (is_line) CatTo(text, candidate, '\n');
  }
  context.out->Write(Cat(text, no_files ? ":4\n" : ":0\n"));
  return kOk;
}

}  // namespace wmap::cli
