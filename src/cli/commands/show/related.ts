import { oneLine } from "../../../agents/notices.ts";
import { MementorError } from "../../../errors.ts";
import { filesNamed } from "../../../recall/file-history.ts";
import {
  closestRelated,
  type RelatedSession,
  type RelatedTo,
  relatedSessions,
  relatedWords,
} from "../../../recall/related.ts";
import { promptsOf } from "../../../recall/same-matter.ts";
import { requireSession, unknownPath } from "../../../recall/unknown.ts";
import type { Runtime } from "../../../runtime.ts";
import type { SessionSummary } from "../../../store/browse.ts";
import type { Filter, TypedFilter } from "../../../store/filter.ts";
import type { ReadStore } from "../../../store/store.ts";
import { plural } from "../../../text/numbers.ts";
import { shortId } from "../../../turn/title.ts";
import { filterOf, LIST_ROWS } from "../../command-line/option.ts";
import { findTurn, isOnlyTurnNumber } from "../../named-turns.ts";
import { renderList } from "../../terminal/list.ts";
import type { Screen } from "../../terminal/screen.ts";
import type { View } from "../../terminal/view.ts";
import { renderTurns, turnSummaryJson } from "../recent.ts";
import { sessionCells, sessionColumns, sessionJson } from "../sessions.ts";

/** Lists the sessions that have something in common with a turn, a session or a path. */
export async function showRelated(
  store: ReadStore,
  wanted: string,
  options: TypedFilter & { limit?: number | undefined },
  runtime: Runtime,
): Promise<View> {
  const to = await relatedTo(store, wanted, runtime.host.cwd);
  const filter = await filterOf(options, runtime, store.browse);
  const limit = options.limit ?? LIST_ROWS;
  const found = await withSummaries(store, to, { limit, filter });
  const related = options.limit === undefined ? closestRelated(found) : found;
  const total = await otherSessions(store, to, filter);
  return {
    json: () => ({ to: targetJson(to), sessions: found.map(relatedJson), total }),
    text: (screen) => {
      const onlySimilar = found.length - related.length;
      const among = { total, limit, onlySimilar, knowsTouched: store.local !== null };
      return renderRelated(related, among, screen);
    },
  };
}

/** Finds what an argument names: a number is a turn; anything else is a stored path or a session. */
async function relatedTo({ browse, search }: ReadStore, typed: string, cwd: string): Promise<RelatedTo> {
  const turn = await findTurn(search, typed);
  if (turn) return { turnId: turn.turnId, sessionId: turn.sessionId };
  const {
    paths: [path],
    directories: [below],
  } = await filesNamed(typed, cwd, browse);
  if (below !== undefined) {
    const files = await browse.files({ limit: FILES_BELOW, below });
    return { path: typed, files: files.map((file) => file.path) };
  }
  if (path !== undefined) return { path };
  const session = await browse.session(typed);
  if (session) return { sessionId: session.sessionId };
  throw await unknownPath(typed, browse, "turn, file or session");
}

/** Maximum files of a directory to compare. */
const FILES_BELOW = 200;

/** Counts the sessions that were searched for related ones. */
async function otherSessions({ browse }: ReadStore, to: RelatedTo, filter: Filter): Promise<number> {
  const { total } = await browse.sessions(filter, { limit: 1 });
  if (!("sessionId" in to)) return total;
  if (filter.session !== undefined) return filter.session === to.sessionId ? 0 : total;
  const own = await browse.sessions({ ...filter, session: to.sessionId }, { limit: 1 });
  return total - own.total;
}

function targetJson(to: RelatedTo) {
  return {
    path: "path" in to ? to.path : null,
    turn_id: "turnId" in to ? to.turnId : null,
    session_id: "sessionId" in to ? to.sessionId : null,
  };
}

async function withSummaries(
  { browse, search, local }: ReadStore,
  to: RelatedTo,
  wanted: { limit: number; filter: Filter },
): Promise<RelatedSummary[]> {
  const text = await relatedWords(to, { browse, search });
  const prompts = "path" in to ? [] : await promptsOf(to, { browse, search });
  const deps = { browse, search, touched: local?.search ?? null };
  const found = await relatedSessions(to, { ...wanted, text, prompts }, deps);
  const summaries = await browse.summaries(found.map(({ sessionId }) => sessionId));
  const byId = new Map(summaries.map((session) => [session.sessionId, session]));
  return found.flatMap((related) => {
    const session = byId.get(related.sessionId);
    return session ? [{ ...related, session }] : [];
  });
}

/** A related session with its summary. */
export interface RelatedSummary extends RelatedSession {
  session: SessionSummary;
}

/** Returns a related session for `--json`. Distances are cosine distances. */
function relatedJson({
  session,
  accessDistance,
  textDistance,
  sameMatter,
  sharedFiles,
  sharedWords,
}: RelatedSummary) {
  return {
    ...sessionJson(session),
    access_distance: rounded(accessDistance),
    text_distance: rounded(textDistance),
    same_prompt: sameMatter?.samePrompt ?? false,
    shared_names: sameMatter?.names ?? [],
    shared_files: sharedFiles,
    shared_words: sharedWords,
  };
}

function rounded(distance: number | null): number | null {
  return distance === null ? null : Math.round(distance * 1e4) / 1e4;
}

/** The scope of a search for related sessions: their total number, and whether the files that they touched were compared. */
interface RelatedAmong {
  total: number;
  /** Maximum sessions to show. */
  limit: number;
  /** Number of sessions that are left out because they are only similar. */
  onlySimilar: number;
  knowsTouched: boolean;
}

/** Renders related sessions for a terminal, each with why it is related. */
export function renderRelated(
  related: readonly RelatedSummary[],
  { total, limit, onlySimilar, knowsTouched }: RelatedAmong,
  screen: Screen,
): string {
  if (related.length === 0)
    return "No session is known yet to have anything in common with this: no files, no rare words, and no vectors.\n";
  const { first, last } = sessionColumns(screen);
  const list = renderList(
    [...first, ...last.slice(0, 2)],
    related.map(({ session }) => {
      const cells = sessionCells(session, screen);
      return [...cells.first, ...cells.last.slice(0, 2)];
    }),
    screen,
  );
  const [titles = "", ...rows] = list.trimEnd().split("\n");
  const explained = rows.map((row, at) => {
    const each = related[at];
    return each === undefined ? row : `${row}\n${screen.style.dim(`    ${reasonFor(each, screen)}`)}`;
  });
  const notes = [
    onlySimilar > 0
      ? similarNote(onlySimilar, limit)
      : related.length < total && omittedNote(related, { total, limit }),
    !knowsTouched &&
      "Compared by what was said. To compare touched files as well, search on your machine: leave out --db.",
  ];
  return (
    `${[titles, ...explained].join("\n")}\n` +
    notes
      .map((note) => note && `${screen.style.dim(note)}\n`)
      .filter(Boolean)
      .join("")
  );
}

/** Returns the note on sessions that are not shown. */
function omittedNote(
  related: readonly RelatedSummary[],
  { total, limit }: Pick<RelatedAmong, "total" | "limit">,
): string {
  const shown = `${related.length} of ${plural(total, "session")}`;
  const order = related.some(({ touchedIn }) => touchedIn !== null) ? PATH_ORDER : ORDER;
  return related.length < limit
    ? `${shown}: the others have nothing known in common with it`
    : `${shown}: ${order}; -n ${total} shows all that have something in common`;
}

/** Returns the note on sessions that are only similar. */
function similarNote(count: number, limit: number): string {
  return `${count} more ${count === 1 ? "is" : "are"} only similar; -n, such as -n ${limit}, shows ${count === 1 ? "it" : "them"} too`;
}

const PATH_ORDER = "those that touched it in most turns first";
const ORDER =
  "those with the same issue, address or prompt first, then those with most files in common, rare ones above all, then the nearest by what was said";

/** Maximum names, files and words to list. */
const NAMED = { names: 3, files: 4, words: 6 } as const;

/** Returns the reason why a session is related: the names, files or words in common, or else the similarity. */
function reasonFor(
  { sameMatter, sharedFiles, sharedWords, accessDistance, textDistance, touchedIn }: RelatedSummary,
  { style }: Screen,
): string {
  if (touchedIn !== null && touchedIn > 0) return `touched it in ${plural(touchedIn, "turn")}`;
  const names = shortNames(sharedFiles);
  const reasons = [
    sameMatter?.samePrompt && "the prompt, almost word for word",
    sameMatter && sameMatter.names.length > 0 && firstNames(sameMatter.names, NAMED.names),
    names.length > 0 && `${plural(names.length, "file")}: ${firstNames(names, NAMED.files)}`,
    sharedWords.length > 0 && `words: ${firstNames(sharedWords, NAMED.words)}`,
  ].filter((reason) => typeof reason === "string");
  if (reasons.length > 0) return style.text(oneLine(`in common: ${reasons.join("; ")}`));
  const similar = [accessDistance !== null && "touched", textDistance !== null && "said"].filter(Boolean);
  return `similar in what was ${similar.join(" and ")}`;
}

/** Returns file names, with as many parent directories as needed to distinguish equal names. */
function shortNames(paths: readonly string[]): string[] {
  const last = (path: string, parts: number) => path.split("/").slice(-parts).join("/");
  return paths.map((path) => {
    const most = path.split("/").length;
    const isOwn = (parts: number) =>
      paths.every((other) => other === path || last(other, parts) !== last(path, parts));
    for (let parts = 1; parts < most; parts++) if (isOwn(parts)) return last(path, parts);
    return path;
  });
}

function firstNames(names: readonly string[], limit: number): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Lists the turns of a session that match the filters. */
export async function showTurns(
  { browse, search }: ReadStore,
  typed: string,
  options: TypedFilter,
  runtime: Runtime,
): Promise<View> {
  const session = await sessionOrFail({ browse, search }, typed);
  const turns = await browse.turnsOf(session.sessionId, await filterOf(options, runtime, browse));
  return {
    json: () => ({ session: sessionJson(session), turns: turns.map(turnSummaryJson) }),
    text: (screen) => renderTurns(session, turns, screen),
  };
}

/** Returns a session by its id. A number means a turn, not the start of an id, unless it is a whole id. */
async function sessionOrFail(
  { browse, search }: Pick<ReadStore, "browse" | "search">,
  typed: string,
): Promise<SessionSummary> {
  const isNumber = isOnlyTurnNumber(typed) && (await browse.session(typed))?.sessionId !== typed;
  const [turn] = isNumber ? await search.turns([Number(typed)]) : [];
  if (!isNumber) return requireSession(browse, typed);
  if (turn === undefined)
    throw new MementorError("not_found", `There is no session "${typed}", and no turn ${typed}.`, {
      hint: "Give 8 characters of the session's id.",
    });
  throw new MementorError("not_found", `${typed} is the number of a turn, not the id of a session.`, {
    hint: `Its session: mementor show ${shortId(turn.sessionId)} --turns`,
  });
}
