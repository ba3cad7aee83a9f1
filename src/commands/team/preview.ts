import { MementorError } from "../../errors.ts";
import { renderList } from "../../render/list.ts";
import { plural } from "../../render/plural.ts";
import { renderResult } from "../../render/result.ts";
import type { Screen } from "../../render/screen.ts";
import { styleFor } from "../../render/style.ts";
import { REASONS } from "../../render/team/member.ts";
import { renderLocalMinute } from "../../render/time.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { Fate, Sharing, TeamTurn } from "../../store/team.ts";
import { previewSharing, type SharingPreview } from "../../team/preview.ts";
import { printable } from "../../text/invisible.ts";
import { shownWords } from "../../turn/first-words.ts";
import { exclusionsOf } from "../shared/team.ts";
import type { TeamAction } from "./options.ts";
import { rulesFor } from "./sharing.ts";

/**
 * Shows turn by turn what would leave this machine; with a number, the whole of that turn.
 *
 * @throws `usage` for a target that is no number or a time that cannot be read, `not_found` when nothing of the turn
 *   would be shared.
 */
export const preview: TeamAction = async ({ target, options }, runtime) => {
  const { host } = runtime;
  await using store = await runtime.openStore("readonly");
  const sharing = await rulesFor(store, options, runtime);
  if (target !== undefined) {
    const [turn] = await shownTurns(store, [numberOf(target)], sharing, runtime);
    if (turn === undefined) throw stays(target);
    host.stdout.write(options.json ? renderResult(previewJson(turn)) : renderSharedTurn(turn));
    return 0;
  }
  const found = await previewSharing(store.team, sharing, await exclusionsOf(runtime));
  const turns = await shownTurns(store, found.leaving, sharing, runtime);
  const screen = { style: styleFor(host.stdout, host.env), width: host.stdout.columns, now: host.now() };
  host.stdout.write(
    options.json
      ? renderResult({ shared: found.shared, staying: found.staying, turns: turns.map(previewJson) })
      : renderTeamPreview(found, turns, screen),
  );
  return 0;
};

async function shownTurns(
  store: SqliteStore,
  turnIds: readonly number[],
  sharing: Sharing,
  runtime: Runtime,
): Promise<ShownTurn[]> {
  const exclusions = await exclusionsOf(runtime);
  const turns: ShownTurn[] = [];
  for (const turnId of turnIds) {
    const preview = await store.team.preview(turnId, sharing, exclusions);
    const [stored] = await store.search.turns([turnId]);
    if (preview !== null && stored !== undefined)
      turns.push({ turnId, ...preview, storedChars: stored.text.length });
  }
  return turns;
}

function numberOf(typed: string): number {
  if (/^\d{1,15}$/.test(typed)) return Number(typed);
  throw new MementorError("usage", `"${typed}" is not the number of a turn.`, {
    hint: "See: mementor team preview",
  });
}

function stays(typed: string): MementorError {
  return new MementorError("not_found", `Nothing of turn ${typed} would be shared.`, {
    hint: "It is not yours, or nothing is left of it without secrets and private passages.",
  });
}

/** A turn as it would leave, with the length of the stored text. */
interface ShownTurn {
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
