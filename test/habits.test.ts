import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

/** What makes a test fail, or pass, by chance: the clock, a pause, a number that nobody can repeat. */
const BY_CHANCE =
  /Math\.random\(|(?:Bun\.)?\bsleep\(|\bset(?:Timeout|Interval)\(|performance\.now\(\)(?!\\?`)|Date\.now\(/;
/** Programs that measure, and the one place that may wait. */
const EXEMPT = ["bench/", "mutation/", "support/wait.ts", "support/sandbox.ts", "habits.test.ts"];

const files = [...new Glob("**/*.ts").scanSync(import.meta.dir)]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !EXEMPT.some((exempt) => file.startsWith(exempt)));

test("no test sleeps, measures time or draws unseeded numbers: support/wait.ts waits for conditions", () => {
  const found = files.sort().flatMap((file) =>
    readFileSync(join(import.meta.dir, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (BY_CHANCE.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test.each([
  "await Bun.sleep(20);",
  "setTimeout(done, 5);",
  "const x = Math.random() * 2;",
  "t = performance.now();",
])("%s is seen", (line) => {
  expect(BY_CHANCE.test(line)).toBe(true);
});
