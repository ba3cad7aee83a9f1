import { readFileSync } from "node:fs";
import * as v from "valibot";

const FEATURES = v.record(v.string(), v.number());
const PROMPT = {
  /** The prompt, and its session, which is never parted between what is fitted and what is tried. */
  id: v.string(),
  group: v.string(),
  half: v.picklist(["fit", "test"]),
};

const TURN = v.object({
  kind: v.literal("turn"),
  /** How the prompt's turns were found and judged. */
  by: v.picklist(["vectors", "words"]),
  ...PROMPT,
  /** The session and line of the candidate. */
  candidate: v.string(),
  /** Whether memory of earlier sessions helps, 0 to 2. */
  need: v.number(),
  /** How far the candidate is worth recalling, 0 to 3. */
  turn: v.number(),
  /** Made from a settled rule that was written for the purpose, not judged in a real history. */
  made: v.boolean(),
  /** Number of chunks in the memory. */
  chunks: v.number(),
  f: FEATURES,
});

const SENTENCES = v.object({
  kind: v.literal("sentences"),
  ...PROMPT,
  /** For each sentence of a turn that is worth it, whether a reader would have told it, and its features. */
  said: v.array(v.boolean()),
  f: v.array(FEATURES),
});

/** A judged candidate of a prompt as numbers, without a word of it. */
export type TurnRow = v.InferOutput<typeof TURN>;
/** The sentences of a turn that is worth telling, as numbers. */
export type SentenceRow = v.InferOutput<typeof SENTENCES>;
export type Row = TurnRow | SentenceRow;

/** Reads the rows of the half to fit on. */
export function readRows(files: readonly string[]): { turns: TurnRow[]; sentences: SentenceRow[] } {
  const rows = files
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => line.trim() !== "")
    .map((line) => v.parse(v.variant("kind", [TURN, SENTENCES]), JSON.parse(line)))
    .filter(({ half }) => half === "fit");
  return {
    turns: rows.filter((row) => row.kind === "turn"),
    sentences: rows.filter((row) => row.kind === "sentences"),
  };
}

/** Returns the features that all rows have, by name. */
export function namesOf(rows: readonly { f: TurnRow["f"] }[]): string[] {
  return Object.keys(rows[0]?.f ?? {}).filter((name) => rows.every(({ f }) => f[name] !== undefined));
}

/** Returns features as a list, in the order of their names. */
export function listOf(f: TurnRow["f"], names: readonly string[]): number[] {
  return names.map((name) => f[name] ?? 0);
}
