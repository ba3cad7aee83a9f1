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
  /** Unit of timeouts in the settings, seconds by default. */
  timeoutUnit?: "s" | "ms";
  /** True if an event's list contains hooks directly, as in Cursor's settings, instead of groups. */
  isFlat?: boolean;
  /** The shell that must run it, where the settings have a place for that; the default of the agent when absent. */
  shell?: "powershell";
}

/**
 * The settings that contain the hooks: the user's for this project, those shared with the repository, the user's for all
 * projects. In Claude Code's order of precedence, the most specific first.
 */
export const HOOK_SCOPES = ["local", "project", "user"] as const;

export type HookScope = (typeof HOOK_SCOPES)[number];

/** Options for writing hooks. */
export interface HookOptions {
  /** Passed to each hook. */
  flags?: readonly string[] | undefined;
  /** The shell that reads the line of a hook; `sh` when absent. */
  shell?: HookShell | undefined;
  /** True if the installed Claude Code takes what older ones do not: later events, and the exec form. */
  takesLater?: boolean | undefined;
  /** Absolute path of the program for hooks in the exec form; without it, hooks are shell lines. */
  program?: string | null | undefined;
}

/** Returns the entries for Claude Code's settings. Without a program, they are the same for all users of this shell. */
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

/** Returns a hook's command as one text, for comparing and recognising it. */
export function callText(command: string, args: readonly string[] = []): string {
  return [command, ...args].join(" ");
}

/** Quotes a command as earlier versions did in the settings: for sh, or for Git Bash on Windows. */
function shellWords(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => shWord(platform === "win32" ? word.replaceAll("\\", "/") : word)).join(" ");
}

/** A command that starts a program named mementor (any path, any suffix such as `-linux-x64.exe`) as a hook. */
const HOOK_COMMAND = /(?:^|[\s"'/\\&|;(])mementor[\w.-]*["']?\s+hook\s+[a-z-]+/i;

/** Tells whether a command in the settings is mementor's: of any version and any binary path, or `self`. */
export function isOwnCommand(command: string, self: readonly string[], platform: NodeJS.Platform): boolean {
  return HOOK_COMMAND.test(command) || command.startsWith(`${shellWords(self, platform)} hook `);
}

/**
 * Path of the program for hooks, below the home directory. The same on every system and for any `XDG_DATA_HOME`, so that one text
 * works for all users, shells and machines, and shared settings contain nobody's own path.
 */
export const PROGRAM_PATH = ".local/share/mementor/bin/mementor";

/**
 * Shells that run a hook's line. `sh` includes all similar shells, also Git Bash on Windows. There is no line for cmd: on
 * Windows, every agent starts Git Bash or PowerShell, or can be set to start PowerShell.
 */
export type HookShell = "sh" | "powershell";

/**
 * Returns the command line of one hook. It contains no user path, so nothing needs quoting: the shell itself inserts the home
 * directory, whatever its characters. A shell that runs the line of another one does not exit with 2, which would block the
 * agent.
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
 * Returns the arguments of a hook that the agent starts without a shell. The settings then contain the program's absolute path,
 * because no shell inserts the home directory.
 */
function hookArgs(word: string, flags: readonly string[] = []): string[] {
  return ["hook", word, ...flags];
}

/** Windows PowerShell 5.1 has no `&&`. `try` is for a missing program; to other shells it is an unknown command. */
function powershellLine(call: string): string {
  const program = `"$env:USERPROFILE\\${PROGRAM_PATH.replaceAll("/", "\\")}.exe"`;
  return `try { & ${program} ${call} } catch { }; exit 0`;
}
