import type { SessionFile, SessionSummary } from "../contract/types/browse.ts";

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
