import { bash } from "./completions/bash.ts";
import { fish } from "./completions/fish.ts";
import type { Options } from "./completions/flags.ts";
import { powershell } from "./completions/powershell.ts";
import { zsh } from "./completions/zsh.ts";
import type { CommandHelp } from "./help.ts";

/** Shells that completions are made for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

export type Shell = (typeof SHELLS)[number];

/** What completions know of `mementor help`, which shows commands and pages, and is no command itself. */
export function helpOfHelp(
  commands: readonly CommandHelp[],
  pages: readonly string[],
  globals: Options,
): CommandHelp {
  return {
    name: "help",
    aliases: [],
    usage: "help [topic]",
    actions: [],
    examples: [],
    summary: "Show the help of a command, or a page of the documentation",
    argValues: [...commands.map(({ name }) => name), ...pages],
    meanings: Object.fromEntries([
      ...commands.map(({ name, summary }) => [name, summary]),
      ...pages.map((page) => [page, "a page of the documentation"]),
    ]),
    globals,
    options: [{ flags: "--man", description: "Show it as a manual page", values: [] }],
  };
}

/** Renders the script that teaches a shell the commands and options of mementor. */
export function renderCompletions(shell: Shell, commands: readonly CommandHelp[], globals: Options): string {
  return { bash, zsh, fish, powershell }[shell](commands, globals);
}
