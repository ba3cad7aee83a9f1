import type { StoredTurn } from "../contract/types/stored.ts";
import { decodeParts } from "./encoded-parts.ts";

/** A turn as either store's SQL gives it: JSON as text, truth values as the database has them. */
export type TurnRow = Omit<StoredTurn, "parts" | "toolSummary" | "provisional" | "isSidechain"> & {
  parts: string | null;
  toolSummary: string;
  provisional: number | boolean;
  isSidechain: number | boolean;
};

export function turnOfRow(row: TurnRow): StoredTurn {
  return {
    ...row,
    parts: decodeParts(row.parts),
    provisional: Boolean(row.provisional),
    isSidechain: Boolean(row.isSidechain),
    toolSummary: JSON.parse(row.toolSummary),
  };
}
