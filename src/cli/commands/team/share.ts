import { oneLine, printableWords } from "../../../agents/notices.ts";
import { FORGET } from "../../../constants.ts";
import { MementorError } from "../../../errors.ts";
import type { Runtime } from "../../../runtime.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import type { Sharing, SharingDecision, TeamTurn } from "../../../store/team.ts";
import { findMemberProject } from "../../../sync/team/open.ts";
import {
  ALL_TURNS,
  chooseSharing,
  previewSharing,
  type SharingPreview,
  type TeamSettings,
} from "../../../sync/team/settings.ts";
import { plural } from "../../../text/numbers.ts";
import { readTime } from "../../../text/when.ts";
import { shownWords } from "../../../turn/title.ts";
import { namedTurns } from "../../named-turns.ts";
import { exclusionsOf, lockedStep, openSince, requireTeam, surroundings } from "../../sync/team.ts";
import { confirm, declined } from "../../terminal/ask.ts";
import { renderList } from "../../terminal/list.ts";
import { renderLocalMinute, type Screen } from "../../terminal/screen.ts";
import { printResult } from "../../terminal/view.ts";
import { trySync } from "./join.ts";
import {
  REASONS,
  renderSharingOff,
  renderSharingOn,
  renderSharingPlan,
  renderUnshared,
  renderUnsharing,
} from "./member-text.ts";
import type { TeamAction, TeamOptions } from "./options.ts";

/**
 * Shows which turns would be shared and, once confirmed, starts to share them; or stops sharing.
 *
 * @throws `usage` for another word than `on` or `off`, and when nobody can be asked; `not_found` when the memory belongs
 *   to no team.
 */
export const share: TeamAction = async ({ target, options }, runtime) => {
  if (target !== "on" && target !== "off")
    throw new MementorError("usage", 'Sharing is switched "on" or "off".', {
      hint: "To see what would leave this machine: mementor team preview",
    });
  const team = await requireTeam(runtime);
  await using store = await runtime.openStore("readwrite");
  return target === "on"
    ? await switchOn(store, team, options, runtime)
    : await switchOff(store, options, runtime);
};

async function switchOn(
  store: SqliteStore,
  team: TeamSettings,
  options: TeamOptions,
  runtime: Runtime,
): Promise<number> {
  const { host } = runtime;
  const signal = host.interrupted();
  const sharing = await rulesFor(store, options, runtime);
  const inForce = (await store.team.membership())?.sharing ?? null;
  const isKept = Bun.deepEquals(sharing, inForce) && !Bun.deepEquals(sharing, ALL_TURNS);
  const found = await previewSharing(store.team, sharing, await exclusionsOf(runtime));
  if (!options.json) host.stdout.write(renderSharingPlan(found, { sharing, project: team.project, isKept }));
  const question = "Share these turns, and those to come?";
  if (!options.yes && !(await confirm(host, question, 'See "mementor team preview", then add "--yes".')))
    return declined(host, "Nothing is shared.");
  await set(store, sharing, runtime);
  const result = await trySync(store, team, runtime, signal);
  const counts = await store.team.counts(openSince(runtime));
  const outcome = { sharing, pushed: result?.pushed ?? 0, waiting: counts.waiting };
  return printResult(runtime, options, outcome, renderSharingOn);
}

async function switchOff(store: SqliteStore, options: TeamOptions, runtime: Runtime): Promise<number> {
  await set(store, null, runtime);
  const { shared } = await store.team.counts(openSince(runtime));
  return printResult(runtime, options, { sharing: null, shared }, () => renderSharingOff(shared));
}

async function set(store: SqliteStore, sharing: Sharing | null, runtime: Runtime): Promise<void> {
  const locked = lockedStep(runtime, runtime.host.interrupted());
  await locked(() => store.team.share(sharing));
}

/** Returns the sharing rules from a command's options, or those in force if it has none. */
async function rulesFor(store: SqliteStore, options: TeamOptions, { host }: Runtime): Promise<Sharing> {
  const membership = await store.team.membership();
  const { branch, onlyMarked, subagents } = options;
  const since = options.since === undefined ? null : readTime(options.since, host.now()).from.toISOString();
  return chooseSharing({ since, branch, onlyMarked, subagents }, membership?.sharing ?? null);
}

/**
 * Shows turn by turn what would leave this machine; with a number, the whole of that turn.
 *
 * @throws `usage` for a target that is no number or a time that cannot be read, `not_found` when nothing of the turn
 *   would be shared.
 */
export const preview: TeamAction = async ({ target, options }, runtime) => {
  await using store = await runtime.openStore("readonly");
  const sharing = await rulesFor(store, options, runtime);
  if (target !== undefined) {
    const [turn] = await shownTurns(store, [numberOf(target)], sharing, runtime);
    if (turn === undefined) throw notSharedError(target);
    return printResult(runtime, options, previewJson(turn), () => renderSharedTurn(turn));
  }
  const found = await previewSharing(store.team, sharing, await exclusionsOf(runtime));
  const turns = await shownTurns(store, found.leaving, sharing, runtime);
  return printResult(
    runtime,
    options,
    { shared: found.shared, staying: found.staying, turns: turns.map(previewJson) },
    (_, screen) => renderTeamPreview(found, turns, screen),
  );
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

function notSharedError(typed: string): MementorError {
  return new MementorError("not_found", `Nothing of turn ${typed} would be shared.`, {
    hint: "It is not yours, or nothing is left of it without secrets and private passages.",
  });
}

/** A turn as it would be shared, with the length of its stored text. */
interface ShownTurn {
  turnId: number;
  turn: TeamTurn;
  storedChars: number;
  /** True if it is with the team already. */
  isShared: boolean;
}

/** Matches the placeholder that redaction leaves for a secret or a private passage. */
const REDACTED = /\[redacted:[\w-]{1,30}\]/g;

/** Renders the turns that would be shared, one per line, and the number of those that stay. */
export function renderTeamPreview(
  found: SharingPreview,
  turns: readonly ShownTurn[],
  screen: Screen,
): string {
  const stay = Object.entries(found.staying).map(
    ([fate, count]) => `  ${plural(count, "turn")} ${REASONS[fate as SharingDecision]}`,
  );
  const list = renderList(
    [
      { title: "TURN", align: "right" },
      { title: "TIME" },
      { title: "BRANCH", isOptional: true },
      { title: "TAKEN OUT" },
      { title: "SHARED", isOptional: true },
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
  return `${turns.length === 0 ? "" : list}${plural(turns.length, "turn")} would be with the team, ${found.shared} of them already. To see a whole turn: mementor team preview <turn>
${stay.length === 0 ? "" : `These stay here:\n${stay.join("\n")}\n`}`;
}

/** Renders a turn as it would be shared. */
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
  return `${lines.map(oneLine).join("\n")}\n\n${printableWords(turn.text)}\n`;
}

/** Returns a turn for `--json`: everything that would be shared, except vectors. */
export function previewJson({ turnId, turn, storedChars, isShared }: ShownTurn) {
  const { chunks, vectorModel, ...facts } = turn;
  return {
    turnId,
    isShared,
    redacted: turn.text.match(REDACTED)?.length ?? 0,
    charsTakenOut: Math.max(0, storedChars - turn.text.length),
    chunks: chunks.length,
    vectors: vectorModel?.id ?? null,
    ...facts,
  };
}

function takenOut(turn: TeamTurn, storedChars: number): string {
  const secrets = turn.text.match(REDACTED)?.length ?? 0;
  const chars = storedChars - turn.text.length;
  const parts = [
    ...(secrets === 0 ? [] : [plural(secrets, "secret")]),
    ...(chars <= 0 ? [] : [plural(chars, "character")]),
  ];
  return parts.join(", ");
}

const SEE = "To see what is shared, run: mementor team preview";

/**
 * Shows how many turns are affected and, once confirmed, unshares them. Only an admin can unshare a colleague's turns.
 *
 * @throws `not_found` when nothing of what is named is shared, `server_denied` for a colleague's turn unless one is
 *   an admin.
 */
export const unshare: TeamAction = async ({ target: typed = "", options }, runtime) => {
  const { host } = runtime;
  const team = await requireTeam(runtime);
  await using store = await runtime.openStore("readwrite");
  const { turnIds } = await store.forget.plan(await namedTurns(store, typed, runtime, SEE));
  const shared = await store.team.sharedOf(turnIds);
  const { own } = shared;
  const colleagues = own.length > 0 ? [] : shared.colleagues;
  if (own.length + colleagues.length === 0)
    throw new MementorError("not_found", `Nothing of "${typed}" is shared.`, {
      hint: SEE,
    });
  if (colleagues.length > 0 && !(await findMemberProject(team, surroundings(runtime))).isAdmin)
    throw new MementorError("server_denied", "Only its author or an admin unshares a colleague's turn.", {
      hint: "To hide it on this machine: mementor forget <turn>",
    });
  if (!options.json) host.stdout.write(renderUnsharing(own.length, colleagues.length));
  if (!options.yes && !(await confirm(host, "Remove this from the team?")))
    return declined(host, "Nothing was unshared.");
  const signal = host.interrupted();
  const locked = lockedStep(runtime, signal);
  await locked(() => store.team.unshare([...own, ...colleagues]));
  const result = await trySync(store, team, runtime, signal);
  if (await store.file.needsCompact()) await locked(() => store.file.compact(FORGET.patienceMs));
  const outcome = { turns: own.length + colleagues.length, isSynced: result !== null };
  return printResult(runtime, options, outcome, renderUnshared);
};
