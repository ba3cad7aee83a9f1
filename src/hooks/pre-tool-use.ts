import { basename, dirname, join, resolve } from "node:path";
import { findProject, rootsOf } from "../git/project.ts";
import { realPathIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { filePast } from "../project/file-past.ts";
import { type FileMemory, renderFileMemory } from "../render/hooks/file-memory.ts";
import type { Runtime } from "../runtime.ts";
import { hiddenTurns } from "../search/hidden.ts";
import { trusted } from "../search/trusted.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { storedPath } from "../transcript/paths.ts";
import { type HookHandler, silent, withContext } from "./hook.ts";
import { memoryOf, reading, recorded } from "./memory.ts";

/** Number of turns to read from the history of a file. */
const MAX_TURNS = 24;

/**
 * PreToolUse: shows what other sessions did with the file that Claude is about to read or change. Uses SQL only, no
 * model. Once per file and session, and again after a compaction.
 */
export const preToolUse: HookHandler = async ({ event, payload, host }) => {
  const { session_id: sessionId, tool_input: input } = payload;
  const given = input.file_path ?? input.notebook_path;
  if (!given || sessionId === null) return silent("no file");
  const memory = await memoryOf(host, payload);
  if (!memory) return silent("off");
  const { config } = await memory.config();
  if (!config.recall.file) return silent("off", memory);
  const path = pathInMemory(given, payload.cwd ?? host.cwd, memory);
  if (path === null) return silent("no file", memory);
  const answer = await reading(memory, async (store, write) => {
    const trust = await trusted(config, store);
    const file = await fileMemory({ path, sessionId, event, trust }, store);
    const text = file && renderFileMemory(file, config.budgets.file);
    if (!text) return null;
    const time = host.now().toISOString();
    // The text quotes a sentence of a turn at most. A later prompt may still recall the turn, so only the file is
    // recorded.
    const entry = { sessionId, event, turnIds: [], time, subject: path };
    await recorded(
      memory,
      write(({ journal }) => journal.recordInjection(entry)),
    );
    return { text, turns: file.touches.map(({ turnId }) => ({ turnId, passage: null })) };
  });
  const grounds = { prompt: null, subject: path, turns: answer?.turns ?? [], gate: null };
  return withContext("PreToolUse", answer?.text ?? null, memory, grounds);
};

/**
 * Returns a path as the turns of this project store it, even when it leads through a symbolic link that `cwd` does
 * not use.
 */
function pathInMemory(given: string, cwd: string, { project }: Runtime): string | null {
  const here = findProject(cwd);
  const rootsHere = here.root === project.root ? rootsOf(cwd, here) : [];
  const roots = [...new Set([...rootsHere, ...rootsOf(project.worktreeRoot, project)])].sort(
    (a, b) => b.length - a.length,
  );
  const path = storedPath(given, cwd, roots);
  if (path === null || !SYSTEM.isAbsolute(path)) return path;
  const folder = realPathIfExists(dirname(resolve(cwd, given)));
  return folder === null ? path : storedPath(join(folder, basename(given)), cwd, roots);
}

interface FileRequest {
  path: string;
  sessionId: string;
  event: string;
  /** Whose turns may be told. */
  trust: Awaited<ReturnType<typeof trusted>>;
}

async function fileMemory(
  { path, sessionId, event, trust }: FileRequest,
  store: SqliteStore,
): Promise<FileMemory | null> {
  const { browse, journal, marks } = store;
  const hidden = await hiddenTurns(marks, { file: path });
  const limit = MAX_TURNS + hidden.size;
  // Resume and fork copy turns of other sessions into this one, where Claude still sees them.
  const filter = { ...trust, inContext: { sessionId } };
  const history = await browse.fileHistory(path, { limit, exceptSessionId: sessionId, filter });
  const touches = history.filter(({ turnId }) => !hidden.has(turnId)).slice(0, MAX_TURNS);
  if (touches.length === 0 || (await journal.injectedSubjects(sessionId, event)).has(path)) return null;
  const recalled = await journal.injectedTurns(sessionId);
  const fresh = touches.filter(({ turnId }) => !recalled.has(turnId));
  return fresh.length === 0
    ? null
    : { path, touches: fresh, past: await filePast(path, fresh, { ...store, hidden }) };
}
