import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

/** What makes a test fail, or pass, by chance: the clock, a pause, a number that nobody can repeat. */
const BY_CHANCE =
  /Math\.random\(|(?:Bun\.)?\bsleep\(|\bset(?:Timeout|Interval)\(|performance\.now\(\)(?!\\?`)|Date\.now\(/;
/** Programs that measure, and the one place that may wait. */
const EXEMPT = ["bench/", "mutation/", "support/wait.ts", "support/sandbox.ts", "habits.test.ts"];

/** A property's number of cases is the run's: `FC_RUNS`, or a share of it. */
const CASES = /\bnumRuns: \d/;

const files = [...new Glob("**/*.ts").scanSync(import.meta.dir)]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !EXEMPT.some((exempt) => file.startsWith(exempt)));

test("no test sleeps, measures time or draws unseeded numbers: support/wait.ts waits for conditions", () => {
  expect(linesWith(BY_CHANCE)).toEqual([]);
});

test("no property has a number of cases for itself: support/fast-check.ts gives it to all", () => {
  expect(linesWith(CASES)).toEqual([]);
  expect(CASES.test("{ numRuns: 300 },")).toBe(true);
});

test.each([
  "await Bun.sleep(20);",
  "setTimeout(done, 5);",
  "const x = Math.random() * 2;",
  "t = performance.now();",
])("%s is seen", (line) => {
  expect(BY_CHANCE.test(line)).toBe(true);
});

function linesWith(pattern: RegExp): string[] {
  return files.sort().flatMap((file) =>
    readFileSync(join(import.meta.dir, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}
