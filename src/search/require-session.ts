import { MementorError } from "../errors.ts";
import type { SessionSummary } from "../store/browse/types.ts";
import type { BrowseStore } from "../store/store.ts";

/** Where to find the ids of sessions: on the command line, or among the tools of the MCP server. */
const LISTS = {
  command: 'Run "mementor sessions" for a list.',
  tool: "The tool sessions lists them.",
} as const;

/** Returns the session with this id, or whose id alone starts with it; throws `not_found` when there is none. */
export async function requireSession(
  browse: Pick<BrowseStore, "session">,
  idOrPrefix: string,
  asker: keyof typeof LISTS,
): Promise<SessionSummary> {
  const session = await browse.session(idOrPrefix);
  if (session) return session;
  throw new MementorError("not_found", `There is no session "${idOrPrefix}".`, {
    hint: `${LISTS[asker]} The start of an id is enough.`,
  });
}
