import { MementorError } from "../errors.ts";
import { openingTitle, shownWords, turnTitle } from "../turn/title.ts";
import type {
  CommitSummary,
  FileTouch,
  PrSummary,
  SessionFile,
  SessionSummary,
  TurnSummary,
} from "./browse.ts";
import { decodeParts, deviceField, promptOnlyField } from "./turn-rows.ts";

/** Rows returned by the SQL of both stores: JSON as text, booleans as the database stores them. */

/** The first `HEAD_CHARS` characters of a turn's text, and its parts. */
interface Head {
  head: string;
  parts: string | null;
  /** First prompt of the turn's session, if the session has no title. */
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
  /** Heads and parts of its first turns as JSON, for a session without another name. */
  opening: string | null;
  device?: string | null;
  promptOnly?: number;
};
export type PrRow = Omit<PrSummary, "sessionIds" | "opened"> & { sessionIds: string; opened: string | null };
export function toTurnSummary(row: TurnSummaryRow): TurnSummary {
  const { head, parts, firstPrompt = null, provisional, files, device, promptOnly, ...turn } = row;
  return {
    ...turn,
    ...deviceField(device),
    ...promptOnlyField(promptOnly),
    provisional: Boolean(provisional),
    firstWords: firstWordsOf({ head, parts }),
    title: titleOf({ head, parts, firstPrompt }, turn.sessionTitle),
    files: JSON.parse(files),
  };
}

export function toCommit({ head, parts, device, ...commit }: CommitRow): CommitSummary {
  return { ...commit, ...deviceField(device), firstWords: firstWordsOf({ head, parts }) };
}

export function toTouch({
  head,
  parts,
  firstPrompt = null,
  toolNames,
  device,
  ...touch
}: TouchRow): FileTouch {
  const firstWords = firstWordsOf({ head, parts });
  const title = titleOf({ head, parts, firstPrompt }, touch.sessionTitle);
  return { ...touch, ...deviceField(device), firstWords, title, toolNames: JSON.parse(toolNames) };
}

export function toSession({ device, promptOnly, opening, ...row }: SessionRow): SessionSummary {
  const first: readonly [head: string, parts: string | null][] = JSON.parse(opening ?? "[]");
  const title = openingTitle(first.map(([text, parts]) => ({ text, parts: decodeParts(parts) })));
  return {
    ...row,
    ...(title !== null && { opening: title }),
    ...deviceField(device),
    ...promptOnlyField(promptOnly),
    automated: Boolean(row.automated),
    firstPrompt: row.firstPrompt || null,
  };
}

export function toPr(row: PrRow): PrSummary {
  const opened = row.opened === null ? null : JSON.parse(row.opened);
  return { ...row, sessionIds: JSON.parse(row.sessionIds), opened };
}

function firstWordsOf({ head, parts }: Head): string {
  return shownWords({ text: head, parts: decodeParts(parts) });
}

function titleOf({ head, parts, firstPrompt = null }: Head, sessionTitle: string | null): string {
  return turnTitle({ text: head, parts: decodeParts(parts) }, sessionTitle, firstPrompt);
}

/** Number of first turns that may name a session without another name. */
export const OPENING_TURNS = 4;

/** Number of sessions to name when an id prefix is ambiguous. */
export const CANDIDATES_SHOWN = 5;

/** Returns the error for an ambiguous id prefix. */
export function ambiguousIdError(prefix: string, found: readonly SessionSummary[]): MementorError {
  const shown = found.slice(0, CANDIDATES_SHOWN);
  const lines = shown.map(({ sessionId, title, firstPrompt }) =>
    `${sessionId}  ${title ?? firstPrompt ?? ""}`.trim(),
  );
  const more = found.length > shown.length ? ["..."] : [];
  return new MementorError("usage", `More than one session starts with "${prefix}".`, {
    hint: ["Which one?", ...lines, ...more].join("\n  "),
  });
}

/** The matching turns of a session, the start of the first and the end of the last (ISO 8601). */
export interface MatchingTurns {
  sessionId: string;
  turns: number;
  first: string | null;
  last: string | null;
}

/** Narrows sessions to their matching turns: number, time and files. Leaves fully matching sessions unchanged. */
export function narrowSessions(
  sessions: readonly SessionSummary[],
  fitting: readonly MatchingTurns[],
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
