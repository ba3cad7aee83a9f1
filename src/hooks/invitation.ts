import { addLine } from "../io/write.ts";
import {
  type AgentText,
  CLOSE,
  harmless,
  joinText,
  named,
  OPEN,
  tell,
} from "../recall/telling/agent-text.ts";
import type { Runtime } from "../runtime.ts";
import { PATH_LINE, programCall } from "../setup/program-call.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { plural } from "../text/numbers.ts";
import { onOneLine } from "../text/one-line.ts";
import { renderDate } from "../text/when.ts";
import { CLAUDE_CODE } from "./claude-code.ts";
import type { HookCall } from "./hook.ts";

/** Number of turns of earlier sessions from which on a memory is worth asking. */
const MIN_TURNS = 10;

/** Returns what invites an agent to ask the memory; null where that holds too little of earlier sessions. */
export async function invitationFor(
  sessionId: string,
  program: string,
  { recall }: Pick<SqliteStore, "recall">,
): Promise<Invitation | null> {
  const { turns, sessions, since } = await recall.heldBefore(sessionId);
  return turns < MIN_TURNS ? null : { sessions, since, program };
}

/**
 * Returns how an agent calls the program from now on. Claude Code gives the hook of a session's start a file of what its
 * Bash runs first: there the program's directory goes behind the PATH, so that its bare name runs.
 */
export function callFromNowOn({ host, payload }: Pick<HookCall, "host" | "payload">): string {
  const call = programCall(host);
  const file = payload.client === CLAUDE_CODE && host.platform !== "win32" ? host.env.CLAUDE_ENV_FILE : "";
  if (call === "mementor" || !file) return call;
  try {
    addLine(file, PATH_LINE);
    return "mementor";
  } catch {
    return call;
  }
}

/** Whether the plugin's skill says the same to the agent already. */
export async function isToldBySkill(
  { payload }: Pick<HookCall, "payload">,
  memory: Runtime,
): Promise<boolean> {
  if (payload.client !== CLAUDE_CODE) return false;
  const { pluginDirectory, pluginState } = await import("../setup/plugin/directory.ts");
  return pluginState(pluginDirectory(memory.paths.claudeDir)) === "installed";
}

/** Most characters of what a session is told at its start, and a subagent, both with their frame. */
const SESSION_CHARS = 400;
const SUBAGENT_CHARS = 700;

/** What the memory holds of earlier sessions, and the command line that asks it. */
interface Invitation {
  sessions: number;
  /** When the first of them was, in ISO 8601; null when no turn says it. */
  since: string | null;
  /** How the program is called: its name, or its path where a shell would not find it. */
  program: string;
}

/**
 * The wording for a session, which is chosen by experiment. The question stands in single quotes, since Claude Code
 * asks its user about a command with a backtick or `$name` in double ones.
 */
const forSession = ({ held, ask }: Words) =>
  tell`This project has a memory of ${held}. Before choosing a rule, limit, order, format or default that a new request leaves open, run \`${ask} 'question, with names in the code'\`. Not for chores, whole plans or what this session began. Ask once, at most twice; "nothing" is an answer: decide and say so. Check the code; latest wins.`;

/** The same for a subagent, or where a long path leaves no more room. */
const inShort = ({ held, ask }: Words) =>
  tell`This project has a memory of ${held}. Before you decide a rule, limit, order or format, ask it: \`${ask} 'question'\`. "Nothing" is an answer; of quotes the latest wins.`;

/** Renders what a session is told at its start: that there is a memory, when to ask it, and how. */
export function renderInvitation(invitation: Invitation): AgentText {
  const words = wordsOf(invitation);
  const text = framed([forSession(words)]);
  return text.length <= SESSION_CHARS ? text : framed([inShort(words)]);
}

/**
 * Renders what a subagent is told at its start: the files that its session touched last, as many as fit, and the
 * invitation in short. Null when there is neither.
 */
export function renderForSubagent(files: readonly string[], invitation: Invitation | null): AgentText | null {
  const invited = invitation === null ? [] : [inShort(wordsOf(invitation))];
  for (let count = files.length; count > 0; count--) {
    const names = named(files.slice(0, count).map(onOneLine).join(", "));
    const text = framed([tell`Files that this session touched last: ${harmless(names)}`, ...invited]);
    if (text.length <= SUBAGENT_CHARS) return text;
  }
  return invited.length === 0 ? null : framed(invited);
}

interface Words {
  held: AgentText;
  ask: AgentText;
}

function wordsOf({ sessions, since, program }: Invitation): Words {
  const when = since === null ? "" : ` since ${renderDate(since)}`;
  return { held: tell`${named(plural(sessions, "session"))}${named(when)}`, ask: named(`${program} recall`) };
}

function framed(lines: readonly AgentText[]): AgentText {
  return joinText([OPEN, ...lines, CLOSE], "\n");
}
