import { keywordTerms } from "../../../text/keywords.ts";
import type { Needle } from "../../forget.ts";
import type { Connection } from "../connection/connection.ts";
import { matches } from "./needles.ts";

/** What a session loses with some of its turns. */
export interface SessionLoss {
  sessionId: string;
  /** No turns of the session stay. */
  isWhole: boolean;
  /** The title to remove; null when it stays or there is none. */
  title: string | null;
  losesTitle: boolean;
  losesFirstPrompt: boolean;
}

interface Row {
  title: string | null;
  firstPrompt: string | null;
}

/**
 * Returns what a session loses when these of its turns are removed. Its title comes from its beginning, so it is
 * removed with the first turn. It is also removed when it contains a word that only the removed turns contain, or
 * matches a needle.
 */
export function sessionLoss(
  connection: Connection,
  sessionId: string,
  turnIds: readonly number[],
  needles: readonly Needle[],
): SessionLoss {
  const row = connection.get<Row>(
    "SELECT title, first_prompt AS firstPrompt FROM sessions WHERE session_id = ?",
    sessionId,
  );
  const { title = null, firstPrompt = null } = row ?? {};
  const gone = JSON.stringify(turnIds);
  const stay = "session_id = ? AND id NOT IN (SELECT value FROM json_each(?))";
  const isWhole = connection.get(`SELECT 1 FROM turns WHERE ${stay} LIMIT 1`, sessionId, gone) === null;
  const losesFirst = isWhole || losesFirstTurn(connection, sessionId, turnIds);
  const texts = (condition: string) =>
    connection
      .all<{ text: string }>(`SELECT full_text AS text FROM turns WHERE ${condition}`, sessionId, gone)
      .map(({ text }) => text.toLowerCase());
  const isTold = () =>
    matches(title ?? "", needles) ||
    hasTermOf(
      title ?? "",
      () => texts("session_id = ? AND id IN (SELECT value FROM json_each(?))"),
      () => texts(stay),
    );
  const losesTitle = losesFirst || (title !== null && isTold());
  return {
    sessionId,
    isWhole,
    title: losesTitle ? title : null,
    losesTitle,
    losesFirstPrompt: losesFirst || matches(firstPrompt ?? "", needles),
  };
}

function losesFirstTurn(connection: Connection, sessionId: string, turnIds: readonly number[]): boolean {
  const first = connection.get<{ id: number }>(
    `SELECT id FROM turns WHERE session_id = ? AND agent_id IS NULL
     ORDER BY created_at IS NULL, created_at, line_index, id LIMIT 1`,
    sessionId,
  );
  return first !== null && turnIds.includes(first.id);
}

/** Whether the title contains a term that a removed text contains and no remaining text does. */
function hasTermOf(title: string, gone: () => string[], kept: () => string[]): boolean {
  const terms = keywordTerms(title);
  if (terms.length === 0) return false;
  const leaving = gone();
  const said = terms.filter((term) => leaving.some((text) => text.includes(term)));
  if (said.length === 0) return false;
  const staying = kept();
  return said.some((term) => !staying.some((text) => text.includes(term)));
}
