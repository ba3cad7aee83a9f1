import { lstatSync, readFileSync, rmSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { MementorError } from "../errors.ts";
import { ioError } from "../io/errors.ts";
import { readUntrusted, realPathIfExists, statIfExists } from "../io/read.ts";
import { UNTRUSTED } from "../io/untrusted.ts";
import { writeAtomic } from "../io/write.ts";
import { openFence } from "../text/lines.ts";

/** A statement of a turn that was promoted. What names the turn beside its number guards against a memory made anew. */
export interface Promotion extends AddedLine {
  turnId: number;
  sessionId: string;
  createdAt: string | null;
  /** The file of the project's instructions that has the line. */
  name: PromoteTo;
  /** True if the file was made for it. */
  isNew: boolean;
}

/** Returns the promotions of the memory in a directory; none where the record is missing or damaged. */
export function readPromotions(directory: string): Promotion[] {
  const text = readUntrusted(fileIn(directory));
  if (text === null) return [];
  try {
    const { promoted } = JSON.parse(text);
    return Array.isArray(promoted) ? promoted.filter(isPromotion) : [];
  } catch {
    return [];
  }
}

export function recordPromotions(directory: string, promoted: readonly Promotion[]): void {
  writeAtomic(fileIn(directory), `${JSON.stringify({ promoted }, null, 2)}\n`, {
    mode: 0o600,
    replace: true,
  });
}

/** Returns the promotions whose line stands in the instructions of a worktree. */
export function activePromotions(directory: string, worktreeRoot: string): Promotion[] {
  if (statIfExists(fileIn(directory)) === null) return [];
  const all = readPromotions(directory);
  const contents = new Map(
    [...new Set(all.map(({ name }) => name))].map((name) => [name, textIn(worktreeRoot, name)]),
  );
  return all.filter((each) => hasLine(contents.get(each.name) ?? NOTHING, each));
}

/** Tells whether a promotion is of this turn: a memory that was made anew may have given its number to another one. */
export function isPromotionOf(
  { turnId, sessionId, createdAt }: Promotion,
  turn: Pick<Promotion, "turnId" | "sessionId" | "createdAt">,
): boolean {
  return turn.turnId === turnId && turn.sessionId === sessionId && turn.createdAt === createdAt;
}

const NOTHING = new Uint8Array();

/** A file that cannot be read has no line. */
function textIn(root: string, name: PromoteTo): Uint8Array {
  try {
    return Buffer.from(readUntrusted(join(root, name)) ?? "", "utf8");
  } catch {
    return NOTHING;
  }
}

function fileIn(directory: string): string {
  return join(directory, "promoted.json");
}

/** Written by hand: hooks read the record, and a schema takes longer to load. */
function isPromotion(value: unknown): value is Promotion {
  if (typeof value !== "object" || value === null) return false;
  const {
    turnId,
    sessionId,
    createdAt,
    name,
    hash,
    before,
    after,
    isNew,
  }: Partial<Record<keyof Promotion, unknown>> = value;
  return (
    [sessionId, hash, before, after].every((each) => typeof each === "string") &&
    /^[\r\n]*$/.test(`${before}${after}`) &&
    typeof turnId === "number" &&
    typeof isNew === "boolean" &&
    (createdAt === null || typeof createdAt === "string") &&
    PROMOTE_TO.some((known) => known === name)
  );
}

/**
 * Takes lines out of the instructions of a worktree, and their promotions out of the record in `directory`. Returns those
 * whose line stood there. Throws `not_writable` for a file that cannot be changed; then its promotions stay recorded.
 */
export function removePromotedLines(
  taken: readonly Promotion[],
  directory: string,
  worktreeRoot: string,
): Promotion[] {
  const out = taken.filter((promotion) => takenOut(promotion, worktreeRoot));
  if (taken.length > 0)
    recordPromotions(
      directory,
      readPromotions(directory).filter(
        ({ turnId, name, hash }) =>
          !taken.some((each) => each.turnId === turnId && each.name === name && each.hash === hash),
      ),
    );
  return out;
}

/** Deletes a file that was created for the line, unless it has other content now. */
function takenOut(promotion: Promotion, root: string): boolean {
  const { path, content } = promoteTarget(root, promotion.name);
  const rest = content && withoutLine(content, promotion);
  if (rest === null) return false;
  if (rest.length === 0 && promotion.isNew) rmSync(path);
  else writeAtomic(path, rest);
  return true;
}

/** A line that was added to a file, and what was added around it. */
interface AddedLine {
  /** SHA-256 of the line's bytes, so that no record of it holds its words. */
  hash: string;
  /** Line breaks that were added before and after the line. */
  before: string;
  after: string;
}

/**
 * Adds a line at the end of a file as a paragraph of its own, so that it belongs to no list above it. Every byte that was
 * there stays: ends of lines, a missing last one, and bytes that are no UTF-8.
 */
export function withLine(content: Uint8Array, line: string): { content: Uint8Array; added: AddedLine } {
  const text = bytesAsText(content);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const isEnded = text === "" || text.endsWith("\n");
  const isApart = text === "" || /\n\r?\n$/.test(text);
  const before = isApart ? "" : isEnded ? end : `${end}${end}`;
  const after = isEnded ? end : "";
  const bytes = bytesAsText(Buffer.from(line, "utf8"));
  return {
    content: Buffer.from(`${text}${before}${bytes}${after}`, "latin1"),
    added: { hash: hashOf(bytes), before, after },
  };
}

/** Takes an added line out again with what was added around it. Returns null where the line does not stand any more. */
export function withoutLine(content: Uint8Array, { hash, before, after }: AddedLine): Uint8Array | null {
  const text = bytesAsText(content);
  const place = linesOf(text).find(({ line }) => hashOf(line) === hash);
  if (place === undefined) return null;
  const { start, line } = place;
  const from = text.slice(0, start).endsWith(before) ? start - before.length : start;
  const end = start + line.length;
  const to = text.startsWith(after, end) ? end + after.length : end;
  return Buffer.from(text.slice(0, from) + text.slice(to), "latin1");
}

/** Tells whether an added line stands in a file. */
export function hasLine(content: Uint8Array, { hash }: Pick<AddedLine, "hash">): boolean {
  return linesOf(bytesAsText(content)).some(({ line }) => hashOf(line) === hash);
}

function linesOf(text: string): { line: string; start: number }[] {
  return [...text.matchAll(/[^\r\n]+/g)].map(({ 0: line, index }) => ({ line, start: index }));
}

/** One character for each byte, whatever its encoding. */
function bytesAsText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function hashOf(line: string): string {
  return new Bun.CryptoHasher("sha256").update(Buffer.from(line, "latin1")).digest("hex");
}

/** The files into which a statement is promoted. */
const PROMOTE_TO = ["CLAUDE.md", "AGENTS.md"] as const;

export type PromoteTo = (typeof PROMOTE_TO)[number];

/** A file of instructions, behind all links. */
interface Target {
  name: PromoteTo;
  /** Where it is written. */
  path: string;
  /** Null where there is no such file yet. */
  content: Uint8Array | null;
}

/**
 * Reads the file of instructions with this name below `root`. Throws `not_writable` for what is no text file, and for a link
 * that leads to nothing, out of the project or to what is no Markdown: a repository must not choose what is written.
 */
export function promoteTarget(root: string, name: PromoteTo): Target {
  const path = join(root, name);
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) return { name, path, content: null };
  const real = realPathIfExists(path);
  if (real === null) throw refused(name, "is a link to a file that does not exist");
  if (!isWithin(real, root)) throw refused(name, `is a link to ${real}, which is not in the project`);
  if (!/\.md$/i.test(real)) throw refused(name, `is a link to ${real}, which is no Markdown`);
  const stats = statIfExists(real);
  if (!stats?.isFile()) throw refused(name, "is no file");
  if (stats.size > UNTRUSTED.fileBytes) throw refused(name, "is too large");
  const content = bytesOf(real);
  // Text in a code block is an example, not an instruction.
  if (openFence(content.toString("utf8")) !== null)
    throw refused(name, "ends in a code block that is not closed");
  if (content.includes(0)) throw refused(name, "is no text in UTF-8");
  return { name, path: real, content };
}

/** Tells whether a path behind all links is below `root`, which may be reached by a link. */
function isWithin(real: string, root: string): boolean {
  const way = relative(realPathIfExists(root) ?? root, real);
  return way.split(/[\\/]/)[0] !== ".." && !isAbsolute(way);
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
}

function refused(name: string, why: string): MementorError {
  return new MementorError("not_writable", `${name} ${why}. Nothing was written.`, {
    hint: "mementor note <turn> --to CLAUDE.md --print prints the line, to be put where you want it.",
  });
}
