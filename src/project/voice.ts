/** Who speaks in a turn: a session, and the member of the team or the import that it came from. */
export interface Voice {
  sessionId: string;
  author: string | null;
  foreign: string | null;
}

/**
 * Returns a key of whoever speaks. A session's id is not enough: what a colleague sent or an import brought may carry the id
 * of one's own session, and would be told as one's own words.
 */
export function voiceOf({ sessionId, author, foreign }: Voice): string {
  return JSON.stringify([sessionId, author, foreign]);
}
