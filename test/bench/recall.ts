import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { MAX_ENRICHMENT_FILES } from "../../src/constants.ts";
import { renderRecall } from "../../src/render/recall.ts";
import { classify } from "../../src/search/classify.ts";
import type { GateFeatures } from "../../src/search/gate.ts";
import { recall } from "../../src/search/recall.ts";
import { search } from "../../src/search/search.ts";
import type { SearchStore } from "../../src/store/store.ts";
import { halfOf, RANK_HEAD, rankLine, rankOf, share } from "./measures.ts";
import { type BenchMemory, openBenchMemory } from "./memory.ts";
import { humanPrompts, type LabelledQuery, readQueries } from "./prompts.ts";

const EVERYDAY = resolve(import.meta.dir, "../../fixtures/recall/everyday.jsonl");
const TRIVIAL = resolve(import.meta.dir, "../../fixtures/recall/trivial.jsonl");
/** Of each other corpus at most so many prompts are asked. */
const PROMPTS_PER_CORPUS = 300;
/** A ranking is looked at this deep. */
const DEPTH = 50;

const { values: options } = parseArgs({
  options: {
    corpus: { type: "string" },
    queries: { type: "string" },
    negatives: { type: "string", multiple: true, default: [] },
    unrelated: { type: "string", multiple: true, default: [] },
    /** Writes every answer of the gate with its features, for `fit-gate.ts`. */
    dump: { type: "string" },
    "ranking-only": { type: "boolean", default: false },
  },
});

/** What the gate did with one prompt. */
export interface GateRecord {
  group: string;
  right: boolean;
  inSession: boolean;
  half: 0 | 1;
  query: string;
  turns: number;
  answered: boolean;
  /** A right session is among the turns that are told when the gate opens. */
  holdsRight: boolean;
  characters: number;
  features: GateFeatures | null;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

if (options.corpus === undefined || options.queries === undefined) {
  say("usage: bench:recall --corpus DIR --queries FILE [--negatives FILE]... [--unrelated DIR]...");
  process.exit(1);
}
const memory = await openBenchMemory(options.corpus);
try {
  const queries = readQueries(options.queries);
  await benchRanking(memory, queries);
  if (!options["ranking-only"]) await benchGate(memory, queries);
} finally {
  await memory.close();
}

async function benchRanking({ store, embedder }: BenchMemory, queries: LabelledQuery[]): Promise<void> {
  const rows: { query: LabelledQuery; vectors: number; pipeline: number; half: 0 | 1 }[] = [];
  for (const query of queries) {
    const right = new Set(query.sessions);
    const vector = await embedder.embed(query.query);
    const nearest = await store.search.nearestChunks(vector, 4 * DEPTH);
    const turns = await store.search.turns([...new Set(nearest.map((hit) => hit.turnId))]);
    const sessionOf = new Map(turns.map((turn) => [turn.turnId, turn.sessionId]));
    const deps = { store: store.search, embed: (text: string) => embedder.embed(text) };
    const { hits } = await search({ query: query.query, limit: DEPTH }, deps);
    rows.push({
      query,
      vectors: rankOf(
        nearest.map((hit) => sessionOf.get(hit.turnId) ?? ""),
        right,
      ),
      pipeline: rankOf(
        hits.map((hit) => hit.turn.sessionId),
        right,
      ),
      half: halfOf(query.sessions[0] ?? ""),
    });
  }
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
      (prompt) => !classify(prompt).trivial,
    );
    groups.push({ group: `other project: ${directory.split("/").at(-2)}`, prompts: typed.map(unlabelled) });
  }
  groups.push({ group: "everyday", prompts: readQueries(EVERYDAY) });
  groups.push({ group: "trivial", prompts: readQueries(TRIVIAL) });
  const records: GateRecord[] = [];
  for (const inSession of [false, true])
    for (const { group, prompts } of groups)
      for (const prompt of prompts) records.push(await ask(memory, prompt, group, inSession));
  if (options.dump)
    writeFileSync(options.dump, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  for (const inSession of [false, true])
    report(
      records.filter((record) => record.inSession === inSession),
      inSession,
    );
}

function unlabelled(query: string): LabelledQuery {
  return { query, kind: "unrelated", sessions: [] };
}

async function ask(
  { store, embedder }: BenchMemory,
  prompt: LabelledQuery,
  group: string,
  inSession: boolean,
): Promise<GateRecord> {
  const search = inSession ? await workingOn(store.search, prompt.query) : store.search;
  const right = new Set(prompt.sessions);
  const decision = await recall(prompt.query, "bench-session", {
    store: search,
    journal: { injectedTurns: async () => new Set() },
    openEmbed: async () => (text) => embedder.embed(text),
    isLate: () => false,
  });
  const text = renderRecall(decision.hits);
  const told = decision.explain?.candidates.filter((one) => one.filteredBy === null) ?? [];
  return {
    group,
    right: group === "right",
    inSession,
    half: halfOf(prompt.sessions[0] ?? prompt.query),
    query: prompt.query,
    turns: (await store.search.totals()).turns,
    answered: text !== null,
    holdsRight: told.some(({ scored }) => right.has(scored.turn.sessionId)),
    characters: text?.text.length ?? 0,
    features: decision.gate?.features ?? null,
  };
}

/** A session that has touched ten files already: those of some other session, whichever the prompt's hash picks. */
async function workingOn(store: SearchStore, prompt: string): Promise<SearchStore> {
  const { turns } = await store.totals();
  const start = Bun.hash.xxHash32(prompt) % turns;
  const near = await store.turns(Array.from({ length: 20 }, (_, i) => 1 + ((start + i) % turns)));
  for (const { sessionId } of near) {
    const { files } = await store.recentResources(sessionId, { files: MAX_ENRICHMENT_FILES, urls: 0 });
    if (files.length < 5) continue;
    return {
      ...store,
      recentResources: async () => ({ files, urls: [] }),
      accessPattern: (_session, window) => store.accessPattern(sessionId, window),
    };
  }
  return store;
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
