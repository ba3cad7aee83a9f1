import { type Commit, type Failure, type FileMention, turnOrigin } from "../domain.ts";
import { UNTRUSTED } from "../io/untrusted.ts";
import type { PartKind, TurnPart } from "../turn/text.ts";
import { uuidOfKey } from "./identity.ts";
import type { ExportedTurn, StoredTurn } from "./stored.ts";

/** A turn as the SQL of both stores returns it: JSON as text, booleans as the database has them. */
export type TurnRow = Omit<
  StoredTurn,
  "parts" | "toolSummary" | "provisional" | "isSidechain" | "device" | "promptOnly"
> & {
  device?: string | null;
  parts: string | null;
  toolSummary: string;
  provisional: number | boolean;
  isSidechain: number | boolean;
  /** A team's database holds no such turns. */
  promptOnly?: number;
};

/** Of a chunk no more is read to rank it: one of a single word can be as long as a text. */
export const CHUNK_CHARS = UNTRUSTED.rankedChunkChars;

/** Where a row's turn or session was said, if that was another device. */
export function saidOn(device: string | null | undefined): { device?: string } {
  return device == null ? {} : { device };
}

/** Says of a row that only its prompt is left. */
export function promptOnlyOf(flag: number | undefined): { promptOnly?: true } {
  return flag ? { promptOnly: true } : {};
}

export function turnOfRow({ device, promptOnly, ...row }: TurnRow): StoredTurn {
  return {
    ...row,
    ...saidOn(device),
    ...promptOnlyOf(promptOnly),
    parts: decodeParts(row.parts),
    provisional: Boolean(row.provisional),
    isSidechain: Boolean(row.isSidechain),
    toolSummary: JSON.parse(row.toolSummary),
  };
}

type Encoded = readonly (readonly [kind: PartKind, start: number, end: number])[];

export function encodeParts(parts: readonly TurnPart[]): string {
  return JSON.stringify(parts.map(({ kind, start, end }) => [kind, start, end]));
}

export function decodeParts(json: string | null): TurnPart[] {
  const encoded: Encoded = json === null ? [] : JSON.parse(json);
  // By position: patterns are slow until they are compiled, and a hook ends before that.
  return encoded.map((part) => ({ kind: part[0], start: part[1], end: part[2] }));
}

type EncodedFailure = readonly [start: number, end: number, call: number | null, mended: 0 | 1];

export function encodeFailures(failures: readonly Failure[]): string {
  return JSON.stringify(
    failures.map(({ start, end, call, mended }): EncodedFailure => [start, end, call, mended ? 1 : 0]),
  );
}

export function decodeFailures(json: string | null): Failure[] {
  const encoded: readonly EncodedFailure[] = json === null ? [] : JSON.parse(json);
  return encoded.map(([start, end, call, mended]) => ({ start, end, call, mended: mended === 1 }));
}

/** What an export reads of a turn beside the turn itself. */
export interface TurnDetails {
  id: number;
  /** Whether its line counts in the first transcript of its session. 0 and 1 in SQLite. */
  inFirstFile: boolean | number;
  promptUuid: string | null;
  /** A list as JSON, as what follows. Keys as `entryKey` makes them. */
  entryKeys: string;
  mentions: string;
  commits: string;
  marks: string;
}

/** Puts turns together with their details; turns without details are left out. */
export function exportedTurns(turns: readonly StoredTurn[], details: readonly TurnDetails[]): ExportedTurn[] {
  const byId = new Map(details.map((row) => [row.id, row]));
  return turns.flatMap((turn) => {
    const known = byId.get(turn.turnId);
    return known === undefined ? [] : [exportedTurn(turn, known)];
  });
}

function exportedTurn({ sessionTitle: _, origin, ...stored }: StoredTurn, known: TurnDetails): ExportedTurn {
  const mentions: FileMention[] = JSON.parse(known.mentions);
  const commits: Commit[] = JSON.parse(known.commits);
  const marks: ExportedTurn["marks"] = JSON.parse(known.marks);
  const entryKeys: string[] = JSON.parse(known.entryKeys);
  // A line number of a session's second file would be taken for one of the first file.
  const lineIndex = known.inFirstFile ? stored.lineIndex : -1;
  const { promptUuid } = known;
  const entryUuids = entryKeys.map(uuidOfKey);
  return {
    ...stored,
    origin: turnOrigin(origin),
    lineIndex,
    mentions,
    commits,
    marks,
    promptUuid,
    entryUuids,
  };
}
