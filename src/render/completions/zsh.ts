import type { CommandHelp } from "../help.ts";
import { type Flag, flagsOf, namesOf, type Options, takesFiles, takesPath, withValue } from "./flags.ts";

export function zsh(commands: readonly CommandHelp[], globals: Options): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''");
  const bare = (text: string) => quote(text).replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", "\\:");
  const argument = ({ short, long, takesValue, takesFile, values, description }: Flag) => {
    const words = values.length > 0 ? `(${values.join(" ")})` : takesFile ? "_files" : " ";
    const value = takesValue ? `:value:${words}` : "";
    const end = takesValue ? "=" : "";
    const names = short === null ? `'--${long}${end}` : `{-${short},--${long}${end}}'`;
    return `${names}[${bare(description)}]${value}'`;
  };
  const listed = commands.flatMap((command) =>
    namesOf(command).map((name) => `    '${name}:${bare(command.summary)}'`),
  );
  const flags = flagsOf(globals);
  const global = flags.map(argument);
  const cases = commands.map((command) => {
    const known = Object.entries(command.nextValues ?? {});
    const next = [...new Set(known.flatMap(([first, words]) => (first.includes(" ") ? [] : words)))];
    const third = known.filter(([first]) => first.includes(" "));
    const words = command.argValues.join(" ");
    // Without a word on further arguments, zsh completes no option behind one.
    const files = [takesFiles(command) ? "'*:file:_files'" : "'*: :()'"];
    const rest =
      next.length > 0
        ? [`'1:argument:(${words})'`, `'2:argument:(${next.join(" ")})'`, ...valuesAfter(third), ...files]
        : words === ""
          ? files
          : takesPath(command) || takesFiles(command)
            ? [`'1:argument:{compadd -- ${words}; _files}'`, ...files]
            : [`'1:argument:(${words})'`, ...files];
    const all = [...flagsOf(command.options).map(argument), ...global, ...rest];
    return `    ${namesOf(command).join("|")}) _arguments ${all.join(" ")} ;;`;
  });
  return `#compdef mementor
# Completions of mementor for zsh: source <(mementor completions zsh), after compinit
_mementor() {
  local -a commands
  commands=(
${listed.join("\n")}
  )
  integer at=2
  while (( at < CURRENT )) && [[ $words[at] == -* ]]; do
    case $words[at] in
    ${withValue(flags)}) (( at += 2 )) ;;
    *) (( at++ )) ;;
    esac
  done
  if (( at > CURRENT )); then
    _files
    return
  elif (( at == CURRENT )) && [[ $words[at] != -* ]]; then
    _describe -t commands command commands
    return
  fi
  local command=$words[at]
  shift $(( at - 1 )) words
  (( CURRENT -= at - 1 ))
  case $command in
${cases.join("\n")}
    *) _arguments ${global.join(" ")} ;;
  esac
}
if [[ $funcstack[1] == _mementor ]]; then _mementor "$@"; else compdef _mementor mementor; fi
`;
}

/** What zsh completes as the third argument, by the first two. */
function valuesAfter(known: readonly (readonly [first: string, words: readonly string[]])[]): string[] {
  if (known.length === 0) return [];
  const cases = known.map(([first, words]) => `("${first}") compadd -- ${words.join(" ")};;`);
  return [`'3:value:{case "$words[2] $words[3]" in ${cases.join(" ")} esac}'`];
}
