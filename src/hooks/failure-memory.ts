import { failuresSince } from "../agents/running-turn.ts";
import type { Config } from "../config/config.ts";
import type { AgentText } from "../render/agent-text.ts";
import { renderCure } from "../render/hooks/cure.ts";
import type { Runtime } from "../runtime.ts";
import { trustedFilter } from "../search/trusted.ts";
import type { StoredCure } from "../store/contract/recall.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { bestCure, type FreshFailure } from "../transcript/cures/match.ts";
import { errorLines, shareForm } from "../transcript/cures/signature.ts";
import { askerOf, type HookPayload } from "./payload.ts";
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
  const unseen = await recall.cures(forms, { ...trust, inContext: askerOf(sessionId, payload) }, MAX_CURES);
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
