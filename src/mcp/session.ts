import { MementorError } from "../errors.ts";
import type { SessionSummary } from "../store/browse/types.ts";
import type { BrowseStore } from "../store/store.ts";

/** Returns the session of this id or start of one; throws `not_found` when there is none. */
export async function requireSession(browse: BrowseStore, wanted: string): Promise<SessionSummary> {
  const session = await browse.session(wanted);
  if (session) return session;
  throw new MementorError("not_found", `There is no session "${wanted}".`, {
    hint: "The tool sessions lists them; the start of an id will do.",
  });
}
