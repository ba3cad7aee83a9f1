/**
 * Where every hook finds this program, below the home directory: on every system and whatever `XDG_DATA_HOME` says, so
 * that one text serves every person, shell and machine, and settings that a team shares name nobody's own path.
 */
export const PROGRAM_PATH = ".local/share/mementor/bin/mementor";

/**
 * Makes the command line of one hook.
 *
 * The text is frozen: Codex trusts a hook by a hash of its command, and asks its user again when a letter changes.
 * It is read alike by sh, dash, bash, zsh, fish and Git Bash, which all start hooks somewhere; fish knows no `${a:-b}`,
 * and gives up a line that starts a program which is not there, so the line looks first. Before any code of ours runs,
 * the program ends with 1 in a directory that was deleted or with few file descriptors, and a crash has a code of its
 * own: a hook must do no harm then, so its errors go nowhere and `true` has the last word. 2 would block the agent.
 */
export function hookCommand(word: string, flags: readonly string[] = []): string {
  const program = `"$HOME/${PROGRAM_PATH}"`;
  return `test -x ${program} && ${program} ${["hook", word, ...flags].join(" ")} 2>/dev/null || true`;
}
