import { askedIn } from "../../agents/asked.ts";
import { agentOf } from "../../agents/list.ts";
import { readIfExists } from "../../io/read.ts";
import { cleanText } from "../../redact/clean.ts";
import type { Asked } from "../../render/asked.ts";
import type { AskedCall } from "../../store/contract/types/browse.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";

/**
 * Returns what agents asked this memory, the latest first: from their transcripts, since a command in
 * an agent's sandbox can record nothing. What they got is known as long as the transcript is there.
 */
export async function latestAsked(
  store: SqliteStore,
  query: { limit: number; sessionId?: string | undefined },
): Promise<Asked[]> {
  const latest = await store.browse.asked(query);
  const asked: Asked[] = [];
  for (const [turnId, ofTurn] of Map.groupBy(latest, (call) => call.turnId)) {
    const read = await readAgain(turnId, store).catch(() => null);
    asked.push(...(read === null || read.length === 0 ? ofTurn.map(fromSummary) : placed(read, ofTurn)));
  }
  return asked.slice(0, query.limit);
}

function fromSummary({ call, sessionId, turnId, time }: AskedCall): Asked {
  return { sessionId, turnId, time, question: call, got: null };
}

function placed(read: readonly Pick<Asked, "question" | "got">[], [first]: readonly AskedCall[]): Asked[] {
  if (first === undefined) return [];
  const { sessionId, turnId, time } = first;
  return read.map(({ question, got }) => ({ sessionId, turnId, time, question, got })).reverse();
}

/** What a turn asked as its transcript has it; null where that is gone. Secrets are taken out as at an ingest. */
async function readAgain(
  turnId: number,
  { browse }: SqliteStore,
): Promise<Pick<Asked, "question" | "got">[] | null> {
  const place = await browse.transcriptPlace(turnId);
  const text = place === null || place.firstLine === null ? null : readIfExists(place.path);
  if (place === null || place.firstLine === null || text === null) return null;
  const lines = text.split("\n");
  if (place.promptUuid !== null && lines[place.firstLine]?.includes(place.promptUuid) !== true) return null;
  const asked = await askedIn(
    agentOf(place.path).id,
    lines.slice(place.firstLine, place.endLine ?? undefined),
  );
  return asked?.map(({ question, got }) => ({ question: cleanText(question), got })) ?? null;
}
