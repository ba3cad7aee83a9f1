import type { HookPayload } from "../agents/hook-payload.ts";
import { sentence } from "../errors.ts";
import { addLine } from "../io/write.ts";
import { enqueueSearch, startWorker } from "../project/queue.ts";
import {
  type AgentText,
  CLOSE_FRAME,
  harmless,
  joinText,
  named,
  OPEN_FRAME,
  tell,
} from "../recall/telling/agent-text.ts";
import type { Runtime } from "../runtime.ts";
import { PATH_LINE, programCall } from "../setup/program/install-program.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { printable } from "../text/invisible.ts";
import { onOneLine } from "../text/lines.ts";
import { plural } from "../text/numbers.ts";
import { renderDate } from "../text/when.ts";
import { type HookCall, type HookHandler, silent, withContext } from "./hook.ts";
import { findMemory, hookRuntime, isReadable, readMemory, reasonOfSilence, recordSafely } from "./memory.ts";
import { CLAUDE_CODE } from "./payload.ts";

/**
 * SessionStart: invites the agent to ask the memory. After a compaction, notes that there was one; otherwise starts a
 * worker that reads transcripts that no hook has queued.
 */
export const sessionStart: HookHandler = async (call) => {
  const { payload } = call;
  const { session_id: sessionId } = payload;
  const memory = await hookRuntime(call.host, payload);
  const directory = (await isReadable(memory)) ? memory.memory.directory : null;
  if (directory === null) return { ...silent("off"), notice: await noticeOfSilence(memory, payload) };
  const isCompacted = payload.source === "compact";
  // A failure to queue, as on a read-only disk, must not suppress the invitation.
  if (!isCompacted) await recordSafely(memory, catchUp(memory, directory));
  const program = callFromNowOn(call);
  if (sessionId === null) return silent("no session", memory);
  const { config } = await memory.config();
  const isWanted = config.recall.invite && !(await isToldBySkill(call, memory));
  if (!isWanted && !isCompacted) return silent("caught up", memory);
  const invitation = await readMemory(memory, async (store, write) => {
    if (isCompacted)
      await recordSafely(
        memory,
        write(({ journal }) => journal.confirmCompaction(sessionId)),
      );
    return isWanted ? invitationFor(sessionId, program, store) : null;
  });
  return withContext(invitation && renderInvitation(invitation), memory);
};

/**
 * Returns what Claude Code's user is told where hooks say nothing, though the user may well have enabled the project. After a
 * compaction, the user knows.
 */
async function noticeOfSilence(
  runtime: Runtime,
  { client, source }: HookPayload,
): Promise<string | undefined> {
  if (client !== CLAUDE_CODE || source === "compact") return undefined;
  const reason = await reasonOfSilence(runtime);
  return reason === null
    ? undefined
    : printable(`mementor is silent. ${sentence(reason.message)} ${reason.hint ?? ""}`);
}

/** Has a worker read the transcripts that no hook has queued. */
async function catchUp({ host, project }: Runtime, directory: string): Promise<void> {
  enqueueSearch(directory);
  startWorker(host, project.root);
}

/** Number of turns of earlier sessions from which on a memory is worth asking. */
const MIN_TURNS = 10;

/** Returns what invites an agent to ask the memory; null where that holds too little of earlier sessions. */
async function invitationFor(
  sessionId: string,
  program: string,
  { recall }: Pick<SqliteStore, "recall">,
): Promise<Invitation | null> {
  const { turns, sessions, since } = await recall.heldBefore(sessionId);
  return turns < MIN_TURNS ? null : { sessions, since, program };
}

/**
 * Returns the command by which an agent calls the program. Claude Code gives the SessionStart hook a file that its Bash sources;
 * appending the program's directory to PATH there lets the bare name work.
 */
function callFromNowOn({ host, payload }: Pick<HookCall, "host" | "payload">): string {
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

/** Tells whether the plugin's skill says the same to the agent already. */
async function isToldBySkill({ payload }: Pick<HookCall, "payload">, memory: Runtime): Promise<boolean> {
  if (payload.client !== CLAUDE_CODE) return false;
  const { pluginDirectory, pluginState } = await import("../setup/plugin/directory.ts");
  return pluginState(pluginDirectory(memory.paths.claudeDir)) === "installed";
}

/** Maximum length of the invitation for a session and for a subagent, including the frame. */
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
 * The wording for a session, chosen by experiment. The question stands in single quotes, since Claude Code asks its user about a
 * command with a backtick or `$name` in double ones.
 */
const forSession = ({ held, ask }: Words) =>
  tell`This project has a memory of ${held}. Before choosing a rule, limit, order, format or default that a new request leaves open, run \`${ask} 'question, with names in the code'\`. Not for chores, whole plans or what this session began. Ask once, at most twice; "nothing" is an answer: decide and say so. Check the code; latest wins.`;

/** The same for a subagent, or where a long path leaves no more room. */
const inShort = ({ held, ask }: Words) =>
  tell`This project has a memory of ${held}. Before you decide a rule, limit, order or format, ask it: \`${ask} 'question'\`. "Nothing" is an answer; of quotes the latest wins.`;

/** Renders what a session is told at its start: that there is a memory, when to ask it, and how. */
function renderInvitation(invitation: Invitation): AgentText {
  const words = wordsOf(invitation);
  const text = framed([forSession(words)]);
  return text.length <= SESSION_CHARS ? text : framed([inShort(words)]);
}

/**
 * Renders what a subagent is told at its start: the files that its session touched last, as many as fit, and the
 * invitation in short. Null when there is neither.
 */
function renderForSubagent(files: readonly string[], invitation: Invitation | null): AgentText | null {
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
  return joinText([OPEN_FRAME, ...lines, CLOSE_FRAME], "\n");
}

/** Number of files to name. */
const FILES = 10;

/**
 * SubagentStart: tells a new subagent the files that its session touched last, and invites it to ask the memory. What its
 * session was told at its start does not reach it.
 */
export const subagentStart: HookHandler = async ({ payload, host }) => {
  const { session_id: sessionId } = payload;
  if (sessionId === null) return silent("no session");
  const memory = await findMemory(host, payload);
  if (!memory) return silent("off");
  const { config } = await memory.config();
  if (!config.recall.invite) return silent("off", memory);
  const text = await readMemory(memory, async (store) => {
    const { withheldTurns } = await import("./untold.ts");
    const except = await withheldTurns(memory, store);
    const { files } = await store.search.recentResources(sessionId, { files: FILES, urls: 0, except });
    return renderForSubagent(files, await invitationFor(sessionId, programCall(host), store));
  });
  return withContext(text, memory);
};
