import type {
  ListResourcesResult,
  ReadResourceResult,
  ResourceTemplate,
} from "@modelcontextprotocol/sdk/types.js";
import { MCP_LIMITS, MCP_TOKENS } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { requireSession } from "../recall/require-session.ts";
import { textOfRow } from "../render/agent-text.ts";
import type { Memory } from "./memory.ts";
import { sessionItem } from "./text/items.ts";
import { renderTurns } from "./text/turns.ts";

const SCHEME = "mementor://session/";
const MIME_TYPE = "text/markdown";

export const RESOURCE_TEMPLATES: ResourceTemplate[] = [
  {
    uriTemplate: `${SCHEME}{id}`,
    name: "session",
    title: "An earlier session",
    description: "The turns of an earlier session, as many as fit",
    mimeType: MIME_TYPE,
  },
];

/**
 * Lists a page of sessions, the latest first. Empty when there is no memory yet. Rejects with `usage` for a wrong
 * cursor.
 */
export async function listResources(
  cursor: string | undefined,
  memory: Memory,
): Promise<ListResourcesResult> {
  const offset = Number(cursor ?? 0);
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new MementorError("usage", "This cursor is not the nextCursor of an earlier answer.");
  const found = await memory
    .read(({ browse }) => browse.sessions({}, { limit: MCP_LIMITS.resources, offset }))
    .catch((error: unknown) => {
      if (error instanceof MementorError && error.code === "not_found") return { sessions: [], total: 0 };
      throw error;
    });
  const next = offset + found.sessions.length;
  return {
    resources: found.sessions.map((session) => ({
      uri: SCHEME + session.sessionId,
      name: session.sessionId,
      title: textOfRow(session, ({ say }) => say(`${sessionItem(session).data.title}`)),
      description: sessionItem(session).text,
      mimeType: MIME_TYPE,
      ...(session.endedAt !== null && { annotations: { lastModified: session.endedAt } }),
    })),
    ...(next < found.total && { nextCursor: `${next}` }),
  };
}

/** Reads as many of a session's turns as fit. Rejects with `not_found` for any other resource. */
export async function readResource(uri: string, memory: Memory): Promise<ReadResourceResult> {
  const id = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : "";
  if (id === "") throw new MementorError("not_found", `There is no resource ${uri}.`);
  return memory.read(async ({ browse, search }) => {
    const session = await requireSession(browse, id);
    const ids = (await browse.turnsOf(session.sessionId)).map(({ turnId }) => turnId);
    const turns = await search.turns(ids);
    const text = renderTurns(sessionItem(session).text, turns, MCP_TOKENS.resource);
    return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
  });
}
