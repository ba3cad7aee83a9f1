/**
 * Where hooks find this program, below the home directory. The same on every system and for any `XDG_DATA_HOME`, so
 * that one text works for every person, shell and machine, and shared settings contain no person's own path.
 */
export const PROGRAM_PATH = ".local/share/mementor/bin/mementor";

/**
 * The shells that read a hook's line: `sh` stands for every shell of its kind, Git Bash on Windows included. No line is
 * written for cmd: on Windows each agent starts Git Bash or PowerShell, or starts PowerShell when its settings say so.
 */
export type HookShell = "sh" | "powershell";

/**
 * Returns the command line of one hook. No line contains a path of the user, so there is nothing to quote: the shell
 * itself puts the home directory in, whatever characters that has. And a shell that gets the line of another one does
 * not exit with 2, which would block the agent.
 */
export function hookCommand(word: string, flags: readonly string[] = [], shell: HookShell = "sh"): string {
  const call = hookArgs(word, flags).join(" ");
  return shell === "sh" ? shLine(call) : powershellLine(call);
}

/**
 * The text is frozen: Codex trusts a hook by a hash of its command, and asks its user again when one letter changes.
 *
 * sh, dash, bash, zsh, fish and Git Bash all read it in the same way. fish has no `${a:-b}`, and aborts a line that
 * starts a missing program, so the line tests for the program first. Before any of our code runs, the program can
 * exit with 1 (in a deleted directory, or without file descriptors) or with the code of a crash. A hook must do no
 * harm then, so its errors are discarded and `true` sets the exit code.
 */
function shLine(call: string): string {
  const program = `"$HOME/${PROGRAM_PATH}"`;
  return `test -x ${program} && ${program} ${call} 2>/dev/null || true`;
}

/**
 * Returns the arguments of a hook that the agent starts without a shell. The program then stands in the settings by its
 * absolute path, since nobody puts the home directory in.
 */
export function hookArgs(word: string, flags: readonly string[] = []): string[] {
  return ["hook", word, ...flags];
}

/** Windows PowerShell 5.1 has no `&&`. `try` is for a missing program; to other shells it is an unknown command. */
function powershellLine(call: string): string {
  const program = `"$env:USERPROFILE\\${PROGRAM_PATH.replaceAll("/", "\\")}.exe"`;
  return `try { & ${program} ${call} } catch { }; exit 0`;
}
