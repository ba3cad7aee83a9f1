import type { StoredNote } from "../ingest/note.ts";

/** A note that was stored. */
export interface SavedNote extends StoredNote {
  isRedacted: boolean;
}

/** A stored note as `--json` gives it. */
export function noteJson({ turnId, sessionId, isEmbedded, isRedacted }: SavedNote) {
  return { turn_id: turnId, session_id: sessionId, embedded: isEmbedded, redacted: isRedacted };
}

/** Says where a note is, and how to remove it. `program` is the start of a command line for its memory. */
export function renderNote({ turnId, isEmbedded, isRedacted }: SavedNote, program = "mementor"): string {
  return [
    `Noted as turn ${turnId}. Hooks tell it for prompts that it answers, with its date.`,
    ...(isRedacted ? ["Secrets and private passages in it were not stored."] : []),
    ...(isEmbedded ? [] : ["It is found by its words now, and by meaning once it is embedded."]),
    `To read it: ${program} show ${turnId}. To remove it: ${program} forget ${turnId}`,
    "",
  ].join("\n");
}
