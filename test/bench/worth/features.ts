import type { Embedder } from "../../../src/embed/embedder.ts";
import { withoutRepeats } from "../../../src/recall/distinct.ts";
import type { QueryParts } from "../../../src/recall/query.ts";
import { rankForPrompt } from "../../../src/recall/ranking.ts";
import { sentenceFeatures } from "../../../src/recall/statement/features.ts";
import { type Judged, judgeWorth } from "../../../src/recall/worth/choose.ts";
import { soughtWords } from "../../../src/recall/worth/told.ts";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import type { StoredTurn } from "../../../src/store/stored.ts";
import { sentencesOf } from "../../../src/turn/sentences.ts";
import type { PromptLabel } from "../life/labels.ts";
import type { Row, SentenceRow, TurnRow } from "./rows.ts";
import { isSaid, portableOffset } from "./said.ts";

/** A memory at the moment of a prompt, and what embeds the prompt. */
export interface AskedMemory {
  store: SqliteStore;
  embedder: Embedder;
}

/** From this grade on a turn is worth telling. */
const WORTH = 2;

/** Returns what the prompt hook would judge for a prompt, as it ranks that, by words and vectors. */
export async function judgedFor(
  prompt: string,
  sessionId: string,
  { store, embedder }: AskedMemory,
): Promise<{ ranked: Judged[]; parts: QueryParts } | null> {
  const { turns, chunks } = await store.search.totals();
  if (turns === 0) return null;
  const { near, parts, cohort, vector } = await rankForPrompt(prompt, sessionId, turns, {
    store: store.search,
    openEmbed: async () => (text) => embedder.embed(text),
    timeLeftMs: () => Number.POSITIVE_INFINITY,
  });
  const judged = await judgeWorth(
    withoutRepeats(near).kept,
    { prompt, parts, vector, memory: { turns, chunks, cohort }, strictness: "normal" },
    { sessionId, store: store.search, recall: store.recall },
  );
  return { ranked: judged.sort((a, b) => a.worth.features.rank - b.worth.features.rank), parts };
}

/** Returns a row for each candidate of a prompt that readers judged, and one for the sentences of each that is worth it. */
export async function labelledRows(
  prompt: string,
  label: PromptLabel,
  memory: AskedMemory & { project: string },
): Promise<Row[]> {
  const { session, line, half, need, candidates } = label;
  const found = await judgedFor(prompt, session, memory);
  if (found === null) return [];
  const common = { id: `${session}:${line}`, group: session, half };
  return found.ranked.flatMap(({ scored: { turn }, worth: { features } }): Row[] => {
    const grade = candidates.find((one) => one.session === turn.sessionId && one.line === turn.lineIndex);
    if (grade === undefined) return [];
    const candidate = candidateOf(turn);
    const row: TurnRow = {
      kind: "turn",
      ...common,
      candidate,
      need,
      turn: grade.turn,
      made: false,
      f: { ...features },
    };
    const { said, f } = sentencesFor(turn, grade.say ?? [], found.parts, memory.project);
    const isTold = grade.turn >= WORTH && said.includes(true) && said.includes(false);
    return isTold ? [row, { kind: "sentences", ...common, said, f }] : [row];
  });
}

/** Names a candidate in rows. */
export function candidateOf({ sessionId, lineIndex }: Pick<StoredTurn, "sessionId" | "lineIndex">): string {
  return `${sessionId}:${lineIndex}`;
}

function sentencesFor(
  turn: StoredTurn,
  say: readonly (readonly [number, number])[],
  parts: QueryParts,
  project: string,
): Pick<SentenceRow, "said" | "f"> {
  const sentences = sentencesOf(turn);
  const at = (offset: number) => portableOffset(turn.text, offset, project);
  const features = sentenceFeatures(sentences, soughtWords(parts));
  return {
    said: sentences.map(({ start, end }) => isSaid([at(start), at(end)], say)),
    f: features.map((each) => ({ ...each })),
  };
}
