import { UNTRUSTED } from "../../io/untrusted.ts";
import type { StoredTurn } from "../contract/types/stored.ts";
import { decodeParts } from "./encoded-parts.ts";

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
