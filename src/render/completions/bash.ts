import type { CommandHelp } from "../help.ts";
import {
  alwaysWithValue,
  type Flag,
  flagsOf,
  namesOf,
  nextOf,
  type Options,
  pathOf,
  spellings,
  withValue,
} from "./flags.ts";

/** Without this, bash offers files where nothing else is known. */
const NO_FILES = "compopt +o default 2>/dev/null";
const DIRECTORIES = "compopt +o default -o dirnames 2>/dev/null";
const AS_PATHS = { file: "", directory: `${DIRECTORIES}; ` } as const;

export function bash(commands: readonly CommandHelp[], globals: Options): string {
  const global = flagsOf(globals);
  const words = (flags: readonly Flag[]) => flags.map(({ long }) => `--${long}`);
  const cases = commands.map((command) => {
    const options = words(flagsOf([...command.options, ...command.globals])).join(" ");
    const path = pathOf(command);
    const files = path === "file" ? "" : `; ${path === null ? NO_FILES : DIRECTORIES}`;
    return `    ${namesOf(command).join("|")}) options='${options}'${files} ;;`;
  });
  const next = commands.flatMap(nextOf).flatMap(({ typed, words, lookups }) => {
    const parts = [
      words.length > 0 && `arguments='${words.join(" ")}'`,
      lookups.length > 0 && `known='${lookups.join(" ")}'`,
    ].filter((part) => part !== false);
    const patterns = typed.map((line) => `'${line}'`).join("|");
    return parts.length === 0 ? [] : [`    ${patterns}) ${parts.join("; ")} ;;`];
  });
  const values = commands.flatMap((command) =>
    flagsOf(command.options).flatMap((flag) => {
      if (!flag.takesValue) return [];
      const patterns = namesOf(command).flatMap((name) => spellings(flag).map((typed) => `${name}:${typed}`));
      return [`    ${patterns.join("|")}) ${valueAt(flag)}return ;;`];
    }),
  );
  const globalValues = global
    .filter(({ takesValue }) => takesValue)
    .map(
      (flag) =>
        `    ${spellings(flag)
          .map((typed) => `*:${typed}`)
          .join("|")}) ${valueAt(flag)}return ;;`,
    );
  return `# Completions of mementor for bash: source <(mementor completions bash)
_mementor_known() {
  local word rest
  while IFS=$'\\t' read -r word rest; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done < <(command mementor \${where[@]+"\${where[@]}"} complete "$@" 2>/dev/null </dev/null)
}
_mementor() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local options='' arguments='' known='' typed=() where=() word value i
  COMPREPLY=()
  # bash takes --mode=k for three words.
  if [[ $current == = ]]; then current=''
  elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
    ${alwaysWithValue(commands, globals).join("|")})
      [[ \${COMP_WORDS[i + 1]} == = ]] && ((i++))
      ((i++))
      value=\${COMP_WORDS[i]}
      case $word in
      ${withValue(global)}) ((i < COMP_CWORD)) && where+=("$word" "\${value/#\\~\\//$HOME/}") ;;
      esac ;;
    -*) ;;
    *) typed+=("$word") ;;
    esac
  done
  case \${typed[0]}:$previous in
${[...values, ...globalValues].join("\n")}
  esac
  case \${typed[0]} in
    '') options='${words(global).join(" ")}'; arguments='${commands.flatMap(namesOf).join(" ")}' ;;
${cases.join("\n")}
  esac
  case "\${typed[*]}" in
${next.join("\n")}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current")); return; fi
  if [[ -n $arguments ]]; then COMPREPLY=($(compgen -W "$arguments" -- "$current")); fi
  if [[ -n $known ]]; then _mementor_known $known; fi
}
complete -o default -F _mementor mementor
`;
}

/** What bash does where the value of an option is typed. */
function valueAt({ path, values, lookups }: Flag): string {
  if (values.length > 0)
    return `${NO_FILES}; COMPREPLY=($(compgen -W '${values.join(" ")}' -- "$current")); `;
  if (path !== null) return AS_PATHS[path];
  return `${NO_FILES}; ${lookups.length > 0 ? `_mementor_known ${lookups.join(" ")}; ` : ""}`;
}
