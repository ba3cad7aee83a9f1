import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { classify } from "../../src/recall/classify.ts";
import { ask, type GateRecord } from "./ask-hook.ts";
import { filterOf, parseForeign } from "./foreign.ts";
import { genericQueries } from "./generic.ts";
import { RANK_HEAD, rankLine, share } from "./measures.ts";
import { type BenchMemory, openBenchMemory } from "./memory.ts";
import { humanPrompts, type LabelledQuery, readQueries } from "./prompts.ts";
import { rankQueries } from "./ranking.ts";
import { allTurns } from "./replay.ts";
import { readVerdicts, withVerdicts } from "./verdicts.ts";

const EVERYDAY = resolve(import.meta.dir, "../../fixtures/recall/everyday.jsonl");
const UNRELATED = resolve(import.meta.dir, "../../fixtures/recall/unrelated.jsonl");
const TRIVIAL = resolve(import.meta.dir, "../../fixtures/recall/trivial.jsonl");
/** Of each other corpus at most so many prompts are asked. */
const PROMPTS_PER_CORPUS = 300;

const { values: options } = parseArgs({
  options: {
    corpus: { type: "string" },
    queries: { type: "string" },
    negatives: { type: "string", multiple: true, default: [] },
    unrelated: { type: "string", multiple: true, default: [] },
    /** What a person said of the results, from `bench:label`: it corrects the labels. */
    labels: { type: "string" },
    /** Writes every answer of the gate with its features, for `fit-gate.ts`. */
    dump: { type: "string" },
    /** Only the earliest so many sessions, and the queries that they answer: how a small memory does. */
    sessions: { type: "string" },
    /** Percent of the sessions that are a colleague's. */
    foreign: { type: "string", default: "0" },
    /** Whether these may be told: `all`, `none`, or `alone`, which leaves them out of the memory. */
    trust: { type: "string", default: "all" },
    /** Leaves out the prompts in the middle of a session. */
    fresh: { type: "boolean", default: false },
    /** Asks only every so manieth of the other projects' prompts. */
    every: { type: "string", default: "1" },
    "gate-only": { type: "boolean", default: false },
    "ranking-only": { type: "boolean", default: false },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);

if (options.corpus === undefined || options.queries === undefined) {
  say("usage: bench:recall --corpus DIR --queries FILE [--negatives FILE]... [--unrelated DIR]...");
  process.exit(1);
}
const foreign = parseForeign(options);
const filter = filterOf(foreign);
const memory = await openBenchMemory(
  options.corpus,
  options.sessions ? Number(options.sessions) : undefined,
  foreign,
);
try {
  const known = foreign.percent === 0 ? await sessionsOf(memory) : memory.sessionIds;
  const labelled = withVerdicts(
    readQueries(options.queries),
    options.labels ? readVerdicts(options.labels) : [],
  );
  const queries = labelled.filter(({ sessions }) => sessions.some((id) => known.has(id)));
  if (!options["gate-only"]) await benchRanking(memory, queries);
  if (!options["ranking-only"]) await benchGate(memory, queries);
} finally {
  await memory.close();
}

async function benchRanking(memory: BenchMemory, queries: LabelledQuery[]): Promise<void> {
  const rows = await rankQueries(memory, queries, filter);
  say(`\nranking\n${RANK_HEAD}`);
  const kinds = [...new Set(queries.map(({ kind }) => kind))];
  for (const kind of [...kinds, null]) {
    const chosen = rows.filter((row) => kind === null || row.query.kind === kind);
    say(
      rankLine(
        `${kind ?? "all"}: vectors alone`,
        chosen.map((row) => row.vectors),
      ),
    );
    say(
      rankLine(
        `${kind ?? "all"}: pipeline`,
        chosen.map((row) => row.pipeline),
      ),
    );
  }
  const generic = new Set(await genericQueries(memory.store.search, queries));
  for (const [label, chosen] of [
    ["generic queries", rows.filter(({ query }) => generic.has(query))],
    ["all but generic ones", rows.filter(({ query }) => !generic.has(query))],
  ] as const)
    say(
      rankLine(
        `${label}: pipeline`,
        chosen.map((row) => row.pipeline),
      ),
    );
  const unseen = rows.filter((row) => row.half === 1);
  say(
    rankLine(
      "half not fitted to: vectors alone",
      unseen.map((row) => row.vectors),
    ),
  );
  say(
    rankLine(
      "half not fitted to: pipeline",
      unseen.map((row) => row.pipeline),
    ),
  );
}

async function benchGate(memory: BenchMemory, queries: LabelledQuery[]): Promise<void> {
  const groups: { group: string; prompts: LabelledQuery[] }[] = [{ group: "right", prompts: queries }];
  for (const file of options.negatives) groups.push({ group: "negatives", prompts: readQueries(file) });
  for (const directory of options.unrelated) {
    const typed = (await humanPrompts(directory, PROMPTS_PER_CORPUS)).filter(
      (prompt, i) => !classify(prompt).trivial && i % Number(options.every) === 0,
    );
    groups.push({ group: `other project: ${directory.split("/").at(-2)}`, prompts: typed.map(unlabelled) });
  }
  groups.push({ group: "everyday", prompts: readQueries(EVERYDAY) });
  groups.push({ group: "unrelated", prompts: readQueries(UNRELATED) });
  groups.push({ group: "trivial", prompts: readQueries(TRIVIAL) });
  const records: GateRecord[] = [];
  for (const inSession of options.fresh ? [false] : [false, true])
    for (const { group, prompts } of groups)
      for (const prompt of prompts) records.push(await ask({ ...memory, filter }, prompt, group, inSession));
  if (options.dump)
    writeFileSync(options.dump, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  for (const inSession of options.fresh ? [false] : [false, true])
    report(
      records.filter((record) => record.inSession === inSession),
      inSession,
    );
}

async function sessionsOf({ file, store }: BenchMemory): Promise<Set<string>> {
  const turns = await allTurns(file, store.search);
  return new Set(turns.map(({ turn }) => turn.sessionId));
}

function unlabelled(query: string): LabelledQuery {
  return { query, kind: "unrelated", sessions: [], paths: [] };
}

function report(records: GateRecord[], inSession: boolean): void {
  say(`\ngate, ${inSession ? "in the middle of a session (10 files touched)" : "at the start of a session"}`);
  const right = records.filter((record) => record.right);
  for (const [label, chosen] of [
    ["right prompts", right],
    ["right prompts, half not fitted to", right.filter((record) => record.half === 1)],
  ] as const) {
    const answered = share(chosen, (record) => record.answered);
    const useful = share(chosen, (record) => record.answered && record.holdsRight);
    say(
      `${label.padEnd(44)} ${String(chosen.length).padStart(5)}  answered ${percent(answered)}  with a right session ${percent(useful)}`,
    );
  }
  const groups = [...new Set(records.map((record) => record.group))].filter((group) => group !== "right");
  const unrelated = records.filter((record) => !record.right && record.group !== "trivial");
  for (const [label, chosen] of [
    ...groups.map((group) => [group, records.filter((record) => record.group === group)] as const),
    ["all unrelated", unrelated] as const,
    ["all unrelated, half not fitted to", unrelated.filter((record) => record.half === 1)] as const,
  ])
    say(
      `${label.padEnd(44)} ${String(chosen.length).padStart(5)}  answered ${percent(share(chosen, (record) => record.answered))}`,
    );
  const told = records.filter((record) => record.answered).map((record) => record.characters);
  const mean = told.reduce((sum, n) => sum + n, 0) / Math.max(1, told.length);
  say(`characters of an answer: ${mean.toFixed(0)} on average, ${Math.max(0, ...told)} at most`);
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1).padStart(5)} %`;
}
