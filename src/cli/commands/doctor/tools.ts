import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInFolderOf } from "../../../agents/list.ts";
import { projectMatcher, worktreesOf } from "../../../agents/membership.ts";
import { BUILT_IN_MODEL } from "../../../constants.ts";
import type { Turn } from "../../../domain.ts";
import { MementorError } from "../../../errors.ts";
import { findProject } from "../../../io/git/project.ts";
import { type Lock, waitLock } from "../../../io/lock.ts";
import { withRecordedRoots } from "../../../project/histories.ts";
import { besideDatabase } from "../../../project/memory.ts";
import { readRegistry } from "../../../project/registry.ts";
import { Runtime } from "../../../runtime.ts";
import { isOwnDatabaseFile } from "../../../store/sqlite/file/head.ts";
import {
  databaseProblems,
  rebuildWords,
  sqliteFacts,
  wordProblems,
} from "../../../store/sqlite/file/health.ts";
import { salvageDatabase } from "../../../store/sqlite/file/salvage.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import { composeText } from "../../../turn/text.ts";
import { VERSION } from "../../../version.ts";
import { activeModel } from "../../warm-up.ts";
import { writeSession } from "../export.ts";

type Store = Awaited<ReturnType<Runtime["openStore"]>>;

/** How long a repair waits for each process that uses the database, in ms. */
const REPAIR_WAIT_MS = 5_000;

/**
 * Returns the checks' and repairs' access to the parts of the program. Each part is loaded at its first use. Throws for a memory
 * that must not be read.
 */
export function engineTools(runtime: Runtime) {
  const { memory } = runtime;
  const vecLibrary = () =>
    runtime
      .assets()
      .then((assets) => assets.path("sqlite-vec"))
      .catch(() => null);
  return {
    versions: (): Record<string, string> => ({
      mementor: VERSION,
      Bun: Bun.version,
      SQLite: sqliteFacts(null).version,
    }),
    assetProblems: async () => (await runtime.assets()).verify(),
    repairAssets: async () => (await runtime.assets()).repair(),
    vectorExtension: async (): Promise<string | null> => {
      const hasFile = (await runtime.assets()).has("sqlite-vec");
      return hasFile ? sqliteFacts(await vecLibrary()).vectorExtension : "none";
    },
    databaseProblems: () => problemsOf(runtime),
    wordProblems: async () =>
      (await problemsOf(runtime).catch(() => null))?.length === 0 ? wordProblems(memory.databaseFile) : null,
    rebuildWords: async () => whileNobodyWrites(runtime, () => rebuildWords(memory.databaseFile)),
    strays: () => readIfSound(runtime, (store) => straysIn(runtime, store)),
    setStraysAside: () => whileNobodyWrites(runtime, () => setStraysAside(runtime)),
    secrets: () => secretsOf(runtime),
    repairDatabase: () => repairDatabase(runtime),
    setAside: () => damagedBeside(memory.databaseFile),
    roundTrip: () => roundTrip(runtime),
  };
}

/**
 * Returns the problems of the database file. Throws when the file cannot be used and must stay as it is, because it is
 * no database of mementor's, is of a newer version, or belongs to another memory.
 */
async function problemsOf(runtime: Runtime): Promise<readonly string[] | null> {
  const { directory, databaseFile } = runtime.memory;
  const origin = directory === null ? "own" : await runtime.origin();
  if (origin === "foreign" || origin === "unmoved") throw await runtime.notReadable();
  const problems = databaseProblems(databaseFile);
  if (problems?.length === 0) await (await runtime.openStore("readonly")).close();
  else if (problems !== null) requireOwn(databaseFile);
  return problems;
}

/** Returns whether today's rules have scanned the memory, and how many secrets the last scan left. */
function secretsOf(runtime: Runtime): Promise<{ isCurrent: boolean; found: number } | null> {
  return readIfSound(runtime, async ({ secrets }) => ({
    isCurrent: (await secrets.due()) === null,
    found: await secrets.lastFound(),
  }));
}

/** Reads from the memory; null if there is none or it is damaged, which another check reports. */
async function readIfSound<T>(runtime: Runtime, read: (store: Store) => Promise<T>): Promise<T | null> {
  const problems = await problemsOf(runtime).catch(() => null);
  if (problems?.length !== 0) return null;
  await using store = await runtime.openStore("readonly");
  return await read(store);
}

/** Throws for a file that is not a mementor database: the user may have named it by mistake. */
function requireOwn(file: string): void {
  if (isOwnDatabaseFile(file)) return;
  throw new MementorError("db_foreign", `the file is not a mementor database, so it is left alone: ${file}`, {
    hint: "Name another database with --db, or move this file away. The next ingest then creates a new memory from the transcripts that are still on disk.",
  });
}

async function repairDatabase(runtime: Runtime): Promise<void> {
  const { directory, databaseFile } = runtime.memory;
  requireOwn(databaseFile);
  const identity = directory === null ? null : basename(directory);
  const salvage = await whileNobodyWrites(runtime, () =>
    salvageDatabase(databaseFile, { identity, now: runtime.host.now().toISOString() }),
  );
  (await runtime.log()).warn("database repaired", { ...salvage });
}

/** Runs `work` while no other process ingests or embeds: it holds the locks of both. */
async function whileNobodyWrites<T>(runtime: Runtime, work: () => T | Promise<T>): Promise<T> {
  const locks: Lock[] = [];
  try {
    for (const name of ["read.lock", "embed.lock"])
      locks.push(takeLock(besideDatabase(runtime.memory, name)));
    return await work();
  } finally {
    for (const lock of locks) lock.release();
  }
}

function takeLock(file: string): Lock {
  const lock = waitLock(file, REPAIR_WAIT_MS);
  if (lock) return lock;
  throw new MementorError("db_locked", "another mementor process is running; try again when it has finished");
}

function damagedBeside(databaseFile: string): string[] {
  const start = `${basename(databaseFile)}.damaged-`;
  try {
    const names = readdirSync(dirname(databaseFile)).filter((name) => name.startsWith(start));
    return names.filter((name) => !/-(?:wal|shm)$/.test(name)).sort();
  } catch {
    return [];
  }
}

/** A session of another project, and that project's root. */
interface ForeignSession {
  sessionId: string;
  root: string;
}

/**
 * Finds sessions of other projects that an earlier version assigned by the name of Claude Code's folder, which `my.app` and
 * `my-app` share. Skips a session whose directory no longer exists, because this project may have been there before a rename.
 */
async function straysIn({ project, paths }: Runtime, store: SqliteStore): Promise<ForeignSession[]> {
  const known = withRecordedRoots(project, readRegistry(paths.configDir));
  const roots = worktreesOf(known);
  const belongs = projectMatcher(known);
  const isTaken = (path: string) => roots.some((root) => isInFolderOf(root, path));
  return (await store.status.sessionPlaces("claude-code")).flatMap(({ sessionId, path, directories }) => {
    const [first] = directories;
    if (first === undefined || !isTaken(path) || directories.some(belongs)) return [];
    const other = findProject(first);
    return other.kind === "missing" ? [] : [{ sessionId, root: other.root }];
  });
}

/** Prefix of the files of sessions that were set aside beside the database. */
const SET_ASIDE = "of-another-project-";

/**
 * Writes each stray session to a file beside the database, which its own project can import, and removes it from the memory. The
 * caller must keep others from writing.
 */
async function setStraysAside(runtime: Runtime): Promise<void> {
  await using store = await runtime.openStore("readwrite");
  for (const { sessionId } of await straysIn(runtime, store)) {
    const file = besideDatabase(runtime.memory, `${SET_ASIDE}${sessionId}.jsonl`);
    const written = { origin: runtime.projectName, now: runtime.host.now() };
    await writeSession(file, { store, session: sessionId }, written);
    const plan = await store.forget.plan({ sessionId });
    // Removes only the turns in the file. Turns of other sessions with the same text stay.
    const turnIds = await store.exports.turnIds(sessionId, { session: sessionId });
    await store.forget.forget({ ...plan, turnIds, needles: [], cutTurnIds: [] });
  }
}

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
async function roundTrip(runtime: Runtime): Promise<{ distance: number; durationMs: number }> {
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
  // Only for the built-in model is the distance of a paraphrase known.
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
