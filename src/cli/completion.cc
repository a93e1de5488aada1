#include "cli/completion.h"

#include "base/text.h"

namespace wmap::cli {
namespace {

// In single quotes for a shell.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string FlagNames(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const FlagDescription& flag : command.flags) {
    names.push_back(flag.name);
    if (!flag.short_name.empty()) names.push_back(flag.short_name);
  }
  return Join(names, " ");
}

std::string Names(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands) names.push_back(command.name);
  return Join(names, " ");
}

std::string Bash(const std::vector<CommandDescription>& commands) {
  std::string script =
      Cat("# wmap completion for bash: source <(wmap completion bash)\n"
          "_wmap() {\n"
          "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
          "  local command=\"${COMP_WORDS[1]}\"\n"
          "  COMPREPLY=()\n"
          "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
          "    COMPREPLY=($(compgen -W '",
          Names(commands),
          "' -- \"$current\"))\n"
          "    return\n"
          "  fi\n"
          "  case \"$command:$previous\" in\n");
  for (const CommandDescription& command : commands) {
    for (const FlagDescription& flag : command.flags) {
      if (!flag.takes_value) continue;
      std::string patterns = Cat(command.name, ':', flag.name);
      if (!flag.short_name.empty()) CatTo(patterns, '|', command.name, ':', flag.short_name);
      std::string reply = flag.takes_file ? std::string("compgen -f -- \"$current\"")
                          : flag.values.empty()
                              ? std::string()
                              : Cat("compgen -W '", Join(flag.values, " "), "' -- \"$current\"");
      CatTo(script, "    ", patterns, ") ",
            reply.empty() ? std::string() : Cat("COMPREPLY=($(", reply, ")); "), "return ;;\n");
    }
  }
  script += "  esac\n  case \"$command\" in\n";
  for (const CommandDescription& command : commands) {
    CatTo(script, "    ", command.name, ")\n      if [[ $current == -* ]]; then\n",
          "        COMPREPLY=($(compgen -W '", FlagNames(command), "' -- \"$current\"))\n");
    if (command.takes_files) {
      script += "      else\n        COMPREPLY=($(compgen -f -- \"$current\"))\n";
    } else if (!command.words.empty()) {
      CatTo(script, "      else\n        COMPREPLY=($(compgen -W '", Join(command.words, " "),
            "' -- \"$current\"))\n");
    }
    script += "      fi ;;\n";
  }
  script += "  esac\n}\ncomplete -o filenames -F _wmap wmap\n";
  return script;
}

std::string Zsh(const std::vector<CommandDescription>& commands) {
  std::string script =
      "#compdef wmap\n"
      "# wmap completion for zsh: wmap completion zsh > \"${fpath[1]}/_wmap\"\n"
      "_wmap() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const CommandDescription& command : commands) {
    CatTo(script, "    ", Quoted(Cat(command.name, ':', command.help)), '\n');
  }
  script +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  case $words[2] in\n";
  for (const CommandDescription& command : commands) {
    CatTo(script, "    ", command.name, ")\n      _arguments");
    for (const FlagDescription& flag : command.flags) {
      std::string help;
      for (char c : flag.help) {
        if (c == '[' || c == ']' || c == ':') help += '\\';
        help += c;
      }
      std::string action = !flag.takes_value     ? std::string()
                           : flag.takes_file     ? std::string(":file:_files")
                           : flag.values.empty() ? std::string(":value:")
                                                 : Cat(":value:(", Join(flag.values, " "), ")");
      CatTo(script, " \\\n        ", Quoted(Cat(flag.name, '[', help, ']', action)));
      if (!flag.short_name.empty()) {
        CatTo(script, " \\\n        ", Quoted(Cat(flag.short_name, '[', help, ']', action)));
      }
    }
    if (command.takes_files) {
      script += " \\\n        '*:file:_files'";
    } else if (!command.words.empty()) {
      CatTo(script, " \\\n        ", Quoted(Cat("*:word:(", Join(command.words, " "), ")")));
    }
    script += " ;;\n";
  }
  script += "  esac\n}\n_wmap \"$@\"\n";
  return script;
}

std::string Fish(const std::vector<CommandDescription>& commands) {
  std::string script =
      "# wmap completion for fish: wmap completion fish > ~/.config/fish/completions/wmap.fish\n"
      "complete -c wmap -f\n";
  for (const CommandDescription& command : commands) {
    CatTo(script, "complete -c wmap -n __fish_use_subcommand -a ", command.name, " -d ",
          Quoted(command.help), '\n');
    std::string only = Cat("complete -c wmap -n '__fish_seen_subcommand_from ", command.name, "'");
    for (const FlagDescription& flag : command.flags) {
      CatTo(script, only, " -l ", flag.name.substr(2));
      if (!flag.short_name.empty()) CatTo(script, " -s ", flag.short_name.substr(1));
      if (flag.takes_value) script += flag.takes_file ? " -r -F" : " -x";
      if (!flag.values.empty()) CatTo(script, " -a ", Quoted(Join(flag.values, " ")));
      CatTo(script, " -d ", Quoted(flag.help), '\n');
    }
    if (!command.words.empty()) {
      CatTo(script, only, " -a ", Quoted(Join(command.words, " ")), '\n');
    }
    if (command.takes_files) CatTo(script, only, " -F\n");
  }
  return script;
}

}  // namespace

std::optional<std::string> CompletionScript(std::string_view shell,
                                            const std::vector<CommandDescription>& commands) {
  if (shell == "bash") return Bash(commands);
  if (shell == "zsh") return Zsh(commands);
  if (shell == "fish") return Fish(commands);
  return std::nullopt;
}

}  // namespace wmap::cli
