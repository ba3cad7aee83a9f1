import type { Fate, TeamTurn } from "../../store/contract/types/team.ts";
import type { SharingPreview } from "../../team/preview.ts";
import { printable } from "../../text/invisible.ts";
import { shownWords } from "../../turn/first-words.ts";
import { renderList } from "../list.ts";
import { plural } from "../plural.ts";
import type { Screen } from "../screen.ts";
import { renderLocalMinute } from "../time.ts";
import { REASONS } from "./member.ts";

/** A turn as it would leave, with the length of the stored text. */
export interface ShownTurn {
  turnId: number;
  turn: TeamTurn;
  storedChars: number;
  /** Whether it is with the team already. */
  isShared: boolean;
}

/** What redaction leaves in place of a secret or a private passage. */
const TAKEN_OUT = /\[redacted:[\w-]{1,30}\]/g;

/** Renders the turns that would leave, a line each, and how many stay. */
export function renderTeamPreview(
  found: SharingPreview,
  turns: readonly ShownTurn[],
  screen: Screen,
): string {
  const stay = Object.entries(found.staying).map(
    ([fate, count]) => `  ${plural(count, "turn")} ${REASONS[fate as Fate]}`,
  );
  const list = renderList(
    [
      { title: "TURN", align: "right" },
      { title: "TIME" },
      { title: "BRANCH", mayGo: true },
      { title: "TAKEN OUT" },
      { title: "SHARED", mayGo: true },
      { title: "PROMPT", cut: "end" },
    ],
    turns.map(({ turnId, turn, storedChars, isShared }) => [
      String(turnId),
      renderLocalMinute(turn.createdAt),
      turn.branch ?? "",
      takenOut(turn, storedChars),
      isShared ? "yes" : "",
      shownWords(turn),
    ]),
    screen,
  );
  return `${turns.length === 0 ? "" : list}${plural(turns.length, "turn")} would be with the team, ${found.shared} of them already. The whole of one: mementor team preview <turn>
${stay.length === 0 ? "" : `These stay here:\n${stay.join("\n")}\n`}`;
}

/** Renders a turn as it would leave. */
export function renderSharedTurn({ turnId, turn, storedChars }: ShownTurn): string {
  const { session, toolSummary, mentions, commits } = turn;
  const lines = [
    `Turn ${turnId}, ${renderLocalMinute(turn.createdAt)}, session ${session.sessionId}, ${takenOut(turn, storedChars) || "nothing"} taken out`,
    ...(session.opening?.title == null ? [] : [`Title: ${session.opening.title}`]),
    ...(turn.branch === null ? [] : [`Branch: ${turn.branch}`]),
    ...toolSummary.map((call) => `Tool: ${call}`),
    ...mentions.map(({ toolName, filePath }) => `File: ${filePath} (${toolName})`),
    ...commits.map(({ hash, message }) => `Commit: ${hash} ${message}`),
  ];
  return `${lines.map(printable).join("\n")}\n\n${printable(turn.text)}\n`;
}

/** A turn as `--json` gives it: everything that would leave but vectors. */
export function previewJson({ turnId, turn, storedChars, isShared }: ShownTurn) {
  const { chunks, vectorModel, ...facts } = turn;
  return {
    turnId,
    isShared,
    redacted: turn.text.match(TAKEN_OUT)?.length ?? 0,
    charsTakenOut: Math.max(0, storedChars - turn.text.length),
    chunks: chunks.length,
    vectors: vectorModel?.id ?? null,
    ...facts,
  };
}

function takenOut(turn: TeamTurn, storedChars: number): string {
  const secrets = turn.text.match(TAKEN_OUT)?.length ?? 0;
  const chars = storedChars - turn.text.length;
  const parts = [
    ...(secrets === 0 ? [] : [plural(secrets, "secret")]),
    ...(chars <= 0 ? [] : [plural(chars, "character")]),
  ];
  return parts.join(", ");
}
