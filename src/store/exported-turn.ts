import { type Commit, type FileMention, turnOrigin } from "../domain.ts";
import { uuidOfKey } from "./identity.ts";
import type { ExportedTurn, StoredTurn } from "./stored.ts";

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
