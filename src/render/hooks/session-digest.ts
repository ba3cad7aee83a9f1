import { SESSION_DIGEST } from "../../constants.ts";
import type { SessionSummary } from "../../store/browse/types.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { plural } from "../plural.ts";
import { renderDate } from "../time.ts";
import { renderInjected } from "./injected.ts";

/** Renders the last sessions of a branch, one per line; null when there are none. */
export function renderSessionDigest(
  branch: string | null,
  sessions: readonly SessionSummary[],
): string | null {
  const where = branch === null ? "" : ` on branch ${branch}`;
  return renderInjected(`The last sessions${where}:`, sessions.map(line), SESSION_DIGEST.chars);
}

function line({ title, firstPrompt, endedAt, turns, files, foreign }: SessionSummary): string {
  const name = (title ?? firstPrompt ?? "untitled").replace(/\s+/g, " ").trim();
  const from = foreign === null ? "" : `, imported from ${foreign.replace(/\s+/g, " ")}`;
  const size = `${plural(turns, "turn")}, ${plural(files, "file")}${from}`;
  return `- ${renderDate(endedAt)}: "${truncateGraphemes(name, SESSION_DIGEST.titleGraphemes)}" (${size})`;
}
