import { NOTE } from "../constants.ts";
import type { SessionFacts, Turn } from "../domain.ts";
import type { Tokenizer } from "../embed/embedder.ts";
import { MementorError } from "../errors.ts";
import { removePrivate } from "../redact/private.ts";
import type { IngestStore } from "../store/store.ts";
import { openingWords } from "../turn/parts.ts";
import { composeText } from "../turn/text.ts";
import { CHUNK_LIMITS, chunkText } from "./chunk/markdown.ts";
import { sourceWithoutFile } from "./source.ts";

/** A session of an agent. */
interface AgentSession {
  /** Id of the agent. */
  client: string;
  sessionId: string;
}

/** A note before it is stored. */
export interface Note {
  text: string;
  /** The author: the user, or an agent on the user's behalf. */
  author: "user" | "agent";
  /** The session in which an agent wrote it; null for the user's own notes and when unknown. */
  session: AgentSession | null;
  /** The project's directory and its checked-out branch. */
  directory: string;
  branch: string | null;
  time: Date;
}

export interface NoteDeps {
  store: IngestStore;
  tokenizer: Tokenizer;
  /** Embeds a text with the store's model. Null, or a promise of null, without a model; the worker then embeds the note later. */
  embed: ((text: string) => Promise<Float32Array | null>) | null;
}

/** A stored note. */
export interface StoredNote {
  turnId: number;
  sessionId: string;
  /** True when the note can already be found by meaning. By words, it is found at once. */
  isEmbedded: boolean;
}

/**
 * Stores a note as a session of one turn. Needs no ingest lock, since no ingest writes the source of the notes. Rejects with
 * `usage` when the note is empty or too long, and when an agent writes words that the user forgot.
 */
export async function writeNote(note: Note, { store, tokenizer, embed }: NoteDeps): Promise<StoredNote> {
  const turn = turnOf(note);
  const isWrittenNow = note.author === "user";
  if (!isWrittenNow) await refuseForgotten(note, turn, store);
  const chunks = chunkText(turn, (text) => tokenizer.count(text), CHUNK_LIMITS);
  const { chunksWritten, vectorsReused } = await store.write({
    source: sourceWithoutFile(sourceNameOf(note.session)),
    rewritten: false,
    sessions: [sessionOf(turn)],
    subagents: [],
    turns: [{ turn, chunks }],
    copies: [],
    prLinks: [],
    compactions: [],
    isWrittenNow,
  });
  const { sessionId, entryUuids } = turn;
  const turnId = (await store.knownEntries(entryUuids)).get(sessionId)?.turnId;
  if (turnId === undefined) throw new MementorError("internal", "the note was not stored");
  const isEmbedded = await embedNewest(store, chunksWritten - vectorsReused, embed);
  return { turnId, sessionId, isEmbedded };
}

/** Rejects an agent's note with forgotten words. Only the user may bring these back, whoever said them. */
async function refuseForgotten(note: Note, turn: Turn, store: IngestStore): Promise<void> {
  const fates = await store.fates([turn, turnOf({ ...note, author: "user" })], NOTE.client);
  if (!fates.includes("forgotten")) return;
  throw new MementorError("usage", "The note was not stored: the user forgot these words here.", {
    hint: "Only the user can note them again: mementor note.",
  });
}

function turnOf({ text: given, author, directory, branch, time }: Note): Turn {
  const text = removePrivate(given).trim();
  if (text === "") throw new MementorError("usage", "The note is empty.", { hint: HINT });
  if (text.length > NOTE.maxChars)
    throw new MementorError("usage", `The note has ${text.length} characters, more than ${NOTE.maxChars}.`, {
      hint: "Write down the decision and its reason, and name the file that holds the rest.",
    });
  const id = crypto.randomUUID();
  return {
    sessionId: id,
    agentId: null,
    isSidechain: false,
    lineIndex: 0,
    provisional: false,
    role: "turn",
    origin: author === "user" ? "human" : "agent",
    ...composeText([{ kind: author === "user" ? "prompt" : "note", text }]),
    toolSummary: [],
    mentions: [],
    commits: [],
    createdAt: time.toISOString(),
    endedAt: time.toISOString(),
    branch,
    cwd: directory,
    model: null,
    clientVersion: null,
    promptUuid: id,
    entryUuids: [id],
  };
}

const HINT = 'For example: mementor note "We keep the API synchronous until 2027"';

function sessionOf(turn: Turn): SessionFacts {
  const { sessionId, branch, cwd, createdAt } = turn;
  return {
    sessionId,
    client: NOTE.client,
    projectDir: cwd,
    title: null,
    titleSource: null,
    firstPrompt: openingWords(turn),
    automated: false,
    branch,
    startedAt: createdAt,
    endedAt: createdAt,
  };
}

/** Returns the text under which a note is stored, if it contains no secret. */
export function textOfNote({ text, author }: Pick<Note, "text" | "author">): string {
  const kind = author === "user" ? "prompt" : "note";
  return composeText([{ kind, text: removePrivate(text).trim() }]).text;
}

/** Embeds the chunks stored last, which belong to the note. */
async function embedNewest(store: IngestStore, count: number, embed: NoteDeps["embed"]): Promise<boolean> {
  if (count <= 0) return true;
  const vectors: { chunkId: number; vector: Float32Array }[] = [];
  for (const { chunkId, content } of await store.latestPending(count)) {
    const vector = (await embed?.(content)) ?? null;
    if (vector === null) return false;
    vectors.push({ chunkId, vector });
  }
  await store.saveVectors(vectors);
  return true;
}

/** An agent and a session in the name of a source. */
const NAMED = /^([a-z][a-z-]{0,30})\/([\w-]{1,80})$/;

/** Returns the source of a session's notes. Notes without a known session share one source. */
function sourceNameOf(session: AgentSession | null): string {
  const name = session === null ? "" : `${session.client}/${session.sessionId}`;
  return `${NOTE.source}${NAMED.test(name) ? name : ""}`;
}

/** Returns the session in which the notes of a source were written; null when unknown. */
export function sessionOfNotes(source: string): AgentSession | null {
  const [, client, sessionId] = source.startsWith(NOTE.source)
    ? (NAMED.exec(source.slice(NOTE.source.length)) ?? [])
    : [];
  return client === undefined || sessionId === undefined ? null : { client, sessionId };
}
