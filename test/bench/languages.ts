import { join } from "node:path";
import { parseArgs } from "node:util";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import { search } from "../../src/recall/search.ts";
import { hitAt, rankOf } from "./measures.ts";
import { type BenchMemory, openBenchMemory } from "./memory.ts";
import { allTurns } from "./replay.ts";
import { corpusOf, translatedQueries } from "./translated.ts";

/** Prompts of the corpus itself that are looked at: those in Korean. */
const HANGUL = /\p{Script=Hangul}/u;
const MIN_WORDS = 3;
/** A ranking is looked at this deep. */
const DEPTH = 50;

/** A query, the sessions that answer it, and the turns that are left out since they hold it. */
interface Asked {
  group: string;
  query: string;
  right: ReadonlySet<string>;
  without: ReadonlySet<number>;
}

const { values: options } = parseArgs({
  options: {
    /** A folder with `projects/` and `queries.jsonl`; may be given more than once. */
    corpus: { type: "string", multiple: true, default: [] },
    /** The id of an imported model, as `mementor model list` has it. */
    model: { type: "string" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

if (options.corpus.length === 0) {
  say("usage: bench:languages --corpus DIR [--corpus DIR]... [--model ID]");
  process.exit(1);
}

const ranks = new Map<string, number[]>();
const models = options.model === undefined ? [null] : [null, options.model];
for (const directory of options.corpus) for (const model of models) await rankCorpus(directory, model);
report([...ranks.keys()]);

/** Asks a corpus all its queries, by words alone and with a model; null is the built-in one. */
async function rankCorpus(directory: string, model: string | null): Promise<void> {
  const memory = await openBenchMemory(join(directory, "projects"), undefined, undefined, model ?? undefined);
  try {
    for (const asked of [...translated(directory), ...(await ownPrompts(memory))]) {
      if (model === null) await rank("words", asked, memory, null);
      await rank(model ?? BUILT_IN_MODEL.id, asked, memory, (text) => memory.prompts.embed(text));
    }
  } finally {
    await memory.close();
  }
}

async function rank(
  way: string,
  { group, query, right, without }: Asked,
  { store }: BenchMemory,
  embed: ((text: string) => Promise<Float32Array>) | null,
): Promise<void> {
  const { hits } = await search({ query, limit: DEPTH }, { store: store.search, embed });
  const sessions = hits.filter(({ turn }) => !without.has(turn.turnId)).map(({ turn }) => turn.sessionId);
  const key = `${group}\t${way}`;
  ranks.set(key, [...(ranks.get(key) ?? []), rankOf(sessions, right)]);
}

function translated(directory: string): Asked[] {
  return translatedQueries(directory)
    .filter(({ corpus }) => corpus === corpusOf(directory))
    .map(({ language, query, sessions }) => ({
      group: language,
      query,
      right: new Set(sessions),
      without: new Set<number>(),
    }));
}

/** The corpus's own prompts in Korean: whether another turn of their session is found, one that does not hold them. */
async function ownPrompts({ file, store }: BenchMemory): Promise<Asked[]> {
  const turns = await allTurns(file, store.search);
  return turns
    .filter(({ turn, prompt }) => turn.origin === "human" && turn.role === "turn" && HANGUL.test(prompt))
    .filter(({ prompt }) => prompt.split(/\s+/).length >= MIN_WORDS)
    .map(({ turn: { sessionId }, prompt }) => {
      const holding = turns.filter(({ turn }) => turn.text.includes(prompt));
      return {
        group: "own prompts in Korean",
        query: prompt,
        right: new Set([sessionId]),
        without: new Set(holding.map(({ turn }) => turn.turnId)),
      };
    });
}

function report(keys: readonly string[]): void {
  const groups = [...new Set(keys.map((key) => key.split("\t")[0] ?? ""))];
  const ways = [...new Set(keys.map((key) => key.split("\t")[1] ?? ""))];
  say(`| queries | n |${ways.map((way) => ` ${way}: first | among five |`).join("")}`);
  say(`| --- | ---: |${ways.map(() => " ---: | ---: |").join("")}`);
  for (const group of groups) {
    const cells = ways.map((way) => {
      const of = ranks.get(`${group}\t${way}`) ?? [];
      return ` ${percent(hitAt(of, 1))} | ${percent(hitAt(of, 5))} |`;
    });
    say(`| ${group} | ${ranks.get(`${group}\t${ways[0]}`)?.length ?? 0} |${cells.join("")}`);
  }
}

function percent(share: number): string {
  return (100 * share).toFixed(0);
}
