import type { StoredNote } from "../ingest/note.ts";

/** A note that was stored, now or earlier. */
export interface SavedNote extends StoredNote {
  isRedacted: boolean;
  isNew: boolean;
}

/** A stored note as `--json` gives it. */
export function noteJson({ turnId, sessionId, isEmbedded, isRedacted, isNew }: SavedNote) {
  const is = { embedded: isEmbedded, redacted: isRedacted, new: isNew };
  return { turn_id: turnId, session_id: sessionId, ...is };
}

/** Says where a note is, and how to remove it. `program` is the start of a command line for its memory. */
export function renderNote(
  { turnId, isEmbedded, isRedacted, isNew }: SavedNote,
  program = "mementor",
): string {
  return [
    isNew
      ? `Noted as turn ${turnId}. Hooks tell it for prompts that it answers, with its date.`
      : `Noted already, as turn ${turnId}.`,
    ...(isRedacted ? ["Secrets and private passages in it were not stored."] : []),
    ...(isEmbedded ? [] : ["It is found by its words now, and by meaning once it is embedded."]),
    `To read it: ${program} show ${turnId}. To remove it: ${program} forget ${turnId}`,
    "",
  ].join("\n");
}
