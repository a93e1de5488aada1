#include "cli/completion.h"

namespace wmap::cli {
namespace {

// Without descriptions. Bash takes "=" and ":" for words of their own; they are put together again
// here, and what stands before the last one is left out of what is put in its place.
constexpr std::string_view kBash = R"(# wmap completion for bash: source <(wmap completion bash)
_wmap() {
  local IFS=$'\n' lines directive words=() word quote='' joined='' colon='' value i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == [=:]* && ${#words[@]} -gt 0 ]]; then
      words[-1]+=$word
      joined=1
      [[ $word == *:* ]] && colon=1
    elif [[ $joined ]]; then
      words[-1]+=$word
      joined=
    else
      words+=("$word")
      colon=
    fi
  done
  for i in "${!words[@]}"; do
    quote=
    [[ ${words[i]} == [\"\']* ]] && quote=${words[i]:0:1}
    word=${words[i]//[\"\']/}
    [[ $quote ]] || word=${word//\\/}
    words[i]=$word
  done
  lines=($("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null))
  ((${#lines[@]})) || return
  directive=${lines[-1]}
  unset 'lines[-1]'
  COMPREPLY=("${lines[@]%%$'\t'*}")
  [[ $directive == :0 ]] && compopt -o default
  [[ ${COMPREPLY[0]} == */ ]] && compopt -o nospace
  value=${words[-1]}
  [[ $value == --*=* ]] && value=${value#*=}
  if [[ $colon ]]; then value=${value%:*}:; else value=; fi
  for i in "${!COMPREPLY[@]}"; do
    word=${COMPREPLY[i]#"$value"}
    [[ $quote || $word != *[[:space:]\&\;\|\(\)\<\>\$\`\'\"\\*?\#]* ]] || printf -v word %q "$word"
    COMPREPLY[i]=$word
  done
}
complete -F _wmap wmap
)";

constexpr std::string_view kZsh = R"(#compdef wmap
# wmap completion for zsh: wmap completion zsh > "${fpath[1]}/_wmap"
_wmap() {
  local -a lines candidates
  local directive line
  lines=("${(@f)$(${words[1]} __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
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
