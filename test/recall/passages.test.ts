import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bestPassage } from "../../src/recall/passage.ts";
import { parseText } from "../../src/turn/grammar.ts";

interface Case {
  budget: number;
  chunk: [number, number] | null;
  words: string[];
  passage: string;
}

const FIXTURES = join(import.meta.dir, "../../fixtures");
const TURN = parseText(readFileSync(join(FIXTURES, "chunk/text.md"), "utf8"));
const CASES: Case[] = JSON.parse(readFileSync(join(FIXTURES, "search/passages.json"), "utf8"));

test.each(CASES)("in $budget characters around $chunk for $words", ({ budget, chunk, words, passage }) => {
  const at = chunk && { start: chunk[0], end: chunk[1] };
  expect(bestPassage(TURN, at, words, budget)).toBe(passage);
});
