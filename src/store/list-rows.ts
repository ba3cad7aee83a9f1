import { MementorError } from "../errors.ts";
import { openingTitle, shownWords, turnTitle } from "../turn/title.ts";
import type {
  CommitSummary,
  FileTouch,
  LaterCall,
  PrSummary,
  SessionFile,
  SessionSummary,
  TurnSummary,
} from "./browse.ts";
import { decodeFailures, decodeParts, promptOnlyOf, saidOn } from "./turn-rows.ts";

/** Rows as the SQL of both stores returns them: JSON as text, booleans as the database has them. */

/** The first `HEAD_CHARS` characters of a turn's text, and its parts. */
interface Head {
  head: string;
  parts: string | null;
  /** The first prompt of the turn's session, where that has no title. */
  firstPrompt?: string | null;
}

type WithHead<Summary> = Omit<Summary, "firstWords" | "title"> & Head;

export type TurnSummaryRow = Omit<
  WithHead<TurnSummary>,
  "provisional" | "files" | "device" | "promptOnly"
> & {
  device?: string | null;
  provisional: number | boolean;
  files: string;
  promptOnly?: number;
};
export type CommitRow = Omit<WithHead<CommitSummary>, "device"> & { device?: string | null };
export type TouchRow = Omit<WithHead<FileTouch>, "toolNames" | "device"> & {
  toolNames: string;
  device?: string | null;
};
export type SessionRow = Omit<SessionSummary, "automated" | "device" | "promptOnly" | "opening"> & {
  automated: number | boolean;
  /** Where nothing else names the session: the heads and parts of its first turns, as JSON. */
  opening: string | null;
  device?: string | null;
  promptOnly?: number;
};
export type PrRow = Omit<PrSummary, "sessionIds" | "opened"> & { sessionIds: string; opened: string | null };
export type LaterCallRow = Omit<LaterCall, "failed"> & {
  /** The place of the call in its turn. */
  place: number;
  failures: string | null;
  /** More than 0 when the turn's text has errors. */
  errors: number;
};

export function turnSummaryOf(row: TurnSummaryRow): TurnSummary {
  const { head, parts, firstPrompt = null, provisional, files, device, promptOnly, ...turn } = row;
  return {
    ...turn,
    ...saidOn(device),
    ...promptOnlyOf(promptOnly),
    provisional: Boolean(provisional),
    firstWords: firstWordsOf({ head, parts }),
    title: titleOf({ head, parts, firstPrompt }, turn.sessionTitle),
    files: JSON.parse(files),
  };
}

export function commitOf({ head, parts, device, ...commit }: CommitRow): CommitSummary {
  return { ...commit, ...saidOn(device), firstWords: firstWordsOf({ head, parts }) };
}

export function touchOf({
  head,
  parts,
  firstPrompt = null,
  toolNames,
  device,
  ...touch
}: TouchRow): FileTouch {
  const firstWords = firstWordsOf({ head, parts });
  const title = titleOf({ head, parts, firstPrompt }, touch.sessionTitle);
  return { ...touch, ...saidOn(device), firstWords, title, toolNames: JSON.parse(toolNames) };
}

export function sessionOf({ device, promptOnly, opening, ...row }: SessionRow): SessionSummary {
  const first: readonly [head: string, parts: string | null][] = JSON.parse(opening ?? "[]");
  const title = openingTitle(first.map(([text, parts]) => ({ text, parts: decodeParts(parts) })));
  return {
    ...row,
    ...(title !== null && { opening: title }),
    ...saidOn(device),
    ...promptOnlyOf(promptOnly),
    automated: Boolean(row.automated),
    firstPrompt: row.firstPrompt || null,
  };
}

export function prOf(row: PrRow): PrSummary {
  const opened = row.opened === null ? null : JSON.parse(row.opened);
  return { ...row, sessionIds: JSON.parse(row.sessionIds), opened };
}

export function laterCallOf({ turnId, createdAt, place, failures, errors }: LaterCallRow): LaterCall {
  const known = decodeFailures(failures).filter((failure) => failure.call === place);
  const isUnclear = errors > 0 && failures === null;
  return { turnId, createdAt, failed: isUnclear || known.some(({ mended }) => !mended) };
}

function firstWordsOf({ head, parts }: Head): string {
  return shownWords({ text: head, parts: decodeParts(parts) });
}

function titleOf({ head, parts, firstPrompt = null }: Head, sessionTitle: string | null): string {
  return turnTitle({ text: head, parts: decodeParts(parts) }, sessionTitle, firstPrompt);
}

/** How many of its first turns may name a session that nothing else names. */
export const OPENING_TURNS = 4;

/** How many sessions to name when several ids have the given start. */
export const CANDIDATES_SHOWN = 5;

/** The error for the start of an id that several sessions share. */
export function ambiguous(prefix: string, found: readonly SessionSummary[]): MementorError {
  const shown = found.slice(0, CANDIDATES_SHOWN);
  const lines = shown.map(({ sessionId, title, firstPrompt }) =>
    `${sessionId}  ${title ?? firstPrompt ?? ""}`.trim(),
  );
  const more = found.length > shown.length ? ["..."] : [];
  return new MementorError("usage", `More than one session starts with "${prefix}".`, {
    hint: ["Which one?", ...lines, ...more].join("\n  "),
  });
}

/** The turns of a session that fit a filter, and when the first began and the last ended (ISO 8601). */
export interface TurnsThatFit {
  sessionId: string;
  turns: number;
  first: string | null;
  last: string | null;
}

/** Sessions with the number, the time and the files of their turns that fit. One that fits as a whole stays as it is. */
export function narrowed(
  sessions: readonly SessionSummary[],
  fitting: readonly TurnsThatFit[],
  files: readonly Pick<SessionFile, "sessionId">[],
): SessionSummary[] {
  const counted = new Map(fitting.map((each) => [each.sessionId, each]));
  const filesOf = Map.groupBy(files, ({ sessionId }) => sessionId);
  return sessions.map((session) => {
    const fits = counted.get(session.sessionId);
    if (fits === undefined || fits.turns === session.turns) return session;
    return {
      ...session,
      turns: fits.turns,
      files: filesOf.get(session.sessionId)?.length ?? 0,
      startedAt: fits.first ?? session.startedAt,
      endedAt: fits.last ?? session.endedAt,
    };
  });
}
