/**
 * Where hooks find this program, below the home directory. The same on every system and for any `XDG_DATA_HOME`, so
 * that one text works for every person, shell and machine, and shared settings contain no person's own path.
 */
export const PROGRAM_PATH = ".local/share/mementor/bin/mementor";

/**
 * Returns the command line of one hook.
 *
 * The text is frozen: Codex trusts a hook by a hash of its command, and asks its user again when one letter changes.
 *
 * sh, dash, bash, zsh, fish and Git Bash all read it in the same way. fish has no `${a:-b}`, and aborts a line that
 * starts a missing program, so the line tests for the program first. Before any of our code runs, the program can
 * exit with 1 (in a deleted directory, or without file descriptors) or with the code of a crash. A hook must do no
 * harm then, so its errors are discarded and `true` sets the exit code. Exit code 2 would block the agent.
 */
export function hookCommand(word: string, flags: readonly string[] = []): string {
  const program = `"$HOME/${PROGRAM_PATH}"`;
  return `test -x ${program} && ${program} ${["hook", word, ...flags].join(" ")} 2>/dev/null || true`;
}
