import type { CommandHelp } from "../help.ts";
import { type Flag, flagsOf, type Next, namesOf, nextOf, type Options, pathOf, withValue } from "./flags.ts";

const quote = (text: string) => text.replaceAll("'", "'\\''");
const bare = (text: string) => quote(text).replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", "\\:");
const PATHS = { file: "_files", directory: "_files -/" } as const;

export function zsh(commands: readonly CommandHelp[], globals: Options): string {
  const listed = commands.flatMap((command) =>
    namesOf(command).map((name) => `    '${name}:${bare(command.summary)}'`),
  );
  const flags = flagsOf(globals);
  const global = flags.map(argument);
  const cases = commands.map((command) => {
    const all = [...flagsOf([...command.options, ...command.globals]).map(argument), ...argumentsOf(command)];
    return `    ${namesOf(command).join("|")}) _arguments ${all.join(" ")} ;;`;
  });
  return `#compdef mementor
# Completions of mementor for zsh: source <(mementor completions zsh), after compinit
_mementor_known() {
  local -a known
  known=(\${(f)"$(command mementor $where complete $@ 2>/dev/null </dev/null)"})
  known=(\${\${\${known//:/\\\\:}/$'\\t'/:}%:})
  _describe -V -t mementor "$1" known
}
_mementor_words() {
  local -a known
  case $1 in
${described(commands).join("\n")}
  esac
  _describe -t values value known
}
_mementor() {
  local -a commands where
  commands=(
${listed.join("\n")}
  )
  integer at=2
  # What the memory knows is asked of the project or the database that is named.
  for (( at = 2; at < $#words; at++ )); do
    case $words[at] in
    ${withValue(flags)}) where+=($words[at] \${~\${(Q)words[at+1]}}) ;;
    esac
  done
  at=2
  while (( at < CURRENT )) && [[ $words[at] == -* ]]; do
    case $words[at] in
    ${withValue(flags)}) (( at += 2 )) ;;
    *) (( at++ )) ;;
    esac
  done
  if (( at > CURRENT )) || [[ $words[CURRENT] == -* && $at -eq $CURRENT ]]; then
    _arguments ${global.join(" ")}
    return
  elif (( at == CURRENT )); then
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

function argument({ short, long, takesValue, path, values, lookups, description }: Flag): string {
  const known = lookups.length > 0 ? `{_mementor_known ${lookups.join(" ")}}` : " ";
  const action = values.length > 0 ? `(${values.join(" ")})` : path !== null ? PATHS[path] : known;
  const value = takesValue ? `:value:${action}` : "";
  const end = takesValue ? "=" : "";
  const names = short === null ? `'--${long}${end}` : `{-${short},--${long}${end}}'`;
  return `${names}[${bare(description)}]${value}'`;
}

/** What the arguments of a command can be, place by place. */
function argumentsOf(command: CommandHelp): string[] {
  const path = pathOf(command);
  const places = Map.groupBy(nextOf(command), ({ typed: [line = ""] }) => line.split(" ").length);
  const offered = [...places].flatMap(([place, nexts]) => {
    const cases = nexts
      .map((next) => ({ next, action: offers(next, place === 1 ? path : null) }))
      .filter(({ action }) => action !== "");
    if (cases.length === 0) return [];
    if (place === 1) return [`'1:argument:{${cases.map(({ action }) => action).join("; ")}}'`];
    const before = Array.from({ length: place - 1 }, (_, index) => `$line[${index + 1}]`).join(" ");
    const each = cases.map(({ next, action }) => `("${wordsBefore(next)}") ${action};;`);
    return [
      `'${place}:value:{case "${before}" in ${each.join(" ")} ${path === "file" ? "(*) _files;; " : ""}esac}'`,
    ];
  });
  // Without a word on further arguments, zsh completes no option behind one.
  return [...offered, path === "file" ? "'*:file:_files'" : "'*: :()'"];
}

/** The arguments behind which it stands. */
function wordsBefore({ typed: [line = ""] }: Next): string {
  return line.slice(line.indexOf(" ") + 1);
}

function isDescribed({ words, meanings }: Next): boolean {
  return words.some((word) => meanings[word] !== undefined);
}

/** The words that have a description, by what is typed before them. */
function described(commands: readonly CommandHelp[]): string[] {
  return commands
    .flatMap(nextOf)
    .filter(isDescribed)
    .map(({ typed: [line = ""], words, meanings }) => {
      const known = words.map((word) => `'${quote(word)}:${bare(meanings[word] ?? "")}'`);
      return `  ${JSON.stringify(line)}) known=(${known.join(" ")}) ;;`;
    });
}

function offers(next: Next, path: "file" | "directory" | null): string {
  const { words, lookups, typed } = next;
  const offered = isDescribed(next)
    ? `_mementor_words ${JSON.stringify(typed[0])}`
    : `compadd -- ${words.join(" ")}`;
  return [
    words.length > 0 && offered,
    lookups.length > 0 && `_mementor_known ${lookups.join(" ")}`,
    path !== null && PATHS[path],
  ]
    .filter((part) => part !== false)
    .join("; ");
}
