import type { StoredNote } from "../ingest/note.ts";

/** A note that was stored, now or earlier. */
export interface SavedNote extends StoredNote {
  isRedacted: boolean;
  isNew: boolean;
}

/** Whose word a note is. */
export type Author = "user" | "agent";

/** A stored note as `--json` gives it. */
export function noteJson({ turnId, sessionId, isEmbedded, isRedacted, isNew }: SavedNote, by: Author) {
  const is = { embedded: isEmbedded, redacted: isRedacted, new: isNew };
  return { turn_id: turnId, session_id: sessionId, by, ...is };
}

/** Says where a note is, and how to remove it. `program` is the start of a command line for its memory. */
export function renderNote(
  { turnId, isEmbedded, isRedacted, isNew }: SavedNote,
  by: Author,
  program = "mementor",
): string {
  return [
    isNew
      ? `Noted as turn ${turnId}. Hooks tell it for prompts that it answers, with its date.`
      : `Noted already, as turn ${turnId}.`,
    ...(by === "agent" ? [BY_AGENT] : []),
    ...(isRedacted ? ["Secrets and private passages in it were not stored."] : []),
    ...(isEmbedded ? [] : ["It is found by its words now, and by meaning once it is embedded."]),
    `To read it: ${program} show ${turnId}. To remove it: ${program} forget ${turnId}`,
    "",
  ].join("\n");
}

const BY_AGENT =
  "An agent ran this, so it is told as a note by an agent. Your own word it is when you run it in a terminal of your own.";
