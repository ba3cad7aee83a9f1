/** What a reader remembers of a session, as far as it may have to go. */
export interface RememberedFacts {
  sessionId: string;
  title: string | null;
  firstPrompt: string | null;
}

/** Takes what a reader knows of some sessions out of its state: it learns again what the rest of the file tells. */
export function withoutSessions(
  state: string | null,
  isGone: (facts: RememberedFacts) => boolean,
): string | null {
  if (state === null) return null;
  const known: unknown = JSON.parse(state);
  if (typeof known !== "object" || known === null || !("sessions" in known)) return state;
  const { sessions } = known;
  if (!Array.isArray(sessions)) return state;
  const kept = sessions.filter((facts: unknown) => {
    const remembered = factsOf(facts);
    return remembered === null || !isGone(remembered);
  });
  return kept.length === sessions.length ? state : JSON.stringify({ ...known, sessions: kept });
}

function factsOf(value: unknown): RememberedFacts | null {
  if (typeof value !== "object" || value === null || !("sessionId" in value)) return null;
  const { sessionId } = value;
  const title = "title" in value && typeof value.title === "string" ? value.title : null;
  const firstPrompt =
    "firstPrompt" in value && typeof value.firstPrompt === "string" ? value.firstPrompt : null;
  return typeof sessionId === "string" ? { sessionId, title, firstPrompt } : null;
}
