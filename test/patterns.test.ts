import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import { pumped, pumpsOf } from "./support/pumped.ts";

/**
 * Every pattern of the program may see a text that a stranger wrote: a transcript, a file of git's, an import, a row of a server.
 * Those of `redact/` look at a few hundred characters from a place; `redact/hostile.test.ts` gives their texts to all of them.
 */
const SOURCE = join(import.meta.dir, "..", "src");
const ELSEWHERE = /^(?:build|redact)\//;

/** The longest text, and how long the work on it may take: where it grows as the square of the length it takes minutes. */
const LENGTHS = [8_000, 64_000, 1_000_000];
const MAX_MS_A_KILOCHAR = 2;
const TRIES = 4;

interface Literal {
  place: string;
  pattern: RegExp;
}

function* literalsOf(file: string): Iterable<Literal> {
  const { program } = parse(readFileSync(join(SOURCE, file), "utf8"), {
    sourceType: "module",
    plugins: ["typescript"],
  });
  for (const node of nodesIn(program)) {
    const { type, pattern, flags, loc } = node as Record<string, unknown> & {
      loc?: { start: { line: number } };
    };
    if (type !== "RegExpLiteral" || typeof pattern !== "string" || typeof flags !== "string") continue;
    yield { place: `${file}:${loc?.start.line} /${pattern}/${flags}`, pattern: new RegExp(pattern, flags) };
  }
}

function* nodesIn(node: unknown): Iterable<object> {
  if (typeof node !== "object" || node === null) return;
  yield node;
  for (const inner of Object.values(node)) yield* nodesIn(inner);
}

function workMs(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  const before = process.cpuUsage();
  pattern.test(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A busy machine may make one look slow; what takes long in a short text is not tried on a longer one. */
function isFast(pattern: RegExp, pump: Parameters<typeof pumped>[0], lengths: readonly number[]): boolean {
  return lengths.every((length) => {
    const text = pumped(pump, length);
    return Array.from({ length: TRIES }).some(
      () => workMs(pattern, text) <= (MAX_MS_A_KILOCHAR * length) / 1_000,
    );
  });
}

const PATTERNS = [...new Bun.Glob("**/*.ts").scanSync(SOURCE)]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !ELSEWHERE.test(file))
  .flatMap((file) => [...literalsOf(file)])
  .filter(({ pattern }) => /[*+]|,\}/.test(pattern.source));

test("no pattern takes longer than its text is long", () => {
  expect(PATTERNS.length).toBeGreaterThan(400);
  const slow = PATTERNS.filter(({ pattern }) =>
    pumpsOf(pattern).some((pump) => !isFast(pattern, pump, LENGTHS.slice(0, 2))),
  );
  expect(slow.map(({ place }) => place)).toEqual([]);
});

test.each([
  ["a branch's name", /^ref: refs\/heads\/(.*\S)\s*$/],
  ["the end of an address", /(?<![/\\])[/\\]+$/],
] as const)("%s is read from a text of a million characters", (_, pattern) => {
  expect(pumpsOf(pattern).filter((pump) => !isFast(pattern, pump, LENGTHS))).toEqual([]);
});

test("what is known to take long is noticed", () => {
  const slow = [/\s+$/, /^ref: refs\/heads\/(.+?)\s*$/, /[\w-]+\.ts\b/];
  const noticed = slow.filter((pattern) => pumpsOf(pattern).some((pump) => !isFast(pattern, pump, [8_000])));
  expect(noticed).toEqual(slow);
});
