import { type Commit, type FileMention, turnOrigin } from "../domain.ts";
import { UNTRUSTED } from "../io/untrusted.ts";
import type { PartKind, TurnPart } from "../turn/text.ts";
import { uuidOfKey } from "./identity.ts";
import type { ExportedTurn, StoredTurn } from "./stored.ts";

/** A turn row returned by the SQL of both stores: JSON as text, booleans as the database stores them. */
export type TurnRow = Omit<
  StoredTurn,
  "parts" | "toolSummary" | "provisional" | "isSidechain" | "device" | "promptOnly"
> & {
  device?: string | null;
  parts: string | null;
  toolSummary: string;
  provisional: number | boolean;
  isSidechain: number | boolean;
  /** Absent in a team's database, which has no such turns. */
  promptOnly?: number;
};

/** Characters of a chunk to read for ranking. A chunk of a single word can be as long as a text. */
export const CHUNK_CHARS = UNTRUSTED.rankedChunkChars;

/** Returns the device of a row's turn or session, if it was another one. */
export function deviceField(device: string | null | undefined): { device?: string } {
  return device == null ? {} : { device };
}

/** Returns the mark of a row of which only the prompt is left. */
export function promptOnlyField(flag: number | undefined): { promptOnly?: true } {
  return flag ? { promptOnly: true } : {};
}

export function turnOfRow({ device, promptOnly, ...row }: TurnRow): StoredTurn {
  return {
    ...row,
    ...deviceField(device),
    ...promptOnlyField(promptOnly),
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
  // Fields by position: patterns are slow until they are compiled, and a hook ends before that.
  return encoded.map((part) => ({ kind: part[0], start: part[1], end: part[2] }));
}

/** Details of a turn for an export, besides the turn itself. */
export interface TurnDetails {
  id: number;
  /** True when its line is in the first transcript of its session. 0 and 1 in SQLite. */
  inFirstFile: boolean | number;
  promptUuid: string | null;
  /** JSON list of keys made by `entryKey`. The fields below are JSON lists, too. */
  entryKeys: string;
  mentions: string;
  commits: string;
  marks: string;
}

/** Joins turns with their details. Leaves out turns without details. */
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
