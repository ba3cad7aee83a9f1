import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { decide } from "../../src/recall/gate.ts";
import { ask, type GateRecord } from "./ask-hook.ts";
import { filterOf, parseForeign } from "./foreign.ts";
import { genericQueries } from "./generic.ts";
import { halfOf, wilson } from "./measures.ts";
import { openBenchEmbedder, openBenchMemory } from "./memory.ts";
import { withPartOfVectors } from "./part-of-vectors.ts";
import { readVerdicts, withVerdicts } from "./verdicts.ts";
import {
  type Corpus,
  promptsOfWindows,
  readCorpus,
  unrelatedPrompts,
  type WindowPrompt,
} from "./window-prompts.ts";
import { parseSizes } from "./windows.ts";

/**
 * `bun run bench:gate --corpus DIR --queries FILE [--corpus DIR --queries FILE]...` asks memories of every size, each made
 * of consecutive sessions, what the prompt hook answers. What is reported was not fitted to.
 */
const { values: options } = parseArgs({
  options: {
    corpus: { type: "string", multiple: true, default: [] },
    queries: { type: "string", multiple: true, default: [] },
    sizes: { type: "string", default: "1,3,10,30,all" },
    /** What a person said of the labels, from `bench:label`: it corrects them. */
    labels: { type: "string" },
    /** Asks without an embedder, as in the first minutes of a memory. */
    "words-only": { type: "boolean", default: false },
    /** Hides the vectors of all chunks but this share. */
    vectors: { type: "string" },
    /** Percent of the sessions of each memory that are a colleague's. */
    foreign: { type: "string", default: "0" },
    /** Whether these may be told: `all`, `none`, or `alone`, which leaves them out of the memory. */
    trust: { type: "string", default: "all" },
    /** Writes every answer with its features, for `fit-gate.ts`. */
    dump: { type: "string" },
    /** Judges what such files hold by the weights of today, instead of asking. */
    from: { type: "string", multiple: true, default: [] },
  },
});

export interface AskedPrompt extends Omit<WindowPrompt, "prompt" | "group">, GateRecord {
  /** The prompt could be about many sessions of its history. */
  generic: boolean;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
if (options.from.length > 0) {
  report(options.from.flatMap(readDump).filter(({ half }) => half === 1));
  process.exit(0);
}
if (options.corpus.length === 0 || options.corpus.length !== options.queries.length) {
  say(
    "usage: bench:gate --corpus DIR --queries FILE [--corpus DIR --queries FILE]... [--sizes 1,3,10,30,all]",
  );
  process.exit(1);
}
const foreign = parseForeign(options);
const sizes = parseSizes(options.sizes);
const corpora = options.corpus.map((directory, i) => readCorpus(directory, options.queries[i] ?? ""));
const verdicts = options.labels ? readVerdicts(options.labels) : [];
const embedder = await openBenchEmbedder();
const records: AskedPrompt[] = [];
for (const corpus of corpora) {
  const unrelated = await unrelatedPrompts(corpus, corpora);
  // A verdict corrects which sessions are right, not which half a prompt belongs to.
  const halves = new Map(corpus.queries.map(({ query, sessions }) => [query, halfOf(sessions[0] ?? query)]));
  const queries = withVerdicts(corpus.queries, verdicts);
  const generic = await genericIn({ ...corpus, queries });
  for (const size of sizes)
    for await (const record of promptsOfWindows({ ...corpus, queries }, size, unrelated, {
      embedder,
      foreign,
      ask: askOne,
    }))
      records.push({
        ...record,
        half: halves.get(record.query) ?? record.half,
        generic: record.right && generic.has(record.query),
      });
}
await embedder.close();
if (options.dump)
  writeFileSync(options.dump, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
report(records.filter(({ half }) => half === 1));

async function askOne(
  { prompt, ...asked }: WindowPrompt,
  { store, embedder }: Parameters<Parameters<typeof promptsOfWindows>[3]["ask"]>[1],
): Promise<Omit<AskedPrompt, "generic">> {
  const search = options.vectors ? withPartOfVectors(store.search, Number(options.vectors)) : store.search;
  const memory = {
    store: { search, recall: store.recall, browse: store.browse },
    embedder: options["words-only"] ? null : embedder,
    filter: filterOf(foreign),
  };
  return { ...asked, ...(await ask(memory, prompt, asked.group, false)) };
}

/** Returns the queries of a history that could be about many of its sessions. */
async function genericIn({ directory, queries }: Corpus): Promise<Set<string>> {
  const memory = await openBenchMemory(directory);
  try {
    const generic = await genericQueries(memory.store.search, queries);
    return new Set(generic.map(({ query }) => query));
  } finally {
    await memory.close();
  }
}

/** An answer is none where nothing was found; what the gate makes of the rest may have changed since. */
function readDump(file: string): AskedPrompt[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const record = JSON.parse(line) as AskedPrompt;
    const { features, kind } = record;
    return { ...record, answered: features !== null && kind !== null && decide(features, kind).open };
  });
}

function report(records: readonly AskedPrompt[]): void {
  const names = [...new Set(records.map(({ corpus }) => corpus))];
  const sizes = [...new Set(records.map(({ size }) => size))];
  say(
    "right prompts answered / unrelated prompts answered / trivial ones, each with n and its 95 % interval",
  );
  say(`| sessions | ${[...names, "all"].join(" | ")} |`);
  say(`| --- |${" --- |".repeat(names.length + 1)}`);
  const row = (label: string | number, chosen: readonly AskedPrompt[]) => {
    const cells = names.map((name) => cell(chosen.filter(({ corpus }) => corpus === name)));
    say(`| ${label} | ${[...cells, cell(chosen)].join(" | ")} |`);
  };
  for (const size of sizes)
    row(
      size,
      records.filter((record) => record.size === size),
    );
  row("pooled", records);
  const right = records.filter((record) => record.right);
  row(
    "generic queries",
    right.filter(({ generic }) => generic),
  );
  row(
    "all but generic ones",
    right.filter(({ generic }) => !generic),
  );
}

function cell(records: readonly AskedPrompt[]): string {
  return (["right", "unrelated", "trivial"] as const)
    .map((group) => {
      const chosen = records.filter((record) => record.group === group);
      if (chosen.length === 0) return "-";
      const { share, low, high } = wilson(chosen.filter(({ answered }) => answered).length, chosen.length);
      return `${share.toFixed(3)} (${chosen.length}: ${low.toFixed(2)}–${high.toFixed(2)})`;
    })
    .join(" / ");
}
