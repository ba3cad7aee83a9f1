import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";
import type { GateKind } from "../../../src/recall/gate.ts";
import { SCRATCH } from "../../support/scratch.ts";
import { type BenchMemory, freshMemory, openBenchMemory } from "../memory.ts";
import { readMaterial } from "../settled-material.ts";
import { transcriptOf, uuidOf } from "../settled-transcript.ts";
import { candidateOf, judgedFor, WAYS } from "./features.ts";
import type { TurnRow } from "./rows.ts";
import { halfOf } from "./said.ts";

/**
 * `bun test/bench/worth/made.ts --out FILE [--corpus DIR --queries FILE]... [--unrelated FILE]` writes rows of features for
 * prompts whose answer is known without a reader: half 0 of `fixtures/settled`, and queries that were made from the sessions
 * of a history, those of the half to fit on. Unrelated queries have nothing to tell in any of these histories.
 */
const { values } = parseArgs({
  options: {
    out: { type: "string" },
    corpus: { type: "string", multiple: true, default: [] },
    queries: { type: "string", multiple: true, default: [] },
    unrelated: { type: "string", multiple: true, default: [] },
  },
});
if (values.out === undefined || values.corpus.length !== values.queries.length)
  throw new Error("--out FILE, and --queries FILE for each --corpus DIR");

/** A prompt, and the sessions that hold what should be told; none where nothing should be. */
interface MadePrompt {
  id: string;
  prompt: string;
  sessions: readonly string[];
}

/** So many queries of a history at most, so that none outweighs the others. */
const MAX_QUERIES = 150;
/** A wrong turn of a lower rank says little. */
const WRONG_RANKS = 8;
const QUERY = v.object({ query: v.string(), sessions: v.optional(v.array(v.string()), []) });

const out = values.out;
writeFileSync(out, "");
await writeSettled();
for (const [i, corpus] of values.corpus.entries()) await writeQueries(corpus, values.queries[i] ?? "");
process.exit(0);

/** In a settled rule's session each turn is worth telling, in any other none. */
async function writeSettled(): Promise<void> {
  const { talks, rules, amended, absent } = readMaterial();
  const directory = mkdtempSync(join(SCRATCH, "mementor-made-"));
  const transcripts = join(directory, "transcripts");
  mkdirSync(transcripts);
  for (const talk of talks) {
    const sessionId = uuidOf(talk.id);
    const lines = transcriptOf(talk, { sessionId, cwd: directory });
    writeFileSync(join(transcripts, `${sessionId}.jsonl`), `${lines.join("\n")}\n`);
  }
  const isHalf0 = (_: unknown, index: number) => index % 2 === 0;
  const prompts: MadePrompt[] = [
    ...rules.filter(isHalf0).map(({ id, prompt }) => ({ id, prompt, sessions: [uuidOf(id)] })),
    ...amended.filter(isHalf0).map(({ id, prompt }) => ({
      ...{ id, prompt, sessions: [uuidOf(`${id}, older`), uuidOf(`${id}, newer`)] },
    })),
    ...absent.filter(isHalf0).map(({ id, prompt }) => ({ id, prompt, sessions: [] })),
  ];
  try {
    await writeRows(await freshMemory(transcripts, directory), prompts, "every");
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Of a query's session the best turn is worth telling; whether another one is, nobody has said. */
async function writeQueries(corpus: string, queries: string): Promise<void> {
  const inFitHalf = readQueries(queries).filter(({ sessions: [first = ""] }) => halfOf(first) === "fit");
  const every = Math.ceil(inFitHalf.length / MAX_QUERIES);
  const related = inFitHalf.filter((_, i) => i % every === 0);
  const unrelated = values.unrelated.flatMap(readQueries).filter(({ prompt }) => halfOf(prompt) === "fit");
  const prompts = [...related, ...unrelated.map((each) => ({ ...each, sessions: [] }))];
  const name = basename(resolve(corpus));
  await writeRows(
    await openBenchMemory(corpus),
    prompts.map((each, i) => ({ ...each, id: `${name} ${i}` })),
    "best",
  );
}

function readQueries(file: string): Omit<MadePrompt, "id">[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const { query, sessions } = v.parse(QUERY, JSON.parse(line));
      return { prompt: query, sessions };
    });
}

async function writeRows(
  memory: BenchMemory,
  prompts: readonly MadePrompt[],
  worth: "every" | "best",
): Promise<void> {
  for (const by of WAYS) for (const each of prompts) await writeRowsBy(by, each, memory, worth);
  console.error(`${prompts.length} prompts`);
  await memory.close();
}

async function writeRowsBy(
  by: GateKind,
  { id, prompt, sessions }: MadePrompt,
  memory: BenchMemory,
  worth: "every" | "best",
): Promise<void> {
  const { ranked = [], chunks = 0 } = (await judgedFor(prompt, "none", by, memory)) ?? {};
  const isRight = (turn: { sessionId: string }) => sessions.includes(turn.sessionId);
  const best = ranked.findIndex(({ scored }) => isRight(scored.turn));
  const rows = ranked.flatMap(({ scored: { turn }, worth: { features } }, rank): TurnRow[] => {
    const grade = isRight(turn) ? 2 : 0;
    const isKnown = worth === "every" || (grade === 2 ? rank === best : sessions.length === 0);
    if (!isKnown || (grade === 0 && rank >= WRONG_RANKS)) return [];
    const common = { kind: "turn" as const, id, group: id, half: "fit" as const, made: true, by, chunks };
    const need = sessions.length === 0 ? 0 : 2;
    return [{ ...common, candidate: candidateOf(turn), need, turn: grade, f: { ...features } }];
  });
  appendFileSync(out, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}
