import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import type { ReadingSeen, StatusDatabase } from "../project/status.ts";
import { styleFor } from "../render/style.ts";
import type { Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { printResult } from "./shared/print.ts";

export const command = defineCommand({
  name: "status",
  help: { group: "Set up", position: 3 },
  summary: "Show what the memory holds, and whether the hooks work",
  arguments: {},
  options: { json: jsonOption },
  examples: ["mementor status", "mementor status --json"],
  async run({ options }, runtime) {
    const { PAUSED_LOCK } = await import("../project/worker.ts");
    const { isLocked } = await import("../io/lock.ts");
    const { besideDatabase } = await import("../project/memory.ts");
    const { notedHookCalls } = await import("../project/hook-calls.ts");
    const { queuedCount } = await import("../project/queue.ts");
    const { collectStatus } = await import("../project/status.ts");
    const { settingsContext } = await import("./shared/settings-context.ts");
    const { renderStatus } = await import("./status/text.ts");
    const { requireNamedDatabase } = await import("./shared/memory.ts");
    await requireNamedDatabase(runtime);
    const { host, memory, project } = runtime;
    const directory =
      memory.directory !== null && (await runtime.origin()) === "own" ? memory.directory : null;
    let store: SqliteStore | undefined;
    const { agentState } = await import("../project/agent-hooks/install.ts");
    const { agentTargets } = await import("../project/agent-hooks/targets.ts");
    const { serversOf } = await import("../project/agent-mcp/install.ts");
    const { mcpTargets } = await import("../project/agent-mcp/targets.ts");
    const { installedProgram } = await import("../project/install-program.ts");
    const context = settingsContext(runtime);
    const status = await collectStatus({
      ...context,
      agents: agentTargets(host).map((target) => agentState(target, context)),
      servers: serversOf(mcpTargets(host, installedProgram(host))),
      project,
      databaseFile: memory.databaseFile,
      queued: directory === null ? 0 : queuedCount(directory),
      isPaused: directory !== null && isLocked(besideDatabase(memory, PAUSED_LOCK)),
      notedCalls: directory === null ? [] : notedHookCalls(directory),
      async openDatabase() {
        const opened = await runtime.openStore("readonly");
        store = opened;
        return factsOf(opened, runtime);
      },
    });
    await store?.close();
    const { configProblems } = await import("./shared/config-problems.ts");
    const problems = await configProblems(runtime);
    const { exclusionProblem } = await import("../config/exclusions.ts");
    const { excludedBy } = await import("./shared/excluded-by.ts");
    const { leaveState } = await import("../project/leave-state.ts");
    const { isTracked } = await import("../git/tracked.ts");
    const { relatedStates } = await import("../across/related.ts");
    const all = {
      ...status,
      related: await relatedStates(runtime),
      configProblems: problems.length,
      exclusionProblem: exclusionProblem(await runtime.config()),
      excludedBy: await excludedBy(runtime),
      leave: await leaveState(project, context, (file) => isTracked(file, host.env)),
    };
    return printResult(host.stdout, options.json, all, () =>
      renderStatus(all, styleFor(host.stdout, host.env), host.now()),
    );
  },
});

/** What the database says of itself. */
async function factsOf(opened: SqliteStore, runtime: Runtime): Promise<StatusDatabase> {
  const { SYNC_LOCK } = await import("../project/worker.ts");
  const { isLocked } = await import("../io/lock.ts");
  const { besideDatabase } = await import("../project/memory.ts");
  const { modelSeen } = await import("./shared/model-state.ts");
  const { openSince } = await import("./shared/team.ts");
  const { search, status, team } = opened;
  return {
    status,
    totals: () => search.totals(),
    vectors: () => opened.ingest.vectorsReady(),
    reading: () => readingSeen(opened, runtime),
    model: () => modelSeen(opened),
    team: async () => {
      const membership = await team.membership();
      if (membership === null) return null;
      const { project, author } = membership;
      const { waiting } = await team.counts(openSince(runtime));
      const isSyncing = isLocked(besideDatabase(runtime.memory, SYNC_LOCK));
      return { project, author, waiting, lastSync: await team.lastSync(), isSyncing };
    },
    folder: async () => (await import("./shared/folder-state.ts")).folderSeen(opened, runtime),
  };
}

/** Counts which of the transcripts that a worker has taken, or is about to, are read to their end; null where none works. */
async function readingSeen({ ingest }: SqliteStore, runtime: Runtime): Promise<ReadingSeen | null> {
  const { directory } = runtime.memory;
  const { WORKER_LOCK } = await import("../project/worker.ts");
  const { isLocked } = await import("../io/lock.ts");
  const { besideDatabase } = await import("../project/memory.ts");
  if (directory === null || !isLocked(besideDatabase(runtime.memory, WORKER_LOCK))) return null;
  const { readingNow } = await import("../project/queue.ts");
  const { countUnread } = await import("./shared/ingest.ts");
  const paths = readingNow(directory);
  return { read: paths.length - (await countUnread(paths, ingest)), total: paths.length };
}
