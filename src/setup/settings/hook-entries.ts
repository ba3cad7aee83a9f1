import { shWord } from "../../text/lines.ts";
import { HOOK_EVENTS, LATER_EVENTS, NO_SHELL_FLAG } from "./hook-events.ts";

/** One hook in Claude Code's settings. */
export interface HookEntry {
  event: string;
  /** Tools that the hook is for; null for events without. */
  matcher: string | null;
  /** A line for a shell or, with `args`, the path of a program that is started without one (the exec form). */
  command: string;
  args?: readonly string[];
  timeoutSeconds: number;
  /** How the settings count timeouts: in seconds, unless they say otherwise. */
  timeoutUnit?: "s" | "ms";
  /** True where an event's list holds the hooks themselves, as in Cursor's settings, and not groups of them. */
  isFlat?: boolean;
  /** The shell that must run it, where the settings have a place for that; the default of the agent when absent. */
  shell?: "powershell";
}

/**
 * Whose settings hold the hooks: the user's for this project, those shared with the repository, the user's for all
 * projects. In the order in which Claude Code's settings win, the most specific first.
 */
export const HOOK_SCOPES = ["local", "project", "user"] as const;

export type HookScope = (typeof HOOK_SCOPES)[number];

/** What hooks are written for. */
export interface HookOptions {
  /** Passed to each hook. */
  flags?: readonly string[] | undefined;
  /** The shell that reads the line of a hook; `sh` when absent. */
  shell?: HookShell | undefined;
  /** Whether the installed Claude Code takes what older ones do not: later events, and the exec form. */
  takesLater?: boolean | undefined;
  /** Absolute path of the program that hooks start in the exec form; they are lines for a shell when null or absent. */
  program?: string | null | undefined;
}

/**
 * Returns the entries for Claude Code's settings. Without a program they are the same for every person whose hooks run
 * in this shell.
 */
export function hookEntries(form: HookOptions = {}): HookEntry[] {
  const { flags = [], shell = "sh", takesLater = false, program = null } = form;
  const events = HOOK_EVENTS.filter(({ event }) => takesLater || !LATER_EVENTS.has(event));
  const callOf = (word: string) =>
    takesLater && program !== null
      ? { command: program, args: hookArgs(word, [...flags, NO_SHELL_FLAG]) }
      : { command: hookCommand(word, flags, shell), ...(shell === "powershell" && { shell }) };
  return events.map(({ event, word, matcher, timeoutSeconds }) => ({
    event,
    matcher,
    timeoutSeconds,
    ...callOf(word),
  }));
}

/** Returns what a hook runs as one text, by which it is compared and recognised. */
export function callText(command: string, args: readonly string[] = []): string {
  return [command, ...args].join(" ");
}

/** Quotes a command as earlier versions did in the settings: for sh, or for Git Bash on Windows. */
function shellWords(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => shWord(platform === "win32" ? word.replaceAll("\\", "/") : word)).join(" ");
}

/** A command that starts a program named mementor (any path, any suffix such as `-linux-x64.exe`) as a hook. */
const HOOK_COMMAND = /(?:^|[\s"'/\\&|;(])mementor[\w.-]*["']?\s+hook\s+[a-z-]+/i;

/**
 * Whether a command in the settings is mementor's: of any version, with the binary at any place, or the command of
 * `self`.
 */
export function isOwnCommand(command: string, self: readonly string[], platform: NodeJS.Platform): boolean {
  return HOOK_COMMAND.test(command) || command.startsWith(`${shellWords(self, platform)} hook `);
}

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
function hookArgs(word: string, flags: readonly string[] = []): string[] {
  return ["hook", word, ...flags];
}

/** Windows PowerShell 5.1 has no `&&`. `try` is for a missing program; to other shells it is an unknown command. */
function powershellLine(call: string): string {
  const program = `"$env:USERPROFILE\\${PROGRAM_PATH.replaceAll("/", "\\")}.exe"`;
  return `try { & ${program} ${call} } catch { }; exit 0`;
}
