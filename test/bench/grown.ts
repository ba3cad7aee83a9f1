import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { discoverTranscripts } from "../../src/agents/claude-code/agent.ts";

const UUID = /\b[\da-f]{8}(?=-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b)/g;
const WORD = /\b[a-z]{5,}\b/g;
/** What people and agents say. Everything else of a record keeps its form and its names. */
const SPOKEN = new Set([
  "text",
  "thinking",
  "content",
  "prompt",
  "summary",
  "description",
  "stdout",
  "stderr",
]);
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
      const text = readFileSync(source, "utf8");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, freshIds(round === 1 ? text : reworded(text, change), round));
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

/** Returns a transcript in other words. Lines that do not parse stay as they are. */
function reworded(text: string, change: ReadonlyMap<string, string>): string {
  const words = (spoken: string) => spoken.replace(WORD, (word) => change.get(word) ?? word);
  return text
    .split("\n")
    .map((line) => {
      const record = recordOf(line);
      return record === null ? line : JSON.stringify(mapSpoken(record, words));
    })
    .join("\n");
}

function recordOf(line: string): unknown {
  try {
    return line === "" ? null : JSON.parse(line);
  } catch {
    return null;
  }
}

/** Returns a value with each spoken string in it changed. */
function mapSpoken(value: unknown, change: (spoken: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => mapSpoken(each, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    typeof each === "string" && SPOKEN.has(key) ? change(each) : mapSpoken(each, change),
  ]);
  return Object.fromEntries(entries);
}

/** The words that the transcripts of a corpus say. */
function vocabularyOf(sources: readonly string[]): string[] {
  const words = new Set<string>();
  const add = (spoken: string) => {
    for (const [word] of spoken.matchAll(WORD)) words.add(word);
    return spoken;
  };
  for (const source of sources)
    for (const line of readFileSync(source, "utf8").split("\n")) mapSpoken(recordOf(line), add);
  return [...words].sort();
}

/** Which word stands in whose place in a round; the same in every run. */
function changeOf(round: number, words: readonly string[]): Map<string, string> {
  const hashOf = (word: string) => Bun.hash.xxHash32(word, round);
  const changed = words.filter((word) => hashOf(word) % CHANGED_WORDS === 0);
  const shuffled = changed.toSorted((a, b) => hashOf(a) - hashOf(b));
  return new Map(changed.map((word, i) => [word, shuffled[i] ?? word]));
}
