import type { SessionSummary } from "../../store/contract/types/browse.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { type AgentText, joinText, named, tell, textOfRow } from "../agent-text.ts";
import { plural } from "../plural.ts";
import { sessionName } from "../session-name.ts";
import { renderDate } from "../time.ts";
import { renderFramed } from "./frame.ts";

/** Maximum length of a title in grapheme clusters, and of the whole digest in characters. */
const TITLE_GRAPHEMES = 120;
const DIGEST_CHARS = 1_000;

/** Renders the last sessions of a branch, one per line; null when there are none. */
export function renderSessionDigest(
  branch: string | null,
  sessions: readonly SessionSummary[],
): AgentText | null {
  const where = branch === null ? tell`` : tell` on branch ${named(branch)}`;
  return renderFramed(tell`The last sessions${where}:`, sessions.map(line), DIGEST_CHARS);
}

function line(session: SessionSummary): AgentText {
  const { endedAt, turns, files } = session;
  const name = sessionName(session).replace(/\s+/g, " ").trim();
  return textOfRow(session, ({ say, whose }) => {
    const size = [named(plural(turns, "turn")), named(plural(files, "file")), ...whose()];
    const title = say(truncateGraphemes(name, TITLE_GRAPHEMES));
    return tell`- ${named(renderDate(endedAt))}: "${title}" (${joinText(size, ", ")})`;
  });
}
