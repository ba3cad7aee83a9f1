import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const TURN = v.picklist([0, 1, 2, 3]);
const PLACE = { session: v.string(), line: v.number() };

/** UTF-16 offsets of what should be told, in a turn's text in which the project's directory counts as one character. */
const RANGE = v.tuple([v.number(), v.number()]);

const PROMPT = v.object({
  corpus: v.string(),
  ...PLACE,
  time: v.optional(v.string()),
  half: v.picklist(["fit", "test"]),
  /** Whether memory of earlier sessions helps: no, perhaps, clearly. */
  need: v.picklist([0, 1, 2]),
  /** Who or what judged. */
  by: v.optional(v.string()),
  /** Earlier turns, each with how far it is worth recalling for this prompt. */
  candidates: v.optional(v.array(v.object({ ...PLACE, turn: TURN, say: v.optional(v.array(RANGE)) })), []),
});

const ANSWER = v.object({
  corpus: v.string(),
  ...PLACE,
  /** The version that gave the answer. */
  version: v.optional(v.string()),
  by: v.optional(v.string()),
  /** Whether the answer as a whole helps, makes no difference, or misleads; absent where only statements were judged. */
  net: v.nullish(v.picklist([-1, 0, 1]), null),
  items: v.array(
    v.object({ ...PLACE, turn: v.nullish(TURN, null), passage: v.nullish(TURN, null), hash: v.string() }),
  ),
});

export type PromptLabel = v.InferOutput<typeof PROMPT>;
export type AnswerLabel = v.InferOutput<typeof ANSWER>;

/** What readers said of prompts, of earlier turns, and of what was told. */
export interface Labels {
  prompts: PromptLabel[];
  answers: AnswerLabel[];
}

/** Reads files of one judgement a line; a directory stands for its files. */
export function readLabels(paths: readonly string[]): Labels {
  return parseLabels(paths.flatMap(filesAt).flatMap((file) => readFileSync(file, "utf8").split("\n")));
}

function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".jsonl"));
  return names.sort().map((name) => join(path, name));
}

/** A line with `need` is a prompt, any other is an answer. */
export function parseLabels(lines: readonly string[]): Labels {
  const labels: Labels = { prompts: [], answers: [] };
  for (const line of lines) {
    if (line.trim() === "") continue;
    const label: unknown = JSON.parse(line);
    if (v.is(v.object({ need: v.unknown() }), label)) labels.prompts.push(v.parse(PROMPT, label));
    else labels.answers.push(v.parse(ANSWER, label));
  }
  return labels;
}

/** Names a prompt: labels and calls of the same one have the same key. */
export function keyOf({ corpus, session, line }: { corpus: string; session: string; line: number }): string {
  return `${corpus} ${session} ${line}`;
}
