import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { discoverTranscripts } from "../../src/agents/claude-code/discover.ts";

const UUID = /\b[\da-f]{8}(?=-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b)/g;
const WORD = /\b[a-z]{5,}\b/g;
/** Words of the format: keys, and types of records and blocks. */
const FORMAT = /"([^"\\]{1,40})":|"(?:type|subtype|role|mode)":"([^"\\]{1,40})"/g;
/** Every so many words of a round stand in the place of another. */
const CHANGED_WORDS = 3;

/**
 * Writes a history of about so many bytes below a directory, and returns its transcripts and their size: those of a
 * corpus again and again, each time with other ids and with words that changed places.
 */
export async function growHistory(
  corpus: string,
  target: string,
  wanted: number,
): Promise<{ paths: string[]; bytes: number }> {
  const sources = (await Array.fromAsync(discoverTranscripts(corpus))).sort();
  const words = vocabularyOf(sources);
  const paths: string[] = [];
  let bytes = 0;
  for (let round = 1; bytes < wanted; round++) {
    const change = changeOf(round, words);
    for (const source of sources) {
      if (bytes >= wanted) break;
      const path = join(target, `round-${round}`, freshIds(relative(corpus, source), round));
      const text = freshIds(readFileSync(source, "utf8"), round);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, round === 1 ? text : text.replace(WORD, (word) => change.get(word) ?? word));
      paths.push(path);
      bytes += Bun.file(path).size;
    }
  }
  return { paths, bytes };
}

/** The same in each file of a round, so that sessions keep their subagents. */
function freshIds(text: string, round: number): string {
  return text.replace(UUID, (start) =>
    ((Number.parseInt(start, 16) + round * 0x9e3779b1) >>> 0).toString(16).padStart(8, "0"),
  );
}

/** The words of the corpus, without those of the format. */
function vocabularyOf(sources: readonly string[]): string[] {
  const words = new Set<string>();
  const format = new Set<string>();
  for (const source of sources) {
    const text = readFileSync(source, "utf8");
    for (const [word] of text.matchAll(WORD)) words.add(word);
    for (const [, key, type] of text.matchAll(FORMAT))
      for (const [word] of (key ?? type ?? "").matchAll(/[a-z]{5,}/g)) format.add(word);
  }
  return [...words].filter((word) => !format.has(word)).sort();
}

/** Which word stands in whose place in a round; the same in every run. */
function changeOf(round: number, words: readonly string[]): Map<string, string> {
  const hashOf = (word: string) => Bun.hash.xxHash32(word, round);
  const changed = words.filter((word) => hashOf(word) % CHANGED_WORDS === 0);
  const shuffled = changed.toSorted((a, b) => hashOf(a) - hashOf(b));
  return new Map(changed.map((word, i) => [word, shuffled[i] ?? word]));
}
