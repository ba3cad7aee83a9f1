import type { ListedSession } from "../agents/agent.ts";
import { LOST } from "../constants.ts";
import type { SessionFacts, Turn } from "../domain.ts";
import type { Tokenizer } from "../embed/embedder.ts";
import { removePrivate } from "../redact/private.ts";
import type { IngestStore } from "../store/store.ts";
import { openingWords } from "../turn/parts.ts";
import { composeText } from "../turn/text.ts";
import { CHUNK_LIMITS, chunkText } from "./chunk/markdown.ts";
import type { ExcludeTest } from "./exclude.ts";
import type { IngestReport } from "./report.ts";
import { sourceWithoutFile } from "./source.ts";
import type { BlockReader } from "./transcript/lines.ts";
import type { FindRoots } from "./transcript/transcript.ts";

/** A session of which only an agent's list of prompts is left. */
export interface LostSession extends ListedSession {
  /** Id of the agent. */
  client: string;
}

type Deps = Pick<TranscriptDeps, "store" | "tokenizer" | "redact" | "isProjectExcluded" | "signal">;

/**
 * Stores the prompts of sessions whose transcripts are gone, each as one turn. Skips sessions that the memory has or had, and
 * excluded or partly forgotten ones. The caller holds the ingest lock.
 */
export async function ingestLost(
  sessions: readonly LostSession[],
  deps: Deps,
  report: IngestReport,
): Promise<void> {
  const included = sessions.filter(({ cwd }) => !deps.isProjectExcluded(cwd));
  const held = await deps.store.heldSessions(included.map(({ sessionId }) => sessionId));
  for (const session of included) {
    if (deps.signal?.aborted) return;
    if (!held.has(session.sessionId)) await store(session, deps, report);
  }
}

async function store(session: LostSession, deps: Deps, report: IngestReport): Promise<void> {
  const source = sourceWithoutFile(`${LOST.source}${session.client}:${session.sessionId}`);
  const before = await deps.store.source(source.path);
  if (before?.lineIndex === session.prompts.length) return;
  const turns = session.prompts.flatMap((_, index) => turnOf(session, index, deps.redact) ?? []);
  if (turns.length === 0 || (await deps.store.areForgotten(turns))) return;
  const tokenizer = await deps.tokenizer();
  const written = await deps.store.write({
    source: { ...source, lineIndex: session.prompts.length },
    rewritten: false,
    sessions: [factsOf(session, turns)],
    subagents: [],
    turns: turns.map((turn) => ({
      turn,
      chunks: chunkText(turn, (text) => tokenizer.count(text), CHUNK_LIMITS),
    })),
    copies: [],
    prLinks: [],
    compactions: [],
    marks: turns.flatMap(({ promptUuid, createdAt }) =>
      promptUuid === null || createdAt === null ? [] : [{ promptUuid, kind: LOST.mark, time: createdAt }],
    ),
  });
  report.sessions += 1;
  report.turns.inserted += written.turnsInserted;
  report.chunks.written += written.chunksWritten;
}

function turnOf(
  { sessionId, cwd, prompts }: LostSession,
  index: number,
  redact: Deps["redact"],
): Turn | null {
  const prompt = prompts[index];
  const text = prompt === undefined ? "" : redact(removePrivate(prompt.text)).trim();
  if (prompt === undefined || text === "") return null;
  const id = `${LOST.source}${sessionId}:${index}`;
  return {
    sessionId,
    agentId: null,
    isSidechain: false,
    lineIndex: index,
    provisional: false,
    role: "turn",
    origin: "human",
    ...composeText([{ kind: "prompt", text }]),
    toolSummary: [],
    mentions: [],
    commits: [],
    createdAt: prompt.time,
    endedAt: prompt.time,
    branch: null,
    cwd,
    model: null,
    clientVersion: null,
    promptUuid: id,
    entryUuids: [id],
  };
}

function factsOf({ sessionId, client, cwd }: LostSession, turns: readonly Turn[]): SessionFacts {
  const [first] = turns;
  return {
    sessionId,
    client,
    projectDir: cwd,
    title: null,
    titleSource: null,
    firstPrompt: first === undefined ? null : openingWords(first),
    automated: false,
    branch: null,
    startedAt: first?.createdAt ?? null,
    endedAt: turns.at(-1)?.createdAt ?? null,
  };
}

/** Dependencies of the ingest of a transcript. */
export interface TranscriptDeps {
  store: IngestStore;
  /** Opens the tokenizer, for the first turn that must be split into chunks. */
  tokenizer: () => Promise<Tokenizer>;
  rootsOf: FindRoots;
  redact: (text: string) => string;
  /** Read buffers that the readers of all files share. */
  blocks: BlockReader;
  isPathExcluded: ExcludeTest;
  isProjectExcluded: ExcludeTest;
  /** Tells whether a turn of a source was said in another project, by the turn's directory. */
  isElsewhere: (cwd: string, path: string) => boolean;
  /** Called for every part that could not be read, never with its content. */
  onSkip?: ((skip: { kind: string; path: string; lineIndex: number }) => void) | undefined;
  /** Called after each step with the bytes read and the turns stored since the last call. */
  onBytes?: ((bytes: number, turns: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}
