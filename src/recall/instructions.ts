import { join } from "node:path";
import type { MemoryFile } from "../agents/agent.ts";
import type { Project } from "../io/git/project.ts";
import { readUntrusted, statIfExists } from "../io/read.ts";
import { UNTRUSTED } from "../io/untrusted.ts";
import { writeAtomic } from "../io/write.ts";
import { type Paragraph, splitParagraphs } from "./statement/held.ts";

/** Reading limits. Nobody reads longer instructions. */
const MAX = UNTRUSTED.instructions;
/** Version of the index. Raise it when words are split differently. */
const VERSION = 2;

/** The index entry of a file: its words as numbers, never its text. */
interface Indexed {
  mtimeMs: number;
  size: number;
  paragraphs: Paragraph[];
}

type Index = ReadonlyMap<string, Indexed>;

/**
 * Returns the paragraphs of all existing files. Reads only changed files; the others are in an index in `directory`, the
 * memory's. Leaves out the rest once `isLate` is true.
 */
export function indexedParagraphs(
  files: readonly MemoryFile[],
  directory: string | null,
  isLate: () => boolean,
): Paragraph[] {
  const place = directory === null ? null : join(directory, "instructions.json");
  const known = place === null ? new Map<string, Indexed>() : readIndex(place);
  const found = new Map<string, Indexed>();
  let [left, isChanged]: [number, boolean] = [MAX.allBytes, false];
  for (const { path, lines } of files.slice(0, MAX.files)) {
    if (isLate()) return paragraphsIn(found);
    const stats = statIfExists(path);
    const before = known.get(path);
    if (!stats?.isFile() || stats.size > Math.min(left, MAX.bytes)) {
      isChanged ||= before !== undefined;
      continue;
    }
    const { mtimeMs, size } = stats;
    left -= size;
    const isSame = before?.mtimeMs === mtimeMs && before.size === size;
    isChanged ||= !isSame;
    found.set(path, isSame ? before : { mtimeMs, size, paragraphs: splitParagraphs(textOf(path, lines)) });
  }
  if (place !== null && isChanged) writeIndex(place, [...found, ...othersOf(known, files)]);
  return paragraphsIn(found);
}

function othersOf(known: Index, files: readonly MemoryFile[]): [string, Indexed][] {
  const asked = new Set(files.map(({ path }) => path));
  return [...known].filter(([path]) => !asked.has(path)).slice(0, MAX.others);
}

function paragraphsIn(index: Index): Paragraph[] {
  return [...index.values()].flatMap(({ paragraphs }) => paragraphs);
}

function textOf(path: string, lines: number | null): string {
  const text = readUntrusted(path) ?? "";
  return lines === null ? text : text.split("\n").slice(0, lines).join("\n");
}

/** Reads the index; empty when it is missing or of another version. */
function readIndex(place: string): Index {
  try {
    const { version, files } = JSON.parse(readUntrusted(place) ?? "{}");
    return new Map(version === VERSION ? files : []);
  } catch {
    return new Map();
  }
}

/** Writes the index. Without it, the next prompt reads the files again. */
function writeIndex(place: string, files: readonly [string, Indexed][]): void {
  try {
    const content = JSON.stringify({ version: VERSION, files });
    writeAtomic(place, content, { mode: 0o600, replace: true, sync: false });
  } catch {
    // A memory that cannot be written to, such as on a full disk, can still be read.
  }
}

/** Files with a project's instructions for agents, as the agents find them. */
const NAMES = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"] as const;

/** Lists the possible instruction files of a project's current worktree. They need not exist. */
export function projectInstructions({ worktreeRoot }: Pick<Project, "worktreeRoot">): MemoryFile[] {
  return NAMES.map((name) => ({ path: join(worktreeRoot, name), lines: null }));
}
