import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../constants.ts";
import type { Turn } from "../../domain.ts";
import { statIfExists } from "../../io/read.ts";
import type { RoundTrip } from "../../project/checks/engine.ts";
import { Runtime } from "../../runtime.ts";
import { composeText } from "../../turn/text.ts";

const SAID = composeText([
  { kind: "prompt", text: "Why does the build fail?" },
  { kind: "answer", text: "The compiler ran out of memory; a smaller heap mends it." },
]);
const { text: TEXT } = SAID;
const QUESTION = "what was wrong with the compilation?";

const TURN: Turn = {
  sessionId: "doctor",
  agentId: null,
  isSidechain: false,
  lineIndex: 0,
  provisional: false,
  role: "turn",
  origin: "human",
  ...SAID,
  toolSummary: [],
  mentions: [],
  commits: [],
  createdAt: null,
  endedAt: null,
  branch: null,
  cwd: null,
  model: null,
  clientVersion: null,
  promptUuid: null,
  entryUuids: [],
};

const SOURCE = {
  path: "doctor",
  sessionId: "doctor",
  agentId: null,
  byteOffset: 0,
  lineIndex: 1,
  resumeOffset: 0,
  resumeLine: 0,
  fingerprint: "",
  size: 0,
  mtimeMs: 0,
  skipped: {},
  sessions: [],
  leftOut: [],
  readerState: null,
  readerVersion: 0,
};

/**
 * Embeds a text with the memory's model, stores it in a temporary database, and searches for it with a question in
 * other words.
 */
export async function roundTrip(runtime: Runtime): Promise<RoundTrip> {
  const { host } = runtime;
  const startedAt = host.elapsedMs();
  const directory = await mkdtemp(join(host.tempDir, "mementor-doctor-"));
  try {
    const distance = await within(runtime, join(directory, "mementor.db"));
    return { distance, durationMs: host.elapsedMs() - startedAt };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function within(runtime: Runtime, databaseFile: string): Promise<number> {
  const store = await new Runtime(runtime.host, { databaseFile }).openStore("create");
  const embedder = await runtime.openEmbedder("query", await activeModel(runtime));
  const { id } = embedder.model;
  // The distance to expect is known for the built-in model only.
  const question = id === BUILT_IN_MODEL.id ? QUESTION : TEXT;
  try {
    await store.models.add(embedder.model);
    await store.models.activate(id);
    const chunk = { chunkIndex: 0, content: TEXT, start: 0, end: TEXT.length };
    await store.ingest.write({
      source: SOURCE,
      rewritten: false,
      sessions: [],
      subagents: [],
      turns: [{ turn: TURN, chunks: [chunk] }],
      copies: [],
      prLinks: [],
      compactions: [],
    });
    const [pending] = await store.ingest.pendingChunks(1);
    const vector = await embedder.embed(TEXT);
    await store.ingest.saveVectors([{ chunkId: pending?.chunkId ?? 0, vector }]);
    const [found] = await store.search.nearestChunks(await embedder.embed(question), 1);
    return found?.distance ?? 2;
  } finally {
    await embedder.close();
    await store.close();
  }
}

/**
 * Returns the id of the active model. Undefined when there is no database, or none that can be read: other checks
 * report that.
 */
async function activeModel(runtime: Runtime): Promise<string | undefined> {
  if (!statIfExists(runtime.memory.databaseFile)) return undefined;
  try {
    const store = await runtime.openStore("readonly");
    return (await store.models.active().finally(() => store.close()))?.id;
  } catch {
    return undefined;
  }
}
