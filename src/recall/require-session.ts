import type { SessionSummary } from "../store/browse.ts";
import type { BrowseStore } from "../store/store.ts";
import { unknownSession } from "./unknown.ts";

/** Returns the session with this id, or whose id alone starts with it; throws `not_found` when there is none. */
export async function requireSession(
  browse: Pick<BrowseStore, "session" | "sessions">,
  idOrPrefix: string,
): Promise<SessionSummary> {
  const session = await browse.session(idOrPrefix);
  if (session) return session;
  throw await unknownSession(idOrPrefix, browse);
}
