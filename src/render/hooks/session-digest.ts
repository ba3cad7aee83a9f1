import type { SessionSummary } from "../../store/contract/types/browse.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { originOf } from "../origin.ts";
import { plural } from "../plural.ts";
import { sessionName } from "../session-name.ts";
import { renderDate } from "../time.ts";
import { renderInjected } from "./injected.ts";

/** Maximum length of a title in grapheme clusters, and of the whole digest in characters. */
const TITLE_GRAPHEMES = 120;
const DIGEST_CHARS = 1_000;

/** Renders the last sessions of a branch, one per line; null when there are none. */
export function renderSessionDigest(
  branch: string | null,
  sessions: readonly SessionSummary[],
): string | null {
  const where = branch === null ? "" : ` on branch ${branch}`;
  return renderInjected(`The last sessions${where}:`, sessions.map(line), DIGEST_CHARS);
}

function line(session: SessionSummary): string {
  const { title, firstPrompt, endedAt, turns, files } = session;
  const name = sessionName({ title, firstPrompt }).replace(/\s+/g, " ").trim();
  const origin = originOf(session);
  const from = origin === null ? "" : `, ${origin.replace(/\s+/g, " ")}`;
  const size = `${plural(turns, "turn")}, ${plural(files, "file")}${from}`;
  return `- ${renderDate(endedAt)}: "${truncateGraphemes(name, TITLE_GRAPHEMES)}" (${size})`;
}
