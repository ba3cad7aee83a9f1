import type { SessionSummary, TurnSummary } from "../store/contract/types/browse.ts";
import type { MarkKind } from "../store/contract/types/marks.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import type { Screen } from "./screen.ts";
import { renderSessionHeading } from "./sessions.ts";
import { renderTurnText, withoutPromptOf } from "./turn.ts";
import { renderTurns } from "./turns.ts";

export interface MarkedTurn {
  turn: StoredTurn;
  marks: MarkKind[];
}

/** A session with more lines than this opens with the list of its turns. */
const OUTLINED_LINES = 200;

/** Renders a session turn by turn, each when it is asked for: however long the session, its beginning is there at once. */
export function* renderSession(
  session: SessionSummary,
  { summaries, marked }: { summaries: readonly TurnSummary[]; marked: readonly MarkedTurn[] },
  screen: Screen,
  thinking: boolean,
): Iterable<string> {
  const opening: string[] = [];
  let lines = 0;
  const textOf = (each: MarkedTurn, at: number) =>
    renderTurnText(withoutPromptOf(each.turn, marked[at + 1]?.turn), screen, { thinking, marks: each.marks });
  for (const [at, each] of marked.entries()) {
    const text = (at === 0 ? "" : "\n") + textOf(each, at);
    opening.push(text);
    lines += text.split("\n").length - 1;
    if (lines >= OUTLINED_LINES) break;
  }
  const isLong = lines >= OUTLINED_LINES;
  yield isLong ? `${renderTurns(session, summaries, screen)}\n` : renderSessionHeading(session, screen);
  yield* opening;
  for (const [at, each] of marked.entries()) if (at >= opening.length) yield `\n${textOf(each, at)}`;
}
