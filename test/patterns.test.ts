import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import { pumped, pumpsOf } from "./support/pumped.ts";

/**
 * Every pattern of the program may see a text that a stranger wrote: a transcript, a file of git's, an import, a row of a server.
 * Those of `redact/` look at a few hundred characters from a place; `redact/hostile.test.ts` gives their texts to all of them. Settings'
 * descriptions and the pages of help are the program's own texts.
 */
const SOURCE = join(import.meta.dir, "..", "src");
const ELSEWHERE = /^(?:build|redact)\/|^(?:setup\/config-file|cli\/help\/blocks)\.ts$/;

/**
 * The longest text, and how long the work on it may take: as long as so many readings of it. What grows as the square of the
 * length takes four times as long for 64,000 characters, and limits such as `{0,200}` a fifth.
 */
const LENGTHS = [8_000, 64_000, 1_000_000];
const MAX_READINGS = 5_000;
const TRIES = 6;

interface Literal {
  place: string;
  pattern: RegExp;
}

function literalsOf(file: string): Literal[] {
  const { tokens } = parse(readFileSync(join(SOURCE, file), "utf8"), {
    sourceType: "module",
    plugins: ["typescript"],
    tokens: true,
  });
  return (tokens ?? []).flatMap(({ type, value, loc }) => {
    if (type.label !== "regexp") return [];
    const { pattern, flags } = value as { pattern: string; flags: string };
    return [{ place: `${file}:${loc.start.line} /${pattern}/${flags}`, pattern: new RegExp(pattern, flags) }];
  });
}

function workMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** How long this machine reads a character of a text: what a pattern takes is compared with that. */
const READING_MS = readingMs();

function readingMs(): number {
  const [text, times] = ["a".repeat(1_000_000), 200];
  const read = () => {
    for (let i = 0; i < times; i++) /^[^b]*b/.test(text);
  };
  return workMs(read) / (times * text.length);
}

/** A busy machine may make one look slow; what takes long in a short text is not tried on a longer one. */
function isFast(pattern: RegExp, pump: Parameters<typeof pumped>[0], lengths: readonly number[]): boolean {
  return lengths.every((length) => {
    const text = pumped(pump, length);
    const test = () => {
      pattern.lastIndex = 0;
      pattern.test(text);
    };
    return Array.from({ length: TRIES }).some(() => workMs(test) <= MAX_READINGS * READING_MS * length);
  });
}

const LITERALS = [...new Bun.Glob("**/*.ts").scanSync(SOURCE)]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !ELSEWHERE.test(file))
  .flatMap(literalsOf)
  .filter(isLooping);

/** What the program puts together from pieces: in a process of its own, which sees `new RegExp`. */
const SEEN = madePatterns();
const MADE = SEEN.filter(({ place }) => !ELSEWHERE.test(place))
  .map(({ place, source, flags }) => ({
    place: `${place} /${source}/${flags}`,
    pattern: new RegExp(source, flags),
  }))
  .filter(isLooping);

function madePatterns(): { place: string; source: string; flags: string }[] {
  const script = join(import.meta.dir, "support", "made-patterns.ts");
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, script]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}

function isLooping({ pattern }: Literal): boolean {
  return /[*+]|,\}/.test(pattern.source);
}

/** Where the program puts a pattern with loops together, by its files: the lines from and to. */
const SITES = [...new Bun.Glob("**/*.ts").scanSync(SOURCE)]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !ELSEWHERE.test(file))
  .flatMap(sitesIn);

function sitesIn(file: string): { file: string; from: number; to: number }[] {
  const source = readFileSync(join(SOURCE, file), "utf8");
  const { tokens } = parse(source, { sourceType: "module", plugins: ["typescript"], tokens: true });
  return (tokens ?? []).flatMap(({ type, value, loc, start }, at) => {
    const isMade = type.label === "name" && value === "RegExp" && tokens?.[at + 1]?.type.label === "(";
    if (!isMade) return [];
    const end = closing(source, start);
    const isLiteral = /^RegExp\(\s*(?:String\.raw)?`/.test(source.slice(start));
    const loops = !isLiteral || /[*+]|,\}/.test(source.slice(start, end).replace(/\$\{[^}]*\}/g, ""));
    return loops ? [{ file, from: loc.start.line, to: source.slice(0, end).split("\n").length }] : [];
  });
}

/** Where the call that starts at a place ends, roughly: where its brackets are even again. */
function closing(source: string, start: number): number {
  const end = source.indexOf(";\n", start);
  return end < 0 ? source.length : end;
}

test("each pattern that is put together from pieces is seen, also in functions", () => {
  const isSeen = ({ file, from, to }: (typeof SITES)[number]) =>
    SEEN.some(({ place }) => {
      const [, path = "", line = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
      return path === file && Number(line) >= from && Number(line) <= to;
    });
  expect(SITES.length).toBeGreaterThan(15);
  expect(SITES.filter((site) => !isSeen(site))).toEqual([]);
});

test.each([
  ["that stands in a source", LITERALS, 400],
  ["that is put together from pieces", MADE, 20],
])("no pattern %s takes longer than its text is long", (_, patterns, least) => {
  expect(patterns.length).toBeGreaterThan(least);
  const slow = patterns.filter(({ pattern }) =>
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
  const noticed = slow.filter((pattern) =>
    pumpsOf(pattern).some((pump) => !isFast(pattern, pump, [8_000, 24_000])),
  );
  expect(noticed).toEqual(slow);
});
