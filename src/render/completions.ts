import type { CommandHelp, OptionHelp } from "./help.ts";

/** Shells that completions are made for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

export type Shell = (typeof SHELLS)[number];

type Options = readonly OptionHelp[];

interface Flag {
  short: string | null;
  long: string;
  takesValue: boolean;
  /** Whether the value is the path of a file or a directory. */
  takesFile: boolean;
  values: readonly string[];
  description: string;
}

/** An argument or a value that is a path, by its name. */
const FILE = /[<[|](?:file|path|dir|folder)s?\b/;

/** What completions know of `mementor help`, which shows commands and pages, and is no command itself. */
export function helpOfHelp(commands: readonly CommandHelp[], pages: readonly string[]): CommandHelp {
  return {
    ...{ name: "help", aliases: [], usage: "help [topic]", actions: [], examples: [] },
    summary: "Show the help of a command, or a page of the documentation",
    argValues: [...commands.map(({ name }) => name), ...pages],
    options: [{ flags: "--man", description: "Show it as a manual page", values: [] }],
  };
}

/** Renders the script that teaches a shell the commands and options of mementor. */
export function renderCompletions(shell: Shell, commands: readonly CommandHelp[], globals: Options): string {
  return { bash, zsh, fish, powershell }[shell](commands, globals);
}

function flagsOf(options: Options): Flag[] {
  return options.map(({ flags, description, values }) => {
    const long = /--([\w-]+)/.exec(flags)?.[1] ?? "";
    return {
      short: /^-(\w)/.exec(flags)?.[1] ?? null,
      long,
      takesValue: flags.includes("<"),
      takesFile: FILE.test(flags),
      values,
      description,
    };
  });
}

/** Whether the first argument can be a path as well as one of the actions. */
const takesPath = ({ actions }: CommandHelp) => actions.some(([shown]) => shown.startsWith("<"));

/** Whether any argument can be a path. */
const takesFiles = ({ usage, takesFiles = FILE.test(usage) }: CommandHelp) => takesFiles;

const namesOf = ({ name, aliases }: CommandHelp) => [name, ...aliases];

/** The names of the options that take a value, as a pattern of a shell's case. */
function withValue(flags: readonly Flag[]): string {
  return flags
    .filter(({ takesValue }) => takesValue)
    .flatMap(({ short, long }) => [...(short === null ? [] : [`-${short}`]), `--${long}`])
    .join("|");
}

function bash(commands: readonly CommandHelp[], globals: Options): string {
  const global = flagsOf(globals);
  const words = (flags: readonly Flag[]) => flags.map(({ long }) => `--${long}`);
  const cases = commands.map((command) => {
    const options = [...words(flagsOf(command.options)), ...words(global)].join(" ");
    const files = takesFiles(command) ? "" : "; compopt +o default 2>/dev/null";
    return `    ${namesOf(command).join("|")}) options='${options}'; arguments='${command.argValues.join(" ")}'${files} ;;`;
  });
  const next = commands.flatMap(({ name, nextValues = {} }) => [
    ...Object.entries(nextValues).map(
      ([first, words]) => `    '${name} ${first}') arguments='${words.join(" ")}' ;;`,
    ),
    ...(Object.keys(nextValues).length > 0 ? [`    '${name} '?*) arguments='' ;;`] : []),
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

function zsh(commands: readonly CommandHelp[], globals: Options): string {
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
    const files = takesFiles(command) ? ["'*:file:_files'"] : [];
    const rest =
      next.length > 0
        ? [`'1:argument:(${words})'`, `'2:argument:(${next.join(" ")})'`, ...valuesAfter(third), ...files]
        : words === ""
          ? files
          : takesPath(command) || takesFiles(command)
            ? [`'*:argument:{compadd -- ${words}; _files}'`]
            : [`'*:argument:(${words})'`];
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

function fish(commands: readonly CommandHelp[], globals: Options): string {
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
    const firsts = known.map(([first]) => first).filter((first) => !first.includes(" "));
    const notYet = firsts.length === 0 ? "" : `; and not __fish_seen_subcommand_from ${firsts.join(" ")}`;
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

function powershell(commands: readonly CommandHelp[], globals: Options): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]) => `@(${words.map(quote).join(", ")})`;
  const global = flagsOf(globals).map(({ long }) => `--${long}`);
  const rows = commands.flatMap((command) => {
    const flags = flagsOf(command.options);
    const options = list([...flags.map(({ long }) => `--${long}`), ...global]);
    const values = flags
      .filter((flag) => flag.values.length > 0)
      .map((flag) => `${quote(`--${flag.long}`)} = ${list(flag.values)}`);
    const next = Object.entries(command.nextValues ?? {}).map(
      ([first, words]) => `${quote(first)} = ${list(words)}`,
    );
    const entry = `@{ Options = ${options}; Arguments = ${list(command.argValues)}; Next = @{ ${next.join("; ")} }; Values = @{ ${values.join("; ")} } }`;
    return namesOf(command).map((name) => `    ${quote(name)} = ${entry}`);
  });
  return `# Completions of mementor for PowerShell: mementor completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mementor -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${rows.join("\n")}
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and $typed.Count -gt 0) { $typed = @($typed | Select-Object -SkipLast 1) }
  $command = $typed | Where-Object { $commands.ContainsKey($_) } | Select-Object -First 1
  $previous = $typed | Select-Object -Last 1
  $action = if ($command) { $typed | Where-Object { $commands[$command].Next.ContainsKey($_) } | Select-Object -First 1 }
  $words =
    if (-not $command) { @($commands.Keys) + ${list(global)} }
    elseif ($previous -and $commands[$command].Values.ContainsKey($previous)) { $commands[$command].Values[$previous] }
    elseif ($wordToComplete.StartsWith('-')) { $commands[$command].Options }
    elseif ($action -and $commands[$command].Next.ContainsKey("$action $previous")) { $commands[$command].Next["$action $previous"] }
    elseif ($action) { $commands[$command].Next[$action] }
    else { $commands[$command].Arguments }
  $words | Where-Object { $_ -like "$wordToComplete*" } | Sort-Object | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
