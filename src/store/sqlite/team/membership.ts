import type { Membership, Sharing } from "../../contract/types/team.ts";
import type { Connection } from "../connection/connection.ts";

/** Shares all that may be shared, those of subagents too. */
const EVERYTHING: Sharing = { since: null, branches: [], onlyMarked: false, subagents: true };

export function membershipOf(connection: Connection): Membership | null {
  const row = connection.get<Omit<Membership, "sharing"> & { sharing: string | null }>(
    "SELECT project, author, device_id AS deviceId, sharing FROM team",
  );
  return row && { ...row, sharing: row.sharing === null ? null : JSON.parse(row.sharing) };
}

/** Returns the rules by which turns are, or were last, shared. */
export function lastSharing(connection: Connection): Sharing {
  const row = connection.get<{ sharing: string | null }>("SELECT last_sharing AS sharing FROM team");
  return row?.sharing == null ? EVERYTHING : JSON.parse(row.sharing);
}

/** Makes the memory a member's. Who joins another project or as another author begins anew. */
export function join(connection: Connection, { project, author }: { project: string; author: string }): void {
  const known = membershipOf(connection);
  if (known?.project === project && known.author === author) return;
  if (known !== null) forgetTeam(connection);
  connection.run(
    "INSERT INTO team (id, project, author, device_id) VALUES (1, ?, ?, ?)",
    project,
    author,
    crypto.randomUUID(),
  );
}

/** Sets what is shared from now on. Every turn is looked at again. */
export function share(connection: Connection, sharing: Sharing | null): void {
  const json = sharing === null ? null : JSON.stringify(sharing);
  connection.run("UPDATE team SET sharing = ?1, last_sharing = coalesce(?1, last_sharing)", json);
  if (sharing === null) {
    // What was not sent yet stays here.
    connection.run(
      "UPDATE team_changes SET kind = 'void' WHERE kind = 'put' AND number > (SELECT confirmed FROM team)",
    );
    connection.run("DELETE FROM team_dirty");
    return;
  }
  connection.run(
    "INSERT OR IGNORE INTO team_dirty (turn_id) SELECT id FROM turns WHERE author IS NULL AND device_id IS NULL",
  );
}

/** Removes what the memory knows of its team, but not which turns were unshared or hidden. */
export function forgetTeam(connection: Connection): void {
  for (const table of ["team", "team_changes", "team_dirty", "team_cursors", "team_former"])
    connection.run(`DELETE FROM ${table}`);
  // Another team has none of them.
  connection.run("UPDATE turns SET turn_key = NULL WHERE coalesce(author, '') = '' AND turn_key IS NOT NULL");
}
