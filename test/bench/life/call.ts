import { readFileSync } from "node:fs";
import * as v from "valibot";

const TURN = v.object({
  session: v.string(),
  /** Where the turn begins in its session. */
  line: v.number(),
  turnId: v.number(),
  /** Names the statement that was told of it; null where the turn was only mentioned. */
  hash: v.nullable(v.string()),
});

const CALL = v.object({
  kind: v.picklist(["prompt", "file"]),
  corpus: v.string(),
  session: v.string(),
  line: v.number(),
  time: v.string(),
  place: v.picklist(["first", "second or third", "later"]),
  /** The tool that the file hook was asked before. */
  tool: v.nullable(v.string()),
  /** Length of the answer; 0 where the hook was silent. */
  chars: v.number(),
  ms: v.number(),
  turns: v.array(TURN),
});

/** One question to a hook, and what it told, without a word of the history. */
export type Call = v.InferOutput<typeof CALL>;

/** The words of a call. */
export interface CallTexts {
  /** The prompt, or the path of the file. */
  asked: string;
  told: string;
  /** For each turn of the call. */
  statements: (string | null)[];
}

/** Reads what a run wrote with `--out`. */
export function readCalls(file: string): Call[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => v.parse(CALL, JSON.parse(line)));
}
