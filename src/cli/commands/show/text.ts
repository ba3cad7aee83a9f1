import { NOTE } from "../../../constants.ts";
import { MementorError } from "../../../errors.ts";
import { sessionOfNotes } from "../../../ingest/note.ts";
import { readIfExists } from "../../../io/read.ts";
import { requireSession } from "../../../recall/unknown.ts";
import type { SessionSummary, TurnSummary } from "../../../store/browse.ts";
import type { MarkKind } from "../../../store/marks.ts";
import type { ReadStore } from "../../../store/store.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { isOnlyTurnNumber, isTurnNumber, unknownTurn } from "../../named-turns.ts";
import type { Screen } from "../../terminal/screen.ts";
import { safeJson, type View } from "../../terminal/view.ts";
import { renderTurns } from "../recent.ts";
import { renderSessionHeading, sessionJson } from "../sessions.ts";
import {
  renderNext,
  renderNoteSession,
  renderResumeHint,
  renderTurn,
  renderTurnText,
  turnJson,
  withoutPromptOf,
} from "./turn.ts";

interface TextOptions {
  context: number;
  raw: boolean;
  thinking: boolean;
}

/** Shows a turn or a session whole, as text or as its original lines. */
export async function showText(store: ReadStore, wanted: string, options: TextOptions): Promise<View> {
  const [turn] = isTurnNumber(wanted) ? await store.search.turns([Number(wanted)]) : [];
  if (turn) return options.raw ? rawTurn(store, turn) : showTurn(store, turn, options);
  const session = await sessionOrFail(store, wanted);
  return options.raw ? rawSession(store, session) : showSession(store, session, options.thinking);
}

async function sessionOrFail({ browse }: ReadStore, wanted: string): Promise<SessionSummary> {
  if (!isTurnNumber(wanted)) return requireSession(browse, wanted);
  const session = await browse.session(wanted);
  if (session === null || isOnlyTurnNumber(wanted)) throw unknownTurn(wanted, session);
  return session;
}

async function showTurn(
  store: ReadStore,
  turn: StoredTurn,
  { context, thinking }: TextOptions,
): Promise<View> {
  const around = await store.browse.neighbours(turn.turnId, context + 1);
  const [before, after] = [
    around.before.slice(Math.max(0, around.before.length - context)),
    around.after.slice(0, context),
  ];
  const [marks, session] = [await marksOf(store, turn), await writtenIn(store, turn)];
  const shown = [...before, turn, ...after];
  const next = around.after[context];
  return {
    json: () => ({
      ...turnJson(turn),
      marks,
      ...(turn.client === NOTE.client && { written_in: session?.sessionId ?? null }),
      before: before.map(turnJson),
      after: after.map(turnJson),
    }),
    text: (screen) =>
      shown
        .map((each, at) =>
          renderTurn(withoutPromptOf(each, shown[at + 1] ?? next), screen, {
            thinking,
            marks: each === turn ? marks : [],
          }),
        )
        .join("\n") +
      renderNoteSession(session, screen) +
      renderNext(shown.at(-1) ?? turn, next, screen) +
      renderResumeHint(turn, screen),
  };
}

/** Returns the session in which an agent wrote a note. Only this machine knows it. */
async function writtenIn({ local }: ReadStore, { client, turnId }: StoredTurn) {
  const place = client === NOTE.client ? await local?.browse.transcriptPlace(turnId) : null;
  return sessionOfNotes(place?.path ?? "");
}

/** Returns the marks of a turn. They are personal, so a team's database has none. */
async function marksOf({ local }: ReadStore, { turnId }: StoredTurn): Promise<MarkKind[]> {
  return local === null ? [] : local.marks.marksOf(turnId);
}

async function showSession(store: ReadStore, session: SessionSummary, thinking: boolean): Promise<View> {
  const summaries = await store.browse.turnsOf(session.sessionId);
  const turns = await store.search.turns(summaries.map(({ turnId }) => turnId));
  const marked = await Promise.all(turns.map(async (turn) => ({ turn, marks: await marksOf(store, turn) })));
  return {
    json: () => ({
      session: sessionJson(session),
      turns: marked.map(({ turn, marks }) => ({ ...turnJson(turn), marks })),
    }),
    text: (screen) => renderSession(session, { summaries, marked }, screen, thinking),
  };
}

export interface MarkedTurn {
  turn: StoredTurn;
  marks: MarkKind[];
}

/** A session with more lines than this opens with the list of its turns. */
const OUTLINED_LINES = 200;

/** Renders a session turn by turn and lazily, so that the beginning of a long session appears at once. */
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

/** Shows the original lines of a turn. Throws `not_found` when its transcript is gone or has changed. */
async function rawTurn({ local }: ReadStore, turn: StoredTurn): Promise<View> {
  if (turn.client === NOTE.client) throw noLines(`Turn ${turn.turnId}`);
  if (local === null) throw notOnServer(turn);
  const place = await local.browse.transcriptPlace(turn.turnId);
  if (place === null) throw transcriptGone(`Turn ${turn.turnId} was not read from a transcript here.`);
  const lines = linesOf(place.path);
  const { firstLine, endLine, promptUuid } = place;
  const isThere = firstLine !== null && (promptUuid === null || lines[firstLine]?.includes(promptUuid));
  if (!isThere) throw transcriptGone(`${place.path} no longer contains turn ${turn.turnId}.`);
  return raw(place.path, lines.slice(firstLine, endLine ?? undefined));
}

/** Shows a session's whole transcript. Throws `not_found` when it is gone. */
async function rawSession({ local }: ReadStore, session: SessionSummary): Promise<View> {
  const { sessionId, client, transcriptPath } = session;
  if (client === NOTE.client) throw noLines(`Session ${sessionId}`);
  if (local === null) throw notOnServer(session);
  if (transcriptPath === null)
    throw transcriptGone(`Session ${sessionId} was not read from a transcript here.`);
  return raw(transcriptPath, linesOf(transcriptPath));
}

/** Returns the error for a team's database, which has no transcripts: they stay on the machines of the sessions. */
function notOnServer({ sessionId, author }: Pick<SessionSummary, "sessionId" | "author">): MementorError {
  if (author !== null)
    return new MementorError(
      "usage",
      `The transcript of session ${sessionId} is on the machine of ${author}.`,
      {
        hint: "The team has the text: leave out --raw.",
      },
    );
  return new MementorError("usage", `The transcript of session ${sessionId} is not on the team's server.`, {
    hint: `It is on the machine where you held it. There, run: mementor show ${sessionId.slice(0, 8)} --raw`,
  });
}

function linesOf(path: string): string[] {
  const text = readIfExists(path);
  if (text === null) throw transcriptGone(`The transcript is gone: ${path}`);
  return text.split("\n");
}

function noLines(what: string): MementorError {
  return new MementorError("usage", `${what} is a note: it was not read from a transcript.`, {
    hint: "Leave out --raw.",
  });
}

function transcriptGone(message: string): MementorError {
  return new MementorError("not_found", message, {
    hint: "Claude Code deletes transcripts after some weeks. The memory still has the text: leave out --raw.",
  });
}

function raw(path: string, all: readonly string[]): View {
  const lines = all.filter((line) => line !== "");
  return {
    json: () => ({ transcript_path: path, lines: lines.map(parsed) }),
    text: () => lines.map((line) => `${safeJson(line)}\n`).join(""),
  };
}

/** Parses a line. Returns a line that is not JSON as text. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
