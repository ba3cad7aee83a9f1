# Completions of mementor for bash: source <(mementor completions bash)
_mementor() {
  local word rest current=${COMP_WORDS[COMP_CWORD]}
  # bash takes --mode=k for three words.
  [[ $current == = ]] && current=''
  COMPREPLY=()
  compopt +o default 2>/dev/null
  while IFS=$'\t' read -r word rest; do
    case $word in
    :files) compopt -o default 2>/dev/null ;;
    :directories) compopt -o dirnames 2>/dev/null ;;
    "$current"*) COMPREPLY+=("$word") ;;
    esac
  done < <(command mementor complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
}
complete -o default -F _mementor mementor
