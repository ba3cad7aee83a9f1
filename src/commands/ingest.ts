import { resolve } from "node:path";
import { discoverSessions, filesOfSession, projectSessions, stampOf } from "../agents/list.ts";
import { list } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { MementorError, toMementorError } from "../errors.ts";
import { registerMemory } from "../project/claim.ts";
import { ensureDirectoryOf } from "../project/memory.ts";
import { renderJson } from "../render/json.ts";
import type { Runtime } from "../runtime.ts";
import { ingestInto } from "./shared/ingest.ts";
import { ProgressBar } from "./shared/progress.ts";

export const command = defineCommand({
  name: "ingest",
  help: { group: "Look after", position: 1 },
  summary: "Read transcripts into the memory",
  arguments: { paths: list("paths") },
  options: {
    all: flag("Every conversation of this project that the agents here have on disk"),
    textOnly: flag("Leave embedding for later; keywords work at once"),
    json: jsonOption,
  },
  examples: ["mementor ingest --all", "mementor ingest ~/.claude/projects/-home-me-app"],
  async run({ args, options: { all, textOnly, json } }, given) {
    const { host } = given;
    const paths = await collect(args.paths, all, given);
    const runtime = await withMemory(given);
    const store = await runtime.openStore("create");
    const signal = host.interrupted();
    const bar = new ProgressBar(host, {
      // A transcript that is gone by now has no size; reading it will say so.
      read: () => paths.reduce((sum, path) => sum + (stampOf(path)?.size ?? 0), 0),
      embed: () => store.ingest.pendingCount(),
    });
    const report = await ingestInto(store, runtime, {
      paths,
      textOnly,
      waits: true,
      signal,
      hooks: {
        onStage: (stage) => bar.begin(stage),
        onProgress: (progress) => bar.advance(progress),
        onNoEmbedder: (error) => host.stderr.write(`Without vectors: ${toMementorError(error).message}\n`),
      },
    });
    bar.end();
    await store.close();
    const { renderIngest } = await import("../render/ingest.ts");
    host.stdout.write(json ? renderJson(report) : renderIngest(report));
    if (signal.aborted) return typeof signal.reason === "number" ? signal.reason : 1;
    return report.files.failed > 0 ? 1 : 0;
  },
});

/** A memory that is made here is ours, and registered as such; one that is ours already is only written to. */
export async function withMemory(runtime: Runtime): Promise<Runtime> {
  const { memory, paths, project, host } = runtime;
  if (memory.directory === null) {
    ensureDirectoryOf(memory.databaseFile);
    return runtime;
  }
  if ((await runtime.origin()) !== "none") return runtime;
  registerMemory(paths, project.root, { now: host.now(), settings: [], enables: false });
  return runtime.renewed();
}

async function collect(named: readonly string[], all: boolean, runtime: Runtime): Promise<string[]> {
  if (!all && named.length === 0)
    throw new MementorError("usage", "Nothing to ingest was named.", {
      hint: 'Name transcripts or directories, or use "--all" for every conversation of this project.',
    });
  const sessions = all ? await projectSessions(runtime.project, runtime.host) : [];
  const sources = [
    ...named.map((path) => discoverSessions(resolve(runtime.host.cwd, path))),
    ...sessions.map(filesOfSession),
  ];
  const found = new Set<string>();
  for (const files of sources) for await (const file of files) found.add(file);
  return [...found];
}
