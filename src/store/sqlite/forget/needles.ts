import { withoutForward } from "../../../turn/parts.ts";
import type { Needle } from "../../forget.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { eachTurn } from "../turns/columns.ts";

/** Whether the text contains one of the needles. */
export function matches(text: string, needles: readonly Needle[]): boolean {
  return needles.some((needle) => {
    if (!needle.isPath) return fold(text).includes(fold(needle.text));
    return text.includes(needle.text) && pathPattern(needle.text).test(text);
  });
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function pathPattern(path: string): RegExp {
  const escaped = RegExp.escape(path);
  return new RegExp(`(?<![\\w./-])(?:\\./)?${escaped}${path.endsWith("/") ? "" : "(?![\\w/-]|\\.\\w)"}`);
}

/** Returns the turns whose text matches a needle, and those in which only the forward context does. */
export function matchingTurns(
  connection: Connection,
  needles: readonly Needle[],
): { text: number[]; forward: number[] } {
  const found: { text: number[]; forward: number[] } = { text: [], forward: [] };
  for (const { id, text, parts } of eachTurn(connection)) {
    if (!matches(text, needles)) continue;
    const isInText = matches(withoutForward({ text, parts: decodeParts(parts) }).text, needles);
    (isInText ? found.text : found.forward).push(id);
  }
  return found;
}

/** Returns the turns that touched a matching path or made a commit with a matching message. */
export function turnsTouching(connection: Connection, needles: readonly Needle[]): number[] {
  const paths = connection
    .column<string>("SELECT file_path FROM file_totals")
    .filter((path) => matches(path, needles));
  const touched = connection.column<number>(
    "SELECT DISTINCT m.turn_id AS id FROM json_each(?) j CROSS JOIN file_mentions m ON m.file_path = j.value",
    JSON.stringify(paths),
  );
  const made = connection
    .all<{ id: number; message: string }>("SELECT turn_id AS id, message FROM commits")
    .filter(({ message }) => matches(message, needles));
  return [...touched, ...made.map(({ id }) => id)];
}

/** Returns the sessions whose title, first prompt, tasks or pull requests match a needle. */
export function matchingSessions(connection: Connection, needles: readonly Needle[]): string[] {
  if (needles.length === 0) return [];
  const rows = connection.all<{ id: string; text: string }>(
    `SELECT session_id AS id, coalesce(title, '') || char(10) || coalesce(first_prompt, '') AS text FROM sessions
     UNION ALL SELECT session_id, task FROM subagent_sessions WHERE task IS NOT NULL
     UNION ALL SELECT session_id, pr_url FROM pr_links`,
  );
  return [...new Set(rows.filter(({ text }) => matches(text, needles)).map(({ id }) => id))];
}
