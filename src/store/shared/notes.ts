import { NOTE } from "../../constants.ts";
import type { Filter } from "../../filter/filter.ts";

/**
 * The end of a condition that leaves out notes of the user: each is stored like a session, but is none. Empty where the
 * filter asks for notes or for one session.
 */
export function withoutNotes(client: string, { from, session }: Pick<Filter, "from" | "session">): string {
  return from === NOTE.client || session !== undefined ? "" : ` AND ${client} <> '${NOTE.client}'`;
}
