import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";
import { halfOf } from "./measures.ts";

const TURN = v.object({ prompt: v.string(), answer: v.string(), files: v.array(v.string()) });
const LATER = v.object({ ...TURN.entries, days: v.number(), same: v.boolean() });
const TOPIC = v.object({
  id: v.string(),
  question: v.string(),
  older: TURN,
  newer: v.object({ ...LATER.entries, says: v.string(), kind: v.picklist(["superseded", "contradictory"]) }),
  adjacent: v.array(LATER),
});

/** A fact, the one that replaced it, and later turns about something near it that leave it as it is. */
export type Topic = v.InferOutput<typeof TOPIC>;
type Turn = v.InferOutput<typeof TURN>;

/** The model of succession is fitted on half 0. Half 1 and the untouched topics, written after the rule, are the report. */
export const PARTS = ["half 0", "half 1", "untouched"] as const;
export type Part = (typeof PARTS)[number];

/** One question to a memory that holds a fact and one later turn. */
export interface TopicTrial {
  id: string;
  kind: "superseded" | "contradictory" | "adjacent";
  part: Part;
  question: string;
  /** What the later turn must be recognised by; empty where it must not be told. */
  says: string;
  /** What the older and the later turn are recognised by in a memory. */
  olderPrompt: string;
  laterPrompt: string;
  /** Turns of the memory: each list is a session. */
  sessions: Dated[][];
}

interface Dated extends Turn {
  time: number;
}

/** What is in a memory beside the pair: nothing, some other facts, or the facts of all topics. */
export const SURROUNDINGS = ["alone", "few", "all"] as const;
export type Surroundings = (typeof SURROUNDINGS)[number];

const FIXTURES = resolve(import.meta.dir, "../../fixtures/holds");
const CACHE = resolve(import.meta.dir, "../../.cache/bench/topics");
const FEW = 8;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5, 9);

export function readTopics(file: "topics" | "untouched" = "topics"): Topic[] {
  return readFileSync(join(FIXTURES, `${file}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => v.parse(TOPIC, JSON.parse(line)));
}

/** Questions that no topic answers. */
export function absentQuestions(): string[] {
  const lines = readFileSync(join(FIXTURES, "absent.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => v.parse(v.object({ query: v.string() }), JSON.parse(line)).query);
}

/** Makes the trials of all topics: which = 0 has the newer turn as the later one, 1 and 2 an adjacent one. */
export function trialsOf(topics: readonly Topic[], which: 0 | 1 | 2, around: Surroundings): TopicTrial[] {
  return trials(topics, topics, which, around).map((trial) => ({
    ...trial,
    part: `half ${halfOf(trial.id)}`,
  }));
}

/** Makes the trials of the untouched topics, in memories that also hold the facts of the others. */
export function untouchedTrials(
  untouched: readonly Topic[],
  topics: readonly Topic[],
  which: 0 | 1 | 2,
  around: Surroundings,
): TopicTrial[] {
  const all = [...topics, ...untouched];
  return trials(untouched, all, which, around).map((trial) => ({ ...trial, part: "untouched" }));
}

function trials(
  chosen: readonly Topic[],
  topics: readonly Topic[],
  which: 0 | 1 | 2,
  around: Surroundings,
): Omit<TopicTrial, "part">[] {
  const all = topics.flatMap((topic, i) => sessionsOf(topic, laterOf(topic, which), i));
  return chosen.map((topic) => {
    const i = topics.indexOf(topic);
    const later = laterOf(topic, which);
    const own = sessionsOf(topic, later, i);
    return {
      id: topic.id,
      kind: which === 0 ? topic.newer.kind : "adjacent",
      question: topic.question,
      says: which === 0 ? topic.newer.says : "",
      olderPrompt: topic.older.prompt,
      laterPrompt: later.prompt,
      sessions: around === "all" ? all : [...own, ...(around === "few" ? others(topics, topic) : [])],
    };
  });
}

function laterOf(topic: Topic, which: 0 | 1 | 2): v.InferOutput<typeof LATER> {
  const later = which === 0 ? topic.newer : topic.adjacent[which - 1];
  if (!later) throw new Error(`${topic.id} has no later turn ${which}`);
  return later;
}

function sessionsOf(topic: Topic, later: v.InferOutput<typeof LATER>, place: number): Dated[][] {
  const time = START + place * 0.3 * DAY;
  const first = { ...topic.older, time };
  const second = { ...later, time: time + later.days * DAY + 600_000 };
  return later.same ? [[first, second]] : [[first], [second]];
}

/** Facts of some other topics, the same ones every time. */
function others(topics: readonly Topic[], own: Topic): Dated[][] {
  return topics
    .filter((topic) => topic !== own)
    .map((topic) => ({ topic, rank: Bun.hash.xxHash32(`${own.id} ${topic.id}`) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, FEW)
    .map(({ topic, rank }) => [{ ...topic.older, time: START + (rank % 200) * DAY }]);
}

/** Talk that stands around what a turn is about, as it does in a real session. */
const TALK = [
  "I looked at the code and the tests around it first.",
  "Let me see how this is used elsewhere before I touch anything.",
  "The tests pass locally, and the type checker is content.",
  "There were two callers that I had not expected; both are covered.",
  "I kept the change small so that it is easy to read.",
  "One more place had the same pattern, which I left alone for now.",
  "I ran the whole suite twice to be sure it isn't flaky.",
  "The diff is mostly mechanical, the interesting part is below.",
];

/** Writes the transcripts of a trial's memory and returns their paths; the same for the same content. */
export function writeTranscripts(sessions: readonly Dated[][]): string[] {
  const key = Bun.hash(JSON.stringify(sessions)).toString(16);
  const directory = join(CACHE, key, "projects", "-home-dev-topics");
  mkdirSync(directory, { recursive: true });
  return sessions.map((turns) => {
    const id = uuidOf(JSON.stringify(turns));
    const file = join(directory, `${id}.jsonl`);
    writeFileSync(file, `${turns.flatMap((turn) => entriesOf(turn, id)).join("\n")}\n`);
    utimesSync(file, START / 1_000, START / 1_000);
    return file;
  });
}

function entriesOf(turn: Dated, sessionId: string): string[] {
  const hash = Bun.hash.xxHash32(turn.prompt);
  // Half of the turns are longer than what they are about.
  const talk = (n: number) => (hash % 2 === 0 ? `${TALK[(hash >>> n) % TALK.length]}\n\n` : "");
  const entry = (at: number, type: string, message: object) =>
    JSON.stringify({
      ...{ type, sessionId, isSidechain: false, userType: "external", cwd: "/home/dev/topics" },
      ...{ version: "2.1.330", gitBranch: "main", uuid: uuidOf(`${sessionId} ${turn.prompt} ${at}`) },
      timestamp: new Date(turn.time + at * 60_000).toISOString(),
      message,
    });
  const calls = turn.files.map((path, i) => ({
    ...{ type: "tool_use", id: `toolu_${hash}_${i}`, name: "Edit" },
    input: { file_path: `/home/dev/topics/${path}`, old_string: "a", new_string: "b" },
  }));
  const said = { type: "text", text: `${talk(3)}${turn.answer}${talk(5) && `\n\n${talk(5).trim()}`}` };
  return [
    entry(0, "user", { role: "user", content: turn.prompt }),
    entry(1, "assistant", { id: `msg_${hash}a`, role: "assistant", content: calls }),
    entry(2, "assistant", { id: `msg_${hash}b`, role: "assistant", content: [said] }),
  ];
}

function uuidOf(text: string): string {
  const hex = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
