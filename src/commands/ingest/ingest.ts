import { resolve } from "node:path";
import { discoverSessions, filesOfSession, projectSessions, stampOf } from "../../agents/list.ts";
import { MementorError, toMementorError } from "../../errors.ts";
import { withFormerRoots } from "../../project/histories.ts";
import { readRegistry } from "../../project/registry.ts";
import { renderIngest } from "../../render/ingest.ts";
import { renderJson } from "../../render/json.ts";
import type { Runtime } from "../../runtime.ts";
import { ingestInto } from "../shared/ingest.ts";
import { ProgressBar } from "../shared/progress.ts";
import { withMemory } from "../shared/with-memory.ts";

export interface IngestOptions {
  all: boolean;
  textOnly: boolean;
  json: boolean;
}

/** Reads transcripts into the memory, and creates the memory if there is none. Returns the exit code. */
export async function ingest(
  named: readonly string[],
  { all, textOnly, json }: IngestOptions,
  given: Runtime,
): Promise<number> {
  const { host } = given;
  const paths = await collect(named, all, given);
  const runtime = await withMemory(given);
  const store = await runtime.openStore("create");
  const signal = host.interrupted();
  const bar = new ProgressBar(host, {
    // A transcript that is gone has no size. Reading it will report that.
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
      onNoEmbedder: (error) =>
        host.stderr.write(`Continuing without vectors: ${toMementorError(error).message}\n`),
    },
  });
  bar.end();
  await store.close();
  host.stdout.write(json ? renderJson(report) : renderIngest(report));
  if (signal.aborted) return typeof signal.reason === "number" ? signal.reason : 1;
  return report.files.failed > 0 ? 1 : 0;
}

async function collect(named: readonly string[], all: boolean, runtime: Runtime): Promise<string[]> {
  if (!all && named.length === 0)
    throw new MementorError("usage", "Name something to ingest.", {
      hint: 'Name transcripts or directories, or use "--all" for every conversation of this project.',
    });
  const project = withFormerRoots(runtime.project, readRegistry(runtime.paths.configDir));
  const sessions = all ? await projectSessions(project, runtime.host) : [];
  const sources = [
    ...named.map((path) => discoverSessions(resolve(runtime.host.cwd, path))),
    ...sessions.map(filesOfSession),
  ];
  const found = new Set<string>();
  for (const files of sources) for await (const file of files) found.add(file);
  return [...found];
}
