import { shWord } from "../text/shell-words.ts";
import { type HookShell, hookArgs, hookCommand } from "./hook-command.ts";
import { HOOK_EVENTS, LATER_EVENTS, NO_SHELL } from "./hook-events.ts";

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
export interface HookForm {
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
export function hookEntries(form: HookForm = {}): HookEntry[] {
  const { flags = [], shell = "sh", takesLater = false, program = null } = form;
  const events = HOOK_EVENTS.filter(({ event }) => takesLater || !LATER_EVENTS.has(event));
  const callOf = (word: string) =>
    takesLater && program !== null
      ? { command: program, args: hookArgs(word, [...flags, NO_SHELL]) }
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
