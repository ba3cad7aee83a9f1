import { MementorError } from "../../../errors.ts";

/** The number of migrations, and so the version of the schema that this program knows. */
export const SCHEMA_VERSION = 8;

/** The error for writing to a database with another schema; null for the program's own. */
export function writeRefusal(found: number): MementorError | null {
  if (found === SCHEMA_VERSION) return null;
  return found > SCHEMA_VERSION ? newerSchema(found) : olderSchema(found);
}

function newerSchema(found: number): MementorError {
  return new MementorError("db_newer", "the team's database was changed by a newer mementor", {
    hint: `It has version ${found}, this program knows ${SCHEMA_VERSION}. Reading works; update mementor to write.`,
  });
}

function olderSchema(found: number): MementorError {
  return new MementorError("db_older", "the team's database was made by an older mementor", {
    hint: `It has version ${found}, this program needs ${SCHEMA_VERSION}: an administrator runs \`mementor team init\` again.`,
  });
}
