import type { CommandHelp } from "../help.ts";
import {
  alwaysWithValue,
  type Flag,
  flagsOf,
  namesOf,
  nextOf,
  type Options,
  type PathKind,
  pathOf,
  withValue,
} from "./flags.ts";
import type { Lookup } from "./lookup.ts";

const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const DIRECTORIES = "-x -a '(__fish_complete_directories)'";
const PATHS: Record<PathKind, string> = { file: "-r -F", directory: DIRECTORIES };

export function fish(commands: readonly CommandHelp[], globals: Options): string {
  const lines = commands.flatMap((command) => {
    const inside = `-n ${quote(`__mementor_in ${namesOf(command).join(" ")}`)}`;
    return [
      ...namesOf(command).map(
        (name) => `complete -c mementor -n '__mementor_at ""' -f -a ${name} -d ${quote(command.summary)}`,
      ),
      ...flagsOf(command.options).map((flag) => `complete -c mementor ${inside} ${option(flag)}`),
      ...argumentsOf(command, inside),
    ];
  });
  const global = globals.map((row) => {
    const without = commands.filter((command) => !command.globals.some(({ flags }) => flags === row.flags));
    const names = without.flatMap(namesOf);
    const where = names.length === 0 ? "" : `-n 'not __mementor_in ${names.join(" ")}' `;
    return flagsOf([row]).map((flag) => `complete -c mementor ${where}${option(flag)}`);
  });
  return `# Completions of mementor for fish: mementor completions fish | source
# The command and its arguments that are typed already.
function __mementor_typed
  set -l words (commandline -opc)
  set -e words[1]
  while set -q words[1]
    switch $words[1]
      case ${alwaysWithValue(commands, globals).join(" ")}
        set -e words[1]
      case '-*'
      case '*'
        printf '%s\\n' $words[1]
    end
    set -e words[1]
  end
end
function __mementor_in
  set -l typed (__mementor_typed)
  contains -- "$typed[1]" $argv
end
function __mementor_at
  contains -- (__mementor_typed | string join ' ' | string collect --allow-empty) $argv
end
# What the memory knows, of the project or the database that is named.
function __mementor_known
  set -l words (commandline -opc) (commandline -ct)
  set -l where
  for at in (seq 2 (math (count $words) - 1))
    switch $words[$at]
      case ${withValue(flagsOf(globals)).replaceAll("|", " ")}
        set -a where $words[$at] (string replace -r '^~/' "$HOME/" -- (string unescape -- $words[(math $at + 1)]))
    end
  end
  command mementor $where complete $argv 2>/dev/null </dev/null
end
${[...global.flat(), ...lines].join("\n")}
`;
}

function option({ short, long, takesValue, path, values, lookups, description }: Flag): string {
  const value =
    values.length > 0
      ? `-x -a ${quote(values.join(" "))}`
      : lookups.length > 0
        ? `-x ${known(lookups)}`
        : path !== null
          ? PATHS[path]
          : takesValue
            ? "-x"
            : "";
  return [short === null ? "" : `-s ${short}`, `-l ${long}`, value, `-d ${quote(description)}`]
    .filter((part) => part !== "")
    .join(" ");
}

function known(lookups: readonly Lookup[]): string {
  return `-k -a ${quote(`(__mementor_known ${lookups.join(" ")})`)}`;
}

/** What the arguments of a command can be. */
function argumentsOf(command: CommandHelp, inside: string): string[] {
  const path = pathOf(command);
  const next = nextOf(command).flatMap(({ typed, words, meanings, lookups }, index) => {
    const at = `complete -c mementor -n ${quote(`__mementor_at ${typed.map((line) => `"${line}"`).join(" ")}`)}`;
    const noFiles = index === 0 && path === "file" ? "" : " -f";
    const bare = words.filter((word) => meanings[word] === undefined);
    return [
      ...(bare.length > 0 ? [`${at}${noFiles} -a ${quote(bare.join(" "))}`] : []),
      ...words
        .filter((word) => meanings[word] !== undefined)
        .map((word) => `${at}${noFiles} -a ${quote(word)} -d ${quote(meanings[word] ?? "")}`),
      ...(lookups.length > 0 ? [`${at}${noFiles} ${known(lookups)}`] : []),
    ];
  });
  if (path === "file") return next;
  const first = quote(`__mementor_at ${namesOf(command).join(" ")}`);
  const directories = path === "directory" ? [`complete -c mementor -n ${first} ${DIRECTORIES}`] : [];
  return [...next, ...directories, `complete -c mementor ${inside} -f`];
}
