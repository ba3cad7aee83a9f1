import { basename, dirname, join, resolve } from "node:path";
import type { HookPayload } from "../agents/hook-payload.ts";
import { storedPath } from "../ingest/transcript/paths.ts";
import { findProject, projectRoots } from "../io/git/project.ts";
import { realPathIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import type { Runtime } from "../runtime.ts";
import { type HookHandler, silent, withContext } from "./hook.ts";
import { claimPrompt, findMemory, readMemory, recordSafely } from "./memory.ts";
import { CLAUDE_CODE } from "./payload.ts";

/**
 * PreToolUse: shows what other sessions did with the file that Claude is about to read or change. Uses SQL only, no
 * model. Once per file and session, and again after a compaction.
 */
export const preToolUse: HookHandler = async ({ event, payload, host }) => {
  const { session_id: sessionId, tool_input: input } = payload;
  const given = input.file_path ?? input.notebook_path;
  if (!given || sessionId === null) return silent("no file");
  const memory = await findMemory(host, payload);
  if (!memory) return silent("off");
  const { config } = await memory.config();
  if (!config.recall.file) return silent("off", memory);
  const path = pathInMemory(given, payload.cwd ?? host.cwd, memory);
  if (path === null) return silent("no file", memory);
  if (payload.client !== CLAUDE_CODE && !(await isFirst(path, payload, host.now(), memory)))
    return silent("answered already", memory);
  let isKnown = false;
  const answer = await readMemory(memory, async (store, write) => {
    // Most files are unknown, so other modules are loaded only for files that a turn has touched.
    const [known] = await store.browse.findPaths({ exact: [path], suffix: null });
    if (known === undefined) return null;
    isKnown = true;
    const { fileMemory, quotedSubject } = await import("./file-memory.ts");
    const told = await fileMemory({ path, sessionId, event, payload, config, memory }, store);
    if (told === null) return null;
    const time = host.now().toISOString();
    // The text quotes only a sentence of a turn, and a later prompt may still recall the turn. So only the file and the quotation
    // are recorded.
    const subjects = [path, ...told.turns.map(({ turnId }) => quotedSubject(turnId))];
    await recordSafely(
      memory,
      write(async ({ journal }) => {
        for (const subject of subjects)
          await journal.recordTold({ sessionId, event, turnIds: [], time, subject });
      }),
    );
    return told;
  });
  // Records only a path that a turn mentions, because any other may contain a secret.
  const subject = isKnown ? { subject: path } : {};
  const grounds = { prompt: null, ...subject, turns: answer?.turns ?? [], gate: null };
  return withContext(answer?.text ?? null, memory, grounds);
};

/** Tells whether this is the first call for a file: Cursor runs the hooks of its own settings and of Claude Code's. */
async function isFirst(path: string, payload: HookPayload, now: Date, memory: Runtime): Promise<boolean> {
  const { directory } = memory.memory;
  if (directory === null) return true;
  return claimPrompt(
    { directory, dataDir: memory.paths.dataDir },
    { ...payload, prompt: `file ${path}` },
    now,
  );
}

/**
 * Returns a path as the turns of this project store it, even when it leads through a symbolic link that `cwd` does
 * not use.
 */
function pathInMemory(given: string, cwd: string, { project }: Runtime): string | null {
  const here = cwd === project.worktreeRoot ? project : findProject(cwd);
  const rootsHere = here.root === project.root ? projectRoots(cwd, here) : [];
  const roots = [...new Set([...rootsHere, ...projectRoots(project.worktreeRoot, project)])].sort(
    (a, b) => b.length - a.length,
  );
  const path = storedPath(given, cwd, roots);
  if (path === null || !SYSTEM.isAbsolute(path)) return path;
  const folder = realPathIfExists(dirname(resolve(cwd, given)));
  return folder === null ? path : storedPath(join(folder, basename(given)), cwd, roots);
}
