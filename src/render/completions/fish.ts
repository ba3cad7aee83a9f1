import type { CommandHelp } from "../help.ts";
import { type Flag, flagsOf, namesOf, type Options, takesFiles, takesPath, withValue } from "./flags.ts";

export function fish(commands: readonly CommandHelp[], globals: Options): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const option = ({ short, long, takesValue, takesFile, values, description }: Flag) =>
    [
      short === null ? "" : `-s ${short}`,
      `-l ${long}`,
      values.length > 0 ? `-x -a ${quote(values.join(" "))}` : takesFile ? "-r -F" : takesValue ? "-x" : "",
      `-d ${quote(description)}`,
    ]
      .filter((part) => part !== "")
      .join(" ");
  const lines = commands.flatMap((command) => {
    const names = namesOf(command);
    const inside = `-n ${quote(`contains -- (__mementor_command) ${names.join(" ")}`)}`;
    const known = Object.entries(command.nextValues ?? {});
    const notYet =
      command.argValues.length === 0
        ? ""
        : `; and not __fish_seen_subcommand_from ${command.argValues.join(" ")}`;
    const first = `-n ${quote(`contains -- (__mementor_command) ${names.join(" ")}${notYet}`)}`;
    const values = [
      ...(command.argValues.length > 0
        ? [
            `complete -c mementor ${first}${takesPath(command) || takesFiles(command) ? "" : " -f"} -a ${quote(command.argValues.join(" "))}`,
          ]
        : []),
      ...(takesFiles(command) ? [] : [`complete -c mementor ${inside} -f`]),
    ];
    const next = known.map(([typed, words]) => {
      const isFirst = !typed.includes(" ");
      const seen = typed.split(" ").map((word) => `; and __fish_seen_subcommand_from ${word}`);
      // Once a setting is typed, its values follow, and not the settings again.
      const taken = isFirst ? `; and not __fish_seen_subcommand_from ${words.join(" ")}` : "";
      const after = `contains -- (__mementor_command) ${command.name}${seen.join("")}${taken}`;
      return `complete -c mementor -n ${quote(after)} -f -a ${quote(words.join(" "))}`;
    });
    return [
      ...names.map(
        (name) =>
          `complete -c mementor -n 'not __mementor_command >/dev/null' -f -a ${name} -d ${quote(command.summary)}`,
      ),
      ...flagsOf(command.options).map((flag) => `complete -c mementor ${inside} ${option(flag)}`),
      ...values,
      ...next,
    ];
  });
  const global = flagsOf(globals).map((flag) => `complete -c mementor ${option(flag)}`);
  return `# Completions of mementor for fish: mementor completions fish | source
function __mementor_command
  set -l words (commandline -opc)
  set -e words[1]
  while set -q words[1]
    switch $words[1]
      case ${withValue(flagsOf(globals)).replaceAll("|", " ")}
        set -e words[1]
      case '-*'
      case '*'
        echo $words[1]
        return
    end
    set -e words[1]
  end
  return 1
end
${[...global, ...lines].join("\n")}
`;
}
