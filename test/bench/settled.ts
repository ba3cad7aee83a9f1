import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { readMaterial, type Talk, type Trial } from "./settled-material.ts";
import { transcriptOf, uuidOf } from "./settled-transcript.ts";

/**
 * `bun run bench:settled --bin PATH` gives a binary the history of `fixtures/settled`, asks its prompt hook each prompt in a
 * session of its own, and reports how often the hook told the rule that a conversation settled. Without `--bin` it builds the
 * binary. `--json FILE` writes every answer, one a line.
 */
const { values: options } = parseArgs({ options: { bin: { type: "string" }, json: { type: "string" } } });
// The sandbox reads this when it is loaded.
if (options.bin) process.env.MEMENTOR_TEST_BINARY = resolve(options.bin);
const { Sandbox } = await import("../support/sandbox.ts");

/** What the hook told for one prompt. */
interface Answer extends Trial {
  set: "rules" | "amended" | "absent";
  half: 0 | 1;
  told: string;
  /** The sessions of the told turns, by the name of their conversation; the most useful first. */
  from: string[];
  saysRule: boolean;
  saysOlder: boolean;
}

/** This share of a rule's words must stand in the told text, in their order. */
const ENOUGH = 0.8;
/** They must stand near each other: in a stretch of so many times the rule's words. */
const STRETCH = 2;

const HOOK = v.object({ hookSpecificOutput: v.object({ additionalContext: v.string() }) });
const TOLD = v.object({
  answers: v.array(v.object({ turns: v.array(v.object({ turn_id: v.number() })) })),
});
const SHOWN = v.object({ session_id: v.string() });

const material = readMaterial();
const names = new Map(material.talks.map(({ id }) => [uuidOf(id), id]));
await using sandbox = await Sandbox.create();
const transcripts = join(sandbox.home, ".claude/projects", sandbox.project.replaceAll(/[^A-Za-z0-9]/g, "-"));
await remember(material.talks);
// A registry is believed only where it was made, so that this is put back without the rest of the home directory.
const data = join(sandbox.home, ".local");
const kept = `${sandbox.home}-kept`;
await cp(data, kept, { recursive: true });
const answers: Answer[] = [];
for (const set of ["rules", "amended", "absent"] as const)
  for (const [index, trial] of material[set].entries()) answers.push(await ask(set, trial, index));
report(answers);
if (options.json)
  writeFileSync(options.json, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));

/** Writes the transcripts of all conversations and has the binary read them. */
async function remember(talks: readonly Talk[]): Promise<void> {
  mkdirSync(transcripts, { recursive: true });
  for (const talk of talks) {
    const sessionId = uuidOf(talk.id);
    const file = join(transcripts, `${sessionId}.jsonl`);
    writeFileSync(file, `${transcriptOf(talk, { sessionId, cwd: sandbox.project }).join("\n")}\n`);
    utimesSync(file, Date.parse(talk.at) / 1_000, Date.parse(talk.at) / 1_000);
  }
  await run(["enable", "--no-history"]);
  await run(["ingest", transcripts]);
  await run(["ingest", "--now"]);
}

async function run(args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await sandbox.run(args);
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")} exited with ${exitCode}: ${stderr}`);
  return stdout;
}

/** Asks the hook in a memory to which nothing else was put. */
async function ask(set: Answer["set"], trial: Trial, index: number): Promise<Answer> {
  await rm(data, { recursive: true, force: true });
  await cp(kept, data, { recursive: true });
  const session_id = uuidOf(`asks ${trial.id}`);
  const { exitCode, stdout, stderr } = await sandbox.hook("user-prompt-submit", {
    ...{ session_id, transcript_path: join(transcripts, `${session_id}.jsonl`), cwd: sandbox.project },
    ...{ permission_mode: "default", hook_event_name: "UserPromptSubmit", prompt: trial.prompt },
  });
  if (exitCode !== 0) throw new Error(`The hook exited with ${exitCode}: ${stderr}`);
  const told = stdout.trim() && v.parse(HOOK, JSON.parse(stdout)).hookSpecificOutput.additionalContext;
  return {
    ...{ set, ...trial, half: index % 2 === 0 ? 0 : 1, told },
    from: told ? await toldSessions() : [],
    saysRule: trial.rule !== undefined && says(told, trial.rule),
    saysOlder: trial.older !== undefined && says(told, trial.older),
  };
}

async function toldSessions(): Promise<string[]> {
  const [last] = v.parse(TOLD, JSON.parse(await run(["told", "-n", "1", "--json"]))).answers;
  const ids: string[] = [];
  for (const { turn_id } of last?.turns ?? []) {
    const { session_id } = v.parse(SHOWN, JSON.parse(await run(["show", String(turn_id), "--json"])));
    ids.push(names.get(session_id) ?? session_id);
  }
  return ids;
}

/** Tells whether a text holds enough words of a rule, in their order and near each other. */
function says(told: string, rule: string): boolean {
  const [words, wanted] = [wordsOf(told), wordsOf(rule)];
  const length = wanted.length * STRETCH;
  const starts = Math.max(1, words.length - length + 1);
  return Array.from({ length: starts }, (_, i) => words.slice(i, i + length)).some(
    (stretch) => longestCommon(stretch, wanted) >= ENOUGH * wanted.length,
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The length of the longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(word === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row[b.length] ?? 0;
}

function report(all: readonly Answer[]): void {
  const line = (what: string, set: Answer["set"], test: (answer: Answer) => boolean) => {
    const cells = [0, 1, undefined].map((half) => {
      const chosen = all.filter((answer) => answer.set === set && (half ?? answer.half) === answer.half);
      return `${chosen.filter(test).length} of ${chosen.length}`.padStart(10);
    });
    console.log(`${what.padEnd(44)}${cells.join("")}`);
  };
  const answered = ({ told }: Answer) => told !== "";
  console.log(
    `${"".padEnd(44)}${["half 0", "half 1", "together"].map((name) => name.padStart(10)).join("")}`,
  );
  line("settled: rule told", "rules", ({ saysRule }) => saysRule);
  line("settled: its conversation told", "rules", ({ from, id }) => from.includes(id));
  line("settled: its conversation told first", "rules", ({ from, id }) => from[0] === id);
  line("settled: answered", "rules", answered);
  line("amended: newer told", "amended", ({ saysRule }) => saysRule);
  line("amended: older told alone", "amended", ({ saysRule, saysOlder }) => saysOlder && !saysRule);
  line("amended: newer conversation told", "amended", ({ from, id }) => from.includes(`${id}, newer`));
  line("amended: older conversation told alone", "amended", ({ from, id }) => {
    return from.includes(`${id}, older`) && !from.includes(`${id}, newer`);
  });
  line("amended: answered", "amended", answered);
  line("absent: answered", "absent", answered);
  const characters = all.filter(answered).map(({ told }) => told.length);
  const mean = characters.reduce((sum, n) => sum + n, 0) / Math.max(1, characters.length);
  console.log(`characters of an answer, on average: ${mean.toFixed(0)}`);
}
