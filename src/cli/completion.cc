#include "cli/completion.h"

namespace wmap::cli {
namespace {

// Without descriptions. A word is what stands between blanks and signs as "=".
constexpr std::string_view kBash = R"(# wmap completion for bash: source <(wmap completion bash)
_wmap() {
  local IFS=$'\n' lines directive
  lines=($("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  ((${#lines[@]})) || return
  directive=${lines[-1]}
  unset 'lines[-1]'
  COMPREPLY=("${lines[@]%%$'\t'*}")
  [[ $directive == :0 ]] && compopt -o default
  [[ ${COMPREPLY[0]} == */ ]] && compopt -o nospace
}
complete -F _wmap wmap
)";

constexpr std::string_view kZsh = R"(#compdef wmap
# wmap completion for zsh: wmap completion zsh > "${fpath[1]}/_wmap"
_wmap() {
  local -a lines candidates
  local directive line
  lines=("${(@f)$(${words[1]} __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  (( ${#lines} )) || return
  directive=${lines[-1]}
  lines[-1]=()
  if [[ $directive == :0 ]]; then
    _files
    return
  fi
  [[ ${words[CURRENT]} == --*=* ]] && compset -P '*='
  for line in "${lines[@]}"; do
    if [[ $line == *$'\t'* ]]; then
      candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    else
      candidates+=("${line//:/\\:}")
    fi
  done
  _describe wmap candidates
}
_wmap "$@"
)";

constexpr std::string_view kFish =
    R"(# wmap completion for fish: wmap completion fish > ~/.config/fish/completions/wmap.fish
function __wmap_complete
  set -l lines (wmap __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  test (count $lines) -gt 0; or return
  if test $lines[-1] = :0
    __fish_complete_path (commandline -ct)
  else if test (count $lines) -gt 1
    set -l flag (string replace -rf '^(--[^=]*=).*' '$1' -- (commandline -ct))
    printf '%s\n' "$flag"$lines[1..-2]
  end
end
complete -c wmap -f -a '(__wmap_complete)'
)";

}  // namespace

std::optional<std::string> CompletionScript(std::string_view shell) {
  if (shell == "bash") return std::string(kBash);
  if (shell == "zsh") return std::string(kZsh);
  if (shell == "fish") return std::string(kFish);
  return std::nullopt;
}

}  // namespace wmap::cli
