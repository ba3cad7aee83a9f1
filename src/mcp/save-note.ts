import { NOTE } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { type StoredNote, textOfNote, writeNote } from "../ingest/note.ts";
import { currentBranch } from "../io/git/project.ts";
import { claimMemory } from "../project/claim.ts";
import { memoryOrigin, projectTrust } from "../project/trust.ts";
import { type AskChannel, runningSession } from "../recall/across/asker.ts";
import type { Runtime } from "../runtime.ts";
import type { ReadStore } from "../store/store.ts";

/** The stored note, and whether a secret or a private passage was removed from it. */
export interface SavedNote extends StoredNote {
  isRedacted: boolean;
  /** False if the same note already existed and nothing was stored. */
  isNew: boolean;
}

interface NoteRequest {
  text: string;
  author: "user" | "agent";
  /** How an agent asked for it. */
  by: AskChannel["by"];
  /** Embeds with the store's model; resolves to null without one. */
  embed: (text: string, store: ReadStore) => Promise<Float32Array | null>;
}

/**
 * Stores a note in the memory of the runtime's project. Rejects with `not_found` in a project without a memory that is
 * not enabled.
 */
export async function saveNote(given: Runtime, { text, author, by, embed }: NoteRequest): Promise<SavedNote> {
  const runtime = createMissingMemory(given);
  const { host, project } = runtime;
  await using store = await runtime.openStore("create");
  const known = await findSameNote(text, author, store);
  if (known !== null) return known;
  const session = author === "agent" ? await runningSession(given, by) : null;
  const note = {
    text,
    author,
    session,
    directory: project.root,
    branch: currentBranch(project),
    time: host.now(),
  };
  const stored = await writeNote(note, {
    store: store.ingest,
    tokenizer: await runtime.openTokenizer(),
    embed: (chunk) => embed(chunk, store),
  });
  const [turn] = await store.search.turns([stored.turnId]);
  return { ...stored, isRedacted: turn !== undefined && !turn.text.includes(text.trim()), isNew: true };
}

/** Returns an existing note with the same words; null when there is none. */
async function findSameNote(
  text: string,
  author: NoteRequest["author"],
  { browse, search }: ReadStore,
): Promise<SavedNote | null> {
  const filter = { from: NOTE.client, others: [] };
  const notes = await browse.recent(await browse.count("turns", { filter }), filter);
  const stored = textOfNote({ text, author });
  const turns = await search.turns(notes.map(({ turnId }) => turnId));
  const same = turns.find((turn) => turn.text === stored);
  if (same === undefined) return null;
  const { turnId, sessionId } = same;
  return { turnId, sessionId, isEmbedded: true, isRedacted: false, isNew: false };
}

/** Creates the memory of an enabled project if it has none yet. */
function createMissingMemory(runtime: Runtime): Runtime {
  const { host, memory, paths, project } = runtime;
  if (memory.directory === null || memoryOrigin(paths, project.root) !== "none") return runtime;
  if (projectTrust(paths, project.root) !== "new")
    throw new MementorError("not_found", "This project has no memory yet.", {
      hint: 'Run "mementor enable" here first: then agents are told your notes too.',
    });
  claimMemory(paths, project.root, host.now());
  return runtime.renewed();
}

/** Whose word a note is. */
type Author = "user" | "agent";

/** Returns a stored note in the form of `--json`. */
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
      ? `Noted as turn ${turnId}. Hooks tell it, with its date, for prompts that it answers.`
      : `Already noted, as turn ${turnId}.`,
    ...(by === "agent" ? [BY_AGENT] : []),
    ...(isRedacted ? ["Secrets and private passages in it were not stored."] : []),
    ...(isEmbedded ? [] : ["It is found by its words now, and by meaning once it is embedded."]),
    `To read it: ${program} show ${turnId}. To remove it: ${program} forget ${turnId}`,
    "",
  ].join("\n");
}

const BY_AGENT =
  "An agent ran this, so it is told as a note by an agent. Your own word it is when you run it in a terminal of your own.";
