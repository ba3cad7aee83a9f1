import { join } from "node:path";
import { ask, type GateRecord } from "./ask-hook.ts";
import type { Expected, Measured } from "./check.ts";
import { measureIngest } from "./ingest.ts";
import { measureLists } from "./lists.ts";
import { median, type Row, SAMPLE } from "./measure.ts";
import { hitAt, meanReciprocalRank, share } from "./measures.ts";
import { type BenchMemory, openBenchMemory } from "./memory.ts";
import { measurePrompt } from "./prompt.ts";
import type { LabelledQuery } from "./prompts.ts";
import { readQueries } from "./prompts.ts";
import { rankQueries } from "./ranking.ts";
import { measureRead } from "./read.ts";
import { measureSearch } from "./search.ts";
import { measureStart } from "./start.ts";
import { measureTextStage } from "./text-stage.ts";

/** A labelled history of the user's, beside the sample. */
export interface Corpus {
  directory: string;
  queries: string;
}

/** Some rows that are measured together. */
export interface CheckPart {
  better: Expected["better"] | ((row: string) => Expected["better"]);
  noise: number;
  how: string;
  measure(): Promise<Measured[]>;
}

const RECALL = join(import.meta.dir, "../../fixtures/recall");
/** The sample is read so often, that it takes long enough. */
const REPEAT = 30;
const INGESTS = 3;
/** The sample is grown to this size. */
const TEXT_GIGABYTES = 0.03;
const SEARCHED_CHUNKS = [10_000];

/** Parts that take times; a busy moment makes them worse, never better. */
export function timedParts(corpus: Corpus | null): Readonly<Record<string, CheckPart>> {
  return {
    start: {
      better: "lower",
      noise: 0.15,
      how: "median time of 25 starts on the sample's memory / that of a compiled hello world, started in turn",
      measure: async () => ratios("start", await measureStart()),
    },
    read: {
      better: "lower",
      noise: 0.12,
      how: "best time of 9 to read transcripts into turns / to JSON.parse their every line, in turn",
      measure: async () => [
        { row: "read/sample", value: ratio((await measureRead(SAMPLE, REPEAT))[0]) },
        ...(corpus === null
          ? []
          : [
              {
                row: `read/${corpusName(corpus)}`,
                value: ratio((await measureRead(corpus.directory))[0]),
              },
            ]),
      ],
    },
    search: {
      better: "lower",
      noise: 0.2,
      how: "median time of 25 searches in made-up chunks / that of the plainest way, asked in turn",
      measure: async () =>
        ratios(
          "search",
          (await measureSearch(SEARCHED_CHUNKS)).filter(({ what }) => !what.startsWith("…")),
        ),
    },
    prompt: {
      better: "lower",
      noise: 0.15,
      how: "median time of 25 prompts' hooks in made-up chunks / that of a compiled hello world, started in turn",
      measure: async () => ratios("prompt", await measurePrompt()),
    },
    lists: {
      better: "lower",
      noise: 0.15,
      how: "median time of 25 lists of 20,000 turns / that of a compiled hello world, started in turn",
      measure: async () => ratios("lists", await measureLists()),
    },
    ingest: {
      better: "lower",
      noise: 0.15,
      how: "median ratio of 3 ingests of the sample to the embedder alone on its chunks",
      measure: measureIngests,
    },
    "text-stage": {
      better: "lower",
      noise: 0.3,
      how: "time until the sample, grown to 30 MB, can be searched by words / that of JSON.parse of its every line",
      measure: async () => {
        const [row] = await measureTextStage(SAMPLE, TEXT_GIGABYTES);
        return [{ row: "text-stage/sample", value: ratio(row) }];
      },
    },
  };
}

async function measureIngests(): Promise<Measured[]> {
  const runs: Row[][] = [];
  for (let run = 0; run < INGESTS; run++) runs.push(await measureIngest());
  return (runs[0] ?? []).map(({ what }, i) => ({
    row: `ingest/${what}`,
    value: median(runs.map((rows) => ratio(rows[i]))),
  }));
}

/** Parts whose figures are the same in every run on one machine. */
export function recallParts(corpus: Corpus | null): Readonly<Record<string, CheckPart>> {
  const places = [
    { name: "sample", directory: SAMPLE, queries: join(RECALL, "queries.jsonl") },
    ...(corpus === null ? [] : [{ name: corpusName(corpus), ...corpus }]),
  ];
  const each = async (work: (memory: BenchMemory, queries: LabelledQuery[]) => Promise<Measured[]>) => {
    const rows: Measured[] = [];
    for (const { name, directory, queries } of places) {
      const memory = await openBenchMemory(directory);
      try {
        const found = await work(memory, readQueries(queries));
        rows.push(...found.map(({ row, value }) => ({ row: row.replace("/", `/${name}, `), value })));
      } finally {
        await memory.close();
      }
    }
    return rows;
  };
  return {
    recall: {
      better: "higher",
      noise: 0.015,
      how: "hits and mean reciprocal rank of the right session / those of vectors alone, labelled queries",
      measure: () => each(recallRows),
    },
    gate: {
      better: (row) => (row.includes("right") ? "higher" : "lower"),
      noise: 0.03,
      how: "share of the prompts that the hook answers: labelled queries, and prompts about other things",
      measure: () => each(gateRows),
    },
  };
}

/** A corpus is known by its queries, wherever it lies. */
function corpusName({ queries }: Corpus): string {
  const hash = Bun.hash.xxHash32(
    readQueries(queries)
      .map(({ query }) => query)
      .join("\n"),
  );
  return `corpus ${hash.toString(16).padStart(8, "0")}`;
}

async function recallRows(memory: BenchMemory, queries: LabelledQuery[]): Promise<Measured[]> {
  const rows = await rankQueries(memory, queries);
  const ranks = rows.map(({ pipeline }) => pipeline);
  const alone = rows.map(({ vectors }) => vectors);
  return [
    { row: "recall/hit@1", value: hitAt(ranks, 1) / hitAt(alone, 1) },
    { row: "recall/hit@5", value: hitAt(ranks, 5) / hitAt(alone, 5) },
    { row: "recall/MRR", value: meanReciprocalRank(ranks) / meanReciprocalRank(alone) },
  ];
}

async function gateRows(memory: BenchMemory, queries: LabelledQuery[]): Promise<Measured[]> {
  const askAll = async (prompts: readonly LabelledQuery[], group: string) => {
    const records: GateRecord[] = [];
    for (const prompt of prompts) records.push(await ask(memory, prompt, group, false));
    return records;
  };
  const right = await askAll(queries, "right");
  const other = ["unrelated", "everyday"].flatMap((name) => readQueries(join(RECALL, `${name}.jsonl`)));
  const unrelated = await askAll(other, "unrelated");
  const trivial = await askAll(readQueries(join(RECALL, "trivial.jsonl")), "trivial");
  const answered = ({ answered }: GateRecord) => answered;
  return [
    { row: "gate/right prompts answered", value: share(right, answered) },
    {
      row: "gate/right prompts answered with a right session",
      value: share(right, ({ answered, holdsRight }) => answered && holdsRight),
    },
    { row: "gate/unrelated prompts answered", value: share(unrelated, answered) },
    { row: "gate/trivial prompts answered", value: share(trivial, answered) },
  ];
}

function ratios(part: string, rows: readonly Row[]): Measured[] {
  return rows.map((row) => ({ row: `${part}/${row.what}`, value: ratio(row) }));
}

function ratio(row: Row | undefined): number {
  return row === undefined ? Number.NaN : row.ms / row.baselineMs;
}
