import type { RecallStore } from "../../store/marks.ts";
import type { SearchStore } from "../../store/store.ts";
import { RANKED_CHARS } from "../read-to-rank.ts";

/** The latest turns of the running session that count as known to the agent. */
const OWN_TURNS = 12;

/** Lines at the end of what was said that tell whether the memory has read so far. */
const LAST_LINES = 3;

interface OwnSessionDeps {
  store: Pick<SearchStore, "turns">;
  recall: Pick<RecallStore, "latestTurns">;
  /** Returns what the session said last, which the memory may not have read yet. */
  saidNow?: (() => Promise<string>) | undefined;
}

/** Returns what the running session said last, turn by turn. */
export async function ownSession(
  sessionId: string,
  { store, recall, saidNow = async () => "" }: OwnSessionDeps,
): Promise<string[]> {
  const turnIds = await recall.latestTurns(sessionId, OWN_TURNS);
  const texts = (await store.turns(turnIds, RANKED_CHARS)).map(({ text }) => text).reverse();
  const now = await saidNow();
  return isRead(now, texts) ? texts : [...texts, now];
}

/** Whether the end of what was said stands in texts. */
function isRead(said: string, texts: readonly string[]): boolean {
  const lines = said
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.slice(-LAST_LINES).every((line) => texts.some((text) => text.includes(line)));
}
