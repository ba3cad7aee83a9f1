import { keywordTerms } from "../../text/keywords.ts";
import type { Connection } from "../connection/connection.ts";
import { says } from "./needles.ts";
import type { Needle } from "./types.ts";

/** What a session loses with some of its turns. */
export interface SessionLoss {
  sessionId: string;
  /** None of its turns stay. */
  isWhole: boolean;
  /** The title that goes; null when it stays or there is none. */
  title: string | null;
  losesTitle: boolean;
  losesFirstPrompt: boolean;
}

interface Row {
  title: string | null;
  firstPrompt: string | null;
}

/**
 * Tells what a session loses with these of its turns. Its title is made from how it began, so it goes with the first
 * turn; and when it has a word that only these turns say, or says one of the needles.
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
    says(title ?? "", needles) ||
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
    losesFirstPrompt: losesFirst || says(firstPrompt ?? "", needles),
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

/** Whether the title has a term that some of the texts that go have, and none of those that stay. */
function hasTermOf(title: string, gone: () => string[], kept: () => string[]): boolean {
  const terms = keywordTerms(title);
  if (terms.length === 0) return false;
  const leaving = gone();
  const said = terms.filter((term) => leaving.some((text) => text.includes(term)));
  if (said.length === 0) return false;
  const staying = kept();
  return said.some((term) => !staying.some((text) => text.includes(term)));
}
