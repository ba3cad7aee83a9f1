import { join } from "node:path";
import type { MemoryFile } from "../agents/agent.ts";
import type { Project } from "../io/git/project.ts";
import { readUntrusted, statIfExists } from "../io/read.ts";
import { UNTRUSTED } from "../io/untrusted.ts";
import { writeAtomic } from "../io/write.ts";
import { type Paragraph, paragraphsOf } from "./statement/held.ts";

/** What is read at most: nobody reads longer instructions. */
const MAX = UNTRUSTED.instructions;
/** Changes when words are split in another way. */
const VERSION = 1;

/** What the index knows of a file: its words as numbers, never its text. */
interface Indexed {
  mtimeMs: number;
  size: number;
  paragraphs: Paragraph[];
}

type Index = ReadonlyMap<string, Indexed>;

/**
 * Returns the paragraphs of all of the files that exist. Only files that have changed are read; what is known of the others
 * is in an index in `directory`, the memory's. When `isLate` says so, the rest is left out.
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
    found.set(path, isSame ? before : { mtimeMs, size, paragraphs: paragraphsOf(textOf(path, lines)) });
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

/** Returns an empty index where there is none, or one that another version wrote. */
function readIndex(place: string): Index {
  try {
    const { version, files } = JSON.parse(readUntrusted(place) ?? "{}");
    return new Map(version === VERSION ? files : []);
  } catch {
    return new Map();
  }
}

/** Without the index, the next prompt reads the files again. */
function writeIndex(place: string, files: readonly [string, Indexed][]): void {
  try {
    const content = JSON.stringify({ version: VERSION, files });
    writeAtomic(place, content, { mode: 0o600, replace: true, sync: false });
  } catch {
    // A memory that cannot be written to, such as on a full disk, can still be read.
  }
}

/** The files in which a project tells agents what they must know, as their agents find them. */
const NAMES = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"] as const;

/** Lists the files of a project's instructions, those of the running worktree. They need not exist. */
export function projectInstructions({ worktreeRoot }: Pick<Project, "worktreeRoot">): MemoryFile[] {
  return NAMES.map((name) => ({ path: join(worktreeRoot, name), lines: null }));
}
