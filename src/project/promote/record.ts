import { join } from "node:path";
import { readUntrusted, statIfExists } from "../../io/read.ts";
import { writeAtomic } from "../../io/write.ts";
import { type AddedLine, hasLine } from "./place.ts";
import { PROMOTE_TO, type PromoteTo } from "./target.ts";

/** A statement of a turn that was promoted. What names the turn beside its number guards against a memory made anew. */
export interface Promotion extends AddedLine {
  turnId: number;
  sessionId: string;
  createdAt: string | null;
  /** The file of the project's instructions that has the line. */
  name: PromoteTo;
  /** Whether the file was made for it. */
  isNew: boolean;
}

/** Returns the promotions of the memory in a directory; none where the record is missing or damaged. */
export function promotions(directory: string): Promotion[] {
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
export function standing(directory: string, worktreeRoot: string): Promotion[] {
  if (statIfExists(fileIn(directory)) === null) return [];
  const all = promotions(directory);
  const contents = new Map(
    [...new Set(all.map(({ name }) => name))].map((name) => [name, textIn(worktreeRoot, name)]),
  );
  return all.filter((each) => hasLine(contents.get(each.name) ?? NOTHING, each));
}

/** Whether a promotion is of this turn: a memory that was made anew may have given its number to another one. */
export function isOf(
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
