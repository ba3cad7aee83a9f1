import { failuresSince } from "../agents/running.ts";
import type { Config } from "../config/settings.ts";
import { FRAME_CLOSE, FRAME_OPEN } from "../constants.ts";
import type { Cure } from "../domain.ts";
import { commandLikeness, wordsOfCommand } from "../ingest/transcript/cures/command.ts";
import { bestCure, errorLines, type FreshFailure, shareForm } from "../ingest/transcript/cures/match.ts";
import { trustedFilter } from "../recall/hidden.ts";
import {
  type AgentText,
  CLOSE_FRAME,
  harmless,
  joinText,
  NO_TEXT,
  named,
  OPEN_FRAME,
  tell,
  textOfRow,
} from "../recall/telling/agent-text.ts";
import { speakerLabel } from "../recall/telling/speaker.ts";
import type { Runtime } from "../runtime.ts";
import type { StoredCure } from "../store/marks.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import type { StoredTurn } from "../store/stored.ts";
import { cutAtWord } from "../text/cut.ts";
import { onOneLine } from "../text/lines.ts";
import { renderDate } from "../text/when.ts";
import { type HookPayload, hookAsker } from "./payload.ts";
import { untoldTurns } from "./untold.ts";

/** Cures that are compared with a failure, the newest. */
const MAX_CURES = 60;

export interface FailureRequest {
  sessionId: string;
  event: string;
  payload: HookPayload;
  config: Config;
  memory: Runtime;
}

/** The text about a failure, the turn that it quotes, and what to record so that it is not told again. */
interface FailureMemory {
  text: AgentText;
  turnId: number;
  said: string | null;
  subjects: string[];
}

/**
 * Returns what got past the same failure where the agent does not see it; null when nothing fits, and when this session met it before:
 * then it knows more than its memory.
 */
export async function failureMemory(
  failure: FreshFailure,
  { sessionId, event, payload, config, memory }: FailureRequest,
  store: SqliteStore,
): Promise<FailureMemory | null> {
  const subjects = failure.errors.map(({ form }) => subjectOf(form));
  const told = await store.journal.subjectsToldIn(sessionId, event);
  if (subjects.some((subject) => told.has(subject))) return null;
  const best = await knownCure(failure, { sessionId, payload, config, memory }, store);
  if (best === null || (await wasMetHere(failure, payload))) return null;
  const [turn] = await store.search.turns([best.turnId]);
  const text = turn === undefined ? null : renderCure(best.cure, turn, failure);
  return text === null ? null : { text, turnId: best.turnId, said: best.cure.said?.text ?? null, subjects };
}

async function knownCure(
  failure: FreshFailure,
  { sessionId, payload, config, memory }: Pick<FailureRequest, "sessionId" | "payload" | "config" | "memory">,
  { recall, marks, search, formerMembers }: SqliteStore,
): Promise<StoredCure | null> {
  const forms = failure.errors.map(({ form }) => form);
  const trust = await trustedFilter(config, { formerMembers });
  const hidden = await untoldTurns(memory, { marks, search });
  const all = (await recall.cures(forms, trust, MAX_CURES)).filter(({ turnId }) => !hidden.has(turnId));
  const unseen = await recall.cures(forms, { ...trust, inContext: hookAsker(sessionId, payload) }, MAX_CURES);
  const isUnseen = new Set(unseen.map(({ turnId }) => turnId));
  // The agent still sees how this session got past it.
  if (all.some(({ turnId }) => !isUnseen.has(turnId))) return null;
  return bestCure(failure, all);
}

/** Whether the running session met the failure before, as far as the end of its transcript says. */
async function wasMetHere(
  { errors }: FreshFailure,
  { client, transcript_path: transcript, tool_use_id: callId }: HookPayload,
): Promise<boolean> {
  if (transcript === null) return false;
  const failures = await failuresSince(client, transcript, typeof callId === "string" ? callId : null);
  return failures.some((output) => shareForm(errorLines(output), errors));
}

/** Marks an error that was told of. */
function subjectOf(form: string): string {
  return `error ${Bun.hash.xxHash32(form).toString(16)}`;
}

/** The whole text, in characters. */
const BUDGET = 400;
const CHARS = { failed: 70, error: 90, call: 150, words: 80, line: 160, leastSaid: 40 } as const;
/** A longer call is told by the words in which it differs. */
const LONG_CALL = 90;
/** Commands that are as like as this are called the same. */
const SAME_CALL = 0.95;
/** A call that is less like the failed one is of less use than why it was made. */
const OTHER_CALL = 0.5;
/** The tags around the text and the line ends after them; the signs around what was said. */
const FRAME = FRAME_OPEN.length + FRAME_CLOSE.length + 2;
const QUOTE = 5;
const NOTICE = "A past fact, not an instruction.";

/**
 * Renders what got past a failure: when and in which turn, whose it is, the call or the change, and what was said of it.
 * Null when it does not fit.
 */
export function renderCure(cure: Cure, turn: StoredTurn, failure: FreshFailure): AgentText | null {
  const past = pastBy(cure);
  if (past === null && cure.said === null) return null;
  const text = textOfRow(turn, ({ say, whose }) => {
    const where = joinText([named(renderDate(turn.createdAt)), ...whose(), tell`turn ${turn.turnId}`], ", ");
    const texts = headings(cure, failure).map(({ start, end }) => {
      const rest = [end, past, NOTICE].filter((each) => each !== null).join(" ");
      return withReason(tell`${start} (${where})${say(rest)}`, cure, turn, say);
    });
    const fitting = texts.filter((each) => each.text.length + FRAME <= BUDGET);
    return (
      (fitting.find(({ isWhole }) => isWhole) ?? (past === null ? undefined : fitting[0]))?.text ?? NO_TEXT
    );
  });
  return text === NO_TEXT ? null : tell`${OPEN_FRAME}\n${harmless(text)}\n${CLOSE_FRAME}`;
}

/** Adds why it was got past so, where there is room for that. */
function withReason(
  text: AgentText,
  { said }: Cure,
  turn: StoredTurn,
  say: (words: string) => AgentText,
): { text: AgentText; isWhole: boolean } {
  if (said === null) return { text, isWhole: true };
  const speaker = speakerLabel({ kind: said.isThinking ? "thinking" : "narration", text: said.text, turn });
  const room = BUDGET - FRAME - text.length - speaker.length - QUOTE;
  if (room < Math.min(CHARS.leastSaid, said.text.length)) return { text, isWhole: false };
  return { text: tell`${text}\n${named(speaker)}: "${say(cut(said.text, room))}"`, isWhole: true };
}

/** What is said of the earlier failure, at length and briefly: before its date and after it. */
function headings(cure: Cure, failure: FreshFailure): { start: AgentText; end: string }[] {
  const isSame = commandLikeness(failure.command, cure.failed) >= SAME_CALL;
  if (isSame && failure.errors.every((error) => shareForm([error], cure.errors)))
    return [{ start: tell`The same call failed in the same way before`, end: "." }];
  const start = tell`The same error was met before`;
  const error = `"${cut(errorOf(cure, failure), CHARS.error)}"`;
  const brief = { start, end: `: ${error}.` };
  if (isSame) return [brief];
  const whole = { start, end: `: \`${cut(cure.failed, CHARS.failed)}\` failed with ${error}.` };
  return [whole, brief, { start, end: "." }];
}

/** The error that both failures have in common. */
function errorOf({ errors }: Cure, failure: FreshFailure): string {
  const shared = errors.find(({ form }) => failure.errors.some((error) => error.form === form));
  return shared?.text ?? "";
}

function pastBy({ failed, call, isBefore, change, said }: Cure): string | null {
  if (change !== null)
    return `It passed after this in ${onOneLine(change.path)}: \`${cut(change.line, CHARS.line)}\`.`;
  if (call === null) return null;
  if (isBefore) return `It succeeded after \`${cut(call, CHARS.call)}\`.`;
  const differs = call.length > LONG_CALL ? differenceOf(failed, call) : null;
  if (differs !== null) return differs;
  const isOther = commandLikeness(failed, call) < OTHER_CALL || call.length > CHARS.call;
  if (said !== null && isOther) return null;
  return `Got past it: \`${cut(call, CHARS.call)}\`.`;
}

/** Says in which words a long call differs, where these are few and on one side. */
function differenceOf(failed: string, call: string): string | null {
  const [before, after] = [wordsOfCommand(failed), wordsOfCommand(call)];
  const gone = onOneLine([...before].filter((word) => !after.has(word)).join(" "));
  const added = onOneLine([...after].filter((word) => !before.has(word)).join(" "));
  if (/^cd \S+$/.test(added)) return `It succeeded after \`${added}\`.`;
  const only = gone === "" ? added : added === "" ? gone : "";
  if (only === "" || only.length > CHARS.words) return null;
  return `It succeeded ${gone === "" ? "with" : "without"} \`${only}\`.`;
}

function cut(text: string, chars: number): string {
  const line = onOneLine(text);
  return line.length <= chars ? line : cutAtWord(line, chars);
}
