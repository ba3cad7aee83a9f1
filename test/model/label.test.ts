import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readVerdicts, withVerdicts } from "../bench/verdicts.ts";
import { SCRATCH } from "../support/scratch.ts";

const ROOT = resolve(import.meta.dir, "../..");
/** Three sessions: enough for a session that does not answer. */
const CORPUS = "fixtures/transcripts/decisions";
const QUERIES = ["which queue did we choose", "why did we choose that one"];

let directory: string;
let labels: string;
beforeEach(() => {
  directory = mkdtempSync(join(SCRATCH, "mementor-label-"));
  labels = join(directory, "labels.jsonl");
  writeFileSync(
    join(directory, "queries.jsonl"),
    QUERIES.map((query) => `${JSON.stringify({ query })}\n`).join(""),
  );
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the command with what a person types. */
async function label(typed: string, file = labels): Promise<{ exitCode: number; stdout: string }> {
  const child = Bun.spawn(
    [
      "bun",
      "test/bench/label.ts",
      "--corpus",
      CORPUS,
      "--queries",
      join(directory, "queries.jsonl"),
      "--labels",
      file,
    ],
    { cwd: ROOT, stdin: Buffer.from(typed), stdout: "pipe", stderr: "ignore" },
  );
  return { stdout: await child.stdout.text(), exitCode: await child.exited };
}

const shown = (stdout: string) => [...stdout.matchAll(/^--- query (\d) of 2, session \d of \d \((\S+),/gm)];

test("asks of each session that a ranking finds, keeps every answer, and goes on where it was left", async () => {
  const first = await label("y\nwhat?\nn\nq\n");
  expect(first.exitCode).toBe(0);
  expect(first.stdout).toContain(`2 kept in ${labels}`);
  const sessions = shown(first.stdout).map(([, , session = ""]) => session);
  expect(sessions.length).toBe(3);
  expect(readVerdicts(labels)).toEqual([
    { query: QUERIES[0] ?? "", session: sessions[0] ?? "", verdict: "yes" },
    { query: QUERIES[0] ?? "", session: sessions[1] ?? "", verdict: "no" },
  ]);
  const second = await label("skip\nq\n");
  expect(shown(second.stdout)[0]?.slice(1)).toEqual(["1", sessions[2] ?? ""]);
  expect(readVerdicts(labels).map(({ verdict }) => verdict)).toEqual(["yes", "no", "skip"]);
  const third = await label("n\nY\nn\n");
  expect(shown(third.stdout).every(([, query]) => query === "2")).toBe(true);
  expect(third.stdout).toContain("nothing is left to ask");
  const before = readFileSync(labels, "utf8");
  expect(shown((await label("")).stdout)).toEqual([]);
  expect(readFileSync(labels, "utf8")).toBe(before);
}, 600_000);

test("keeps nothing in the repository", async () => {
  const { exitCode, stdout } = await label("y\n", join(ROOT, "labels.jsonl"));
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining("is in this repository")]);
});

test("verdicts correct labels, and the last one counts", () => {
  const query = { query: "which queue", kind: "fact", sessions: ["a", "b"], paths: [] };
  const verdicts = [
    { query: "which queue", session: "b", verdict: "no" as const },
    { query: "which queue", session: "c", verdict: "no" as const },
    { query: "which queue", session: "c", verdict: "yes" as const },
    { query: "which queue", session: "d", verdict: "skip" as const },
    { query: "another", session: "e", verdict: "yes" as const },
  ];
  expect(withVerdicts([query], verdicts)).toEqual([{ ...query, sessions: ["a", "c"] }]);
});
