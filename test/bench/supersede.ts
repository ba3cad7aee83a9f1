import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Embedder } from "../../src/embed/embedder.ts";
import { renderRecall } from "../../src/render/hooks/recall.ts";
import type { Scored } from "../../src/search/fusion.ts";
import type { SearchHit } from "../../src/search/hits.ts";
import { type RecallDecision, rankForPrompt, recall } from "../../src/search/recall.ts";
import { successionFeatures } from "../../src/search/succession/features.ts";
import { statementOf } from "../../src/search/succession/statement.ts";
import { wordsIn } from "../../src/search/succession/words.ts";
import type { SqliteStore } from "../../src/store/sqlite.ts";
import { halfOf } from "./measures.ts";
import { cachedMemory, openBenchEmbedder, openBenchMemory, openBenchStore } from "./memory.ts";
import { overridingSearch } from "./overriding.ts";
import { readQueries } from "./prompts.ts";
import {
  absentQuestions,
  PARTS,
  type Part,
  readTopics,
  SURROUNDINGS,
  type TopicTrial,
  trialsOf,
  untouchedTrials,
  writeTranscripts,
} from "./topics.ts";

/**
 * `bun run bench:supersede` asks memories about facts that a later turn replaced, contradicts or leaves as they are, and
 * reports what the prompt hook tells of both. The model is fitted on half 0 of the topics; half 1 and the untouched topics are
 * the report.
 */
const { values: options } = parseArgs({
  options: {
    /** Writes the features of every pair, for `fit-supersede.ts`. */
    dump: { type: "string" },
    /** Names the trials that missed. */
    verbose: { type: "boolean", default: false },
  },
});

/** What the hook did with one trial. */
interface Outcome extends Pick<TopicTrial, "id" | "kind" | "part"> {
  answered: boolean;
  characters: number;
  /** Characters without the rule. */
  before: number;
  older: boolean;
  later: boolean;
  /** The older turn is marked as replaced by the later one; another turn is by one that leaves it as it is. */
  marked: boolean;
  markedOther: boolean;
  /** The text for Claude holds what the newer turn must be recognised by. */
  says: boolean;
}

/** A pair with what the model looks at, as `--dump` writes it. */
export interface DumpedPair {
  part: Part;
  isSuccessor: boolean;
  isOther: boolean;
  features: ReturnType<typeof successionFeatures>;
}

const FIXTURES = resolve(import.meta.dir, "../../fixtures");
const say = (line: string) => process.stdout.write(`${line}\n`);
const topics = readTopics();
const untouched = readTopics("untouched");
const embedder = await openBenchEmbedder();
const dumped: DumpedPair[] = [];
for (const around of SURROUNDINGS) {
  const outcomes: Outcome[] = [];
  for (const which of [0, 1, 2] as const)
    for (const trial of [
      ...trialsOf(topics, which, around),
      ...untouchedTrials(untouched, topics, which, around),
    ]) {
      await using store = await openTrial(trial);
      const before = await askFor(trial.question, undated(store.search), embedder);
      const answer = await askFor(trial.question, store.search, embedder);
      outcomes.push({ ...outcomeOf(trial, answer), before: textOf(before).length });
      if (options.dump && around !== "alone" && trial.part !== "untouched")
        dumped.push(...(await pairsOf(trial, store)));
    }
  for (const part of PARTS)
    report(
      `${around}, ${part}`,
      outcomes.filter((outcome) => outcome.part === part),
    );
}
await reportAbsent();
if (options.dump) dumped.push(...(await pairsOfSample()));
await embedder.close();
if (options.dump) writeFileSync(options.dump, dumped.map((pair) => `${JSON.stringify(pair)}\n`).join(""));

async function openTrial({ sessions }: TopicTrial) {
  const store = await openBenchStore(await cachedMemory(writeTranscripts(sessions)));
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

function askFor(
  question: string,
  search: SqliteStore["search"],
  embedder: Embedder,
): Promise<RecallDecision> {
  return recall(question, "bench-session", {
    store: search,
    journal: { injectedTurns: async () => new Set() },
    openEmbed: async () => (text) => embedder.embed(text),
    timeLeftMs: () => Number.POSITIVE_INFINITY,
  });
}

function outcomeOf(trial: TopicTrial, answer: RecallDecision): Omit<Outcome, "before"> {
  const { hits } = answer;
  const all = [...hits, ...answer.later.values()];
  const older = hits.find((hit) => begins(hit, trial.olderPrompt));
  const later = all.find((hit) => begins(hit, trial.laterPrompt));
  const text = textOf(answer);
  const isMarked = (hit: SearchHit) => hit === older && hit.replacedBy?.turnId === later?.turn.turnId;
  const isRight = (hit: SearchHit) => {
    const newer = all.find(({ turn }) => turn.turnId === hit.replacedBy?.turnId);
    return [...topics, ...untouched].some(
      (topic) => begins(hit, topic.older.prompt) && newer && begins(newer, topic.newer.prompt),
    );
  };
  return {
    ...{ id: trial.id, kind: trial.kind, part: trial.part },
    answered: text !== "",
    characters: text.length,
    older: older !== undefined,
    later: later !== undefined,
    marked: hits.some((hit) => hit.replacedBy !== null && isMarked(hit)),
    markedOther: hits.some((hit) => hit.replacedBy !== null && !isMarked(hit) && !isRight(hit)),
    says: text.toLowerCase().includes(trial.says.toLowerCase()),
  };
}

function textOf({ hits, later }: RecallDecision): string {
  return renderRecall(hits, undefined, { later })?.text ?? "";
}

/** A memory that does not know when anything was said knows nothing that is later. */
function undated(search: SqliteStore["search"]): SqliteStore["search"] {
  const turns: typeof search.turns = async (ids) =>
    (await search.turns(ids)).map((turn) => ({ ...turn, createdAt: null }));
  return overridingSearch(search, { turns });
}

function begins({ turn }: Pick<Scored, "turn">, prompt: string): boolean {
  return turn.text.startsWith(`[User] ${prompt}`);
}

async function pairsOf(trial: TopicTrial, { search }: SqliteStore): Promise<DumpedPair[]> {
  const { turns } = await search.totals();
  const openEmbed = async () => (text: string) => embedder.embed(text);
  const deps = { store: search, openEmbed, timeLeftMs: () => Number.POSITIVE_INFINITY };
  const { near } = await rankForPrompt(trial.question, "bench-session", turns, deps);
  const older = near.find((scored) => begins(scored, trial.olderPrompt));
  if (!older) return [];
  const words = wordsIn(trial.question).map(({ form }) => form);
  return laterThan(older, near).map((later) => ({
    part: trial.part,
    isSuccessor: begins(later, trial.laterPrompt) && trial.kind !== "adjacent",
    isOther: !begins(later, trial.laterPrompt),
    features: successionFeatures(trial.question, statementOf(older, words), statementOf(later, words)),
  }));
}

/** Pairs of turns of a history in which hardly anything is replaced: for the model, nothing is. */
async function pairsOfSample(): Promise<DumpedPair[]> {
  const memory = await openBenchMemory(join(FIXTURES, "transcripts/sample"));
  const pairs: DumpedPair[] = [];
  const { search } = memory.store;
  const { turns } = await search.totals();
  const openEmbed = async () => (text: string) => embedder.embed(text);
  const deps = { store: search, openEmbed, timeLeftMs: () => Number.POSITIVE_INFINITY };
  for (const { query } of readQueries(join(FIXTURES, "recall/queries.jsonl"))) {
    const { near } = await rankForPrompt(query, "bench-session", turns, deps);
    const words = wordsIn(query).map(({ form }) => form);
    for (const older of near.slice(0, 5))
      for (const later of laterThan(older, near))
        pairs.push({
          part: `half ${halfOf(query)}`,
          isSuccessor: false,
          isOther: true,
          features: successionFeatures(query, statementOf(older, words), statementOf(later, words)),
        });
  }
  await memory.close();
  return pairs;
}

function laterThan(older: Scored, near: readonly Scored[]): Scored[] {
  const since = older.turn.createdAt ?? "";
  return near.filter(({ turn }) => (turn.createdAt ?? "") > since).slice(0, 8);
}

function report(label: string, outcomes: readonly Outcome[]): void {
  for (const kind of ["superseded", "contradictory", "adjacent"] as const) {
    const chosen = outcomes.filter((outcome) => outcome.kind === kind);
    const answered = chosen.filter((outcome) => outcome.answered);
    const count = (test: (outcome: Outcome) => boolean) => answered.filter(test).length;
    const alone = answered.filter(({ older, later }) => older && !later);
    const meanOf = (key: "characters" | "before") =>
      (chosen.reduce((sum, outcome) => sum + outcome[key], 0) / Math.max(1, chosen.length)).toFixed(0);
    const before = chosen.filter((outcome) => outcome.before > 0).length;
    say(
      [
        `${label}, ${kind}`.padEnd(30),
        `${answered.length} of ${chosen.length} answered (${before} without the rule)`,
        `${meanOf("characters")} characters (${meanOf("before")})`,
        `older alone ${alone.length}`,
        `later told ${count(({ later, says }) => later && says)}`,
        `marked as replaced ${count(({ marked }) => marked)}`,
        `others wrongly marked ${count(({ markedOther }) => markedOther)}`,
      ].join(" | "),
    );
    if (!options.verbose) continue;
    if (kind !== "adjacent" && alone.length > 0) say(`  alone: ${alone.map(({ id }) => id).join(" ")}`);
    const wrong = answered.filter(({ marked, markedOther }) =>
      kind === "adjacent" ? marked || markedOther : markedOther,
    );
    if (wrong.length > 0) say(`  wrongly marked: ${wrong.map(({ id }) => id).join(" ")}`);
  }
}

async function reportAbsent(): Promise<void> {
  const [trial] = trialsOf(topics, 0, "all");
  if (!trial) return;
  await using store = await openTrial(trial);
  const questions = absentQuestions();
  let answered = 0;
  for (const question of questions)
    answered += (await askFor(question, store.search, embedder)).hits.length > 0 ? 1 : 0;
  say(`absent: ${answered} of ${questions.length} answered`);
}
