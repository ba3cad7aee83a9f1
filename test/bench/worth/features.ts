import type { Embedder } from "../../../src/embed/embedder.ts";
import { withoutRepeats } from "../../../src/recall/distinct.ts";
import type { GateKind } from "../../../src/recall/gate.ts";
import type { QueryParts } from "../../../src/recall/query.ts";
import { rankForPrompt } from "../../../src/recall/ranking.ts";
import { sentenceFeatures, soughtWords } from "../../../src/recall/statement/features.ts";
import { type JudgedResult, judgeWorth } from "../../../src/recall/worth/choose.ts";
import { ownSession } from "../../../src/recall/worth/own-session.ts";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import type { StoredTurn } from "../../../src/store/stored.ts";
import { splitSentences } from "../../../src/turn/sentences.ts";
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

/** How turns are found and judged: as where the model is opened, and as where words alone are enough. */
export const WAYS: readonly GateKind[] = ["vectors", "words"];

/** Returns what the prompt hook would judge for a prompt, in the order of its ranking. */
export async function judgedFor(
  prompt: string,
  sessionId: string,
  by: GateKind,
  { store, embedder }: AskedMemory,
): Promise<{ ranked: JudgedResult[]; parts: QueryParts; chunks: number } | null> {
  const { turns, chunks } = await store.search.totals();
  if (turns === 0) return null;
  const { near, parts, cohort } = await rankForPrompt(prompt, sessionId, turns, {
    store: store.search,
    openEmbed: async () => (by === "words" ? null : (text) => embedder.embed(text)),
    timeLeftMs: () => Number.POSITIVE_INFINITY,
  });
  const judged = await judgeWorth(
    withoutRepeats(near).kept,
    { prompt, parts, memory: { turns, chunks, cohort }, strictness: "normal" },
    {
      sessionId,
      recall: store.recall,
      said: () => ownSession(sessionId, { store: store.search, recall: store.recall }),
    },
  );
  return { ranked: judged.sort((a, b) => b.scored.score - a.scored.score), parts, chunks };
}

/** Returns the rows of a prompt that readers judged, by vectors and by words. */
export async function labelledRows(
  prompt: string,
  label: PromptLabel,
  memory: AskedMemory & { project: string },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const by of WAYS) rows.push(...(await rowsBy(by, prompt, label, memory)));
  return rows;
}

/** Returns a row for each candidate that was judged, and by vectors one for the sentences of each that is worth it. */
async function rowsBy(
  by: GateKind,
  prompt: string,
  label: PromptLabel,
  memory: AskedMemory & { project: string },
): Promise<Row[]> {
  const { session, line, half, need, candidates } = label;
  const found = await judgedFor(prompt, session, by, memory);
  if (found === null) return [];
  const common = { id: `${session}:${line}`, group: session, half };
  return found.ranked.flatMap(({ scored: { turn }, worth: { features } }): Row[] => {
    const grade = candidates.find((one) => one.session === turn.sessionId && one.line === turn.lineIndex);
    if (grade === undefined) return [];
    const candidate = candidateOf(turn);
    const row: TurnRow = {
      kind: "turn",
      by,
      ...common,
      candidate,
      need,
      turn: grade.turn,
      made: false,
      chunks: found.chunks,
      f: { ...features },
    };
    const { said, f } = sentencesFor(turn, grade.say ?? [], found.parts, memory.project);
    const isTold = by === "vectors" && grade.turn >= WORTH && said.includes(true) && said.includes(false);
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
  const sentences = splitSentences(turn);
  const at = (offset: number) => portableOffset(turn.text, offset, project);
  const features = sentenceFeatures(sentences, soughtWords(parts));
  return {
    said: sentences.map(({ start, end }) => isSaid([at(start), at(end)], say)),
    f: features.map((each) => ({ ...each })),
  };
}
