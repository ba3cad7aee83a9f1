import type { CommandHelp } from "../help.ts";
import { type Flag, flagsOf, namesOf, type Options, takesFiles, withValue } from "./flags.ts";

export function bash(commands: readonly CommandHelp[], globals: Options): string {
  const global = flagsOf(globals);
  const words = (flags: readonly Flag[]) => flags.map(({ long }) => `--${long}`);
  const cases = commands.map((command) => {
    const options = [...words(flagsOf(command.options)), ...words(global)].join(" ");
    const files = takesFiles(command) ? "" : "; compopt +o default 2>/dev/null";
    return `    ${namesOf(command).join("|")}) options='${options}'; arguments='${command.argValues.join(" ")}'${files} ;;`;
  });
  const next = commands.flatMap(({ name, argValues, nextValues = {} }) => [
    ...Object.entries(nextValues).map(
      ([first, words]) => `    '${name} ${first}') arguments='${words.join(" ")}' ;;`,
    ),
    ...(argValues.length > 0 ? [`    '${name} '?*) arguments='' ;;`] : []),
  ]);
  const values = commands.flatMap((command) =>
    flagsOf(command.options)
      .filter((flag) => flag.values.length > 0)
      .map((flag) => {
        const flags = [`--${flag.long}`, ...(flag.short === null ? [] : [`-${flag.short}`])];
        const patterns = namesOf(command).flatMap((name) => flags.map((typed) => `${name}:${typed}`));
        return `    ${patterns.join("|")}) COMPREPLY=($(compgen -W '${flag.values.join(" ")}' -- "$current")); return ;;`;
      }),
  );
  // Without this, bash offers files where nothing else is known.
  const noFiles = commands.flatMap((command) => {
    const flags = flagsOf(command.options).filter(({ takesValue, takesFile }) => takesValue && !takesFile);
    const patterns = namesOf(command).flatMap((name) =>
      withValue(flags)
        .split("|")
        .filter(Boolean)
        .map((flag) => `${name}:${flag}`),
    );
    return patterns.length === 0
      ? []
      : [`    ${patterns.join("|")}) compopt +o default 2>/dev/null; return ;;`];
  });
  const files = commands.flatMap((command) => {
    const flags = flagsOf(command.options).filter(({ takesFile }) => takesFile);
    const patterns = namesOf(command).flatMap((name) =>
      withValue(flags)
        .split("|")
        .filter(Boolean)
        .map((flag) => `${name}:${flag}`),
    );
    return patterns.length === 0 ? [] : [`    ${patterns.join("|")}) return ;;`];
  });
  return `# Completions of mementor for bash: source <(mementor completions bash)
_mementor() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local command='' options='' arguments='' typed=() i
  COMPREPLY=()
  # bash takes --mode=k for three words.
  if [[ $current == = ]]; then current=''
  elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    ${withValue(global)}) ((i++)) ;;
    -*) ;;
    *) typed+=("\${COMP_WORDS[i]}") ;;
    esac
  done
  command=\${typed[0]}
  case $command:$previous in
${[...values, ...noFiles, ...files].join("\n")}
    ${withValue(global)
      .split("|")
      .map((name) => `*:${name}`)
      .join("|")}) return ;;
  esac
  case $command in
    '') options='${words(global).join(" ")}'; arguments='${commands.flatMap(namesOf).join(" ")}' ;;
${cases.join("\n")}
  esac
  case "\${typed[*]}" in
${next.join("\n")}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $arguments ]]; then COMPREPLY=($(compgen -W "$arguments" -- "$current"))
  fi
}
complete -o default -F _mementor mementor
`;
}
