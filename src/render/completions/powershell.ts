import type { CommandHelp } from "../help.ts";
import { flagsOf, namesOf, type Options } from "./flags.ts";

export function powershell(commands: readonly CommandHelp[], globals: Options): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]) => `@(${words.map(quote).join(", ")})`;
  const global = flagsOf(globals).map(({ long }) => `--${long}`);
  const rows = commands.flatMap((command) => {
    const flags = flagsOf(command.options);
    const options = list([...flags, ...flagsOf(command.globals)].map(({ long }) => `--${long}`));
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
