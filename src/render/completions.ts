import type { CommandHelp, OptionHelp } from "./help.ts";

/** Shells that completions are made for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

export type Shell = (typeof SHELLS)[number];

type Options = readonly OptionHelp[];

interface Flag {
  short: string | null;
  long: string;
  takesValue: boolean;
  values: readonly string[];
  description: string;
}

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
      values,
      description,
    };
  });
}

/** Whether the first argument can be a path as well as one of the actions. */
const takesPath = ({ actions }: CommandHelp) => actions.some(([shown]) => shown.startsWith("<"));

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
    return `    ${namesOf(command).join("|")}) options='${options}'; arguments='${command.argValues.join(" ")}' ;;`;
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
${values.join("\n")}
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
  const argument = ({ short, long, takesValue, values, description }: Flag) => {
    const value = takesValue ? `:value:${values.length > 0 ? `(${values.join(" ")})` : "_files"}` : "";
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
    const next = [...new Set(Object.values(command.nextValues ?? {}).flat())];
    const words = command.argValues.join(" ");
    const rest =
      next.length > 0
        ? [`'1:argument:(${words})'`, `'2:argument:(${next.join(" ")})'`, "'*:file:_files'"]
        : [
            words === ""
              ? "'*:file:_files'"
              : takesPath(command)
                ? `'*:argument:{compadd -- ${words}; _files}'`
                : `'*:argument:(${words})'`,
          ];
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

function fish(commands: readonly CommandHelp[], globals: Options): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const option = ({ short, long, takesValue, values, description }: Flag) =>
    [
      short === null ? "" : `-s ${short}`,
      `-l ${long}`,
      values.length > 0 ? `-x -a ${quote(values.join(" "))}` : takesValue ? "-r" : "",
      `-d ${quote(description)}`,
    ]
      .filter((part) => part !== "")
      .join(" ");
  const lines = commands.flatMap((command) => {
    const names = namesOf(command);
    const inside = `-n ${quote(`contains -- (__mementor_command) ${names.join(" ")}`)}`;
    const values =
      command.argValues.length > 0
        ? [
            `complete -c mementor ${inside}${takesPath(command) ? "" : " -f"} -a ${quote(command.argValues.join(" "))}`,
          ]
        : [];
    const next = Object.entries(command.nextValues ?? {}).map(([first, words]) => {
      const after = `contains -- (__mementor_command) ${command.name}; and __fish_seen_subcommand_from ${first}`;
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
    elseif ($action) { $commands[$command].Next[$action] }
    else { $commands[$command].Arguments }
  $words | Where-Object { $_ -like "$wordToComplete*" } | Sort-Object | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
