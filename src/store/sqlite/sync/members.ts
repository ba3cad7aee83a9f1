import type { Connection } from "../connection/connection.ts";

/** Returns the authors who are no longer members of the team. */
export function formerMembers(connection: Connection): string[] {
  return connection.column<string>("SELECT author FROM team_former ORDER BY author");
}

/**
 * Notes who is a member and who was one. Of others, which a restored server may have lost, the memory keeps what it
 * knows.
 */
export function noteMembers(
  connection: Connection,
  authors: readonly { author: string; isMember: boolean }[],
): void {
  const json = JSON.stringify(authors);
  connection.run(
    `DELETE FROM team_former WHERE author IN
       (SELECT value ->> 'author' FROM json_each(?) WHERE value ->> 'isMember')`,
    json,
  );
  connection.run(
    `INSERT OR IGNORE INTO team_former (author)
     SELECT value ->> 'author' FROM json_each(?) WHERE NOT value ->> 'isMember'`,
    json,
  );
}
