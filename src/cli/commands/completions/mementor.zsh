#compdef mementor
# Completions of mementor for zsh: source <(mementor completions zsh), after compinit
_mementor() {
  local line paths
  local -a offers
  for line in ${(f)"$(command mementor complete "${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)"}; do
    case $line in
    :files*) paths=_files ;;
    :directories*) paths='_files -/' ;;
    *) offers+=("${${line/$'\t'/:}%:}") ;;
    esac
  done
  (( $#offers )) && _describe -V -t mementor mementor offers
  [[ -n $paths && $words[CURRENT] == --*=* ]] && compset -P '*='
  [[ -n $paths ]] && ${=paths}
}
if [[ $funcstack[1] == _mementor ]]; then _mementor "$@"; else compdef _mementor mementor; fi
