import { openOrWithout } from "../../../embed/optional.ts";
import { excludeAllSeen } from "../../../recall/across/asker.ts";
import { coverageJson, localAnswerNote } from "../../../recall/across/coverage.ts";
import { readFilters } from "../../../recall/across/filter.ts";
import { namedFrom, refuseDatabase } from "../../../recall/across/memories.ts";
import { type AllProjectsResult, findOutcomes, searchAllProjects } from "../../../recall/across/search.ts";
import { askTeam, withAuthors } from "../../../recall/across/server.ts";
import { keywordsOnlyNote } from "../../../recall/next-model.ts";
import type { SearchRequest } from "../../../recall/search.ts";
import type { Runtime } from "../../../runtime.ts";
import type { TypedFilter } from "../../../store/filter.ts";
import { programCommand } from "../../../text/lines.ts";
import { renderCoverage } from "../../all-projects.ts";
import { printPaged } from "../../terminal/pager.ts";
import { renderJson, screenOf } from "../../terminal/view.ts";
import { commandChannel, printFound, type SearchOptions, searchMemory } from "./one-memory.ts";
import { hitJson, renderHits } from "./text.ts";

/** Searches the memories of all projects and prints the results. Returns the exit code. */
export async function printAcross(
  runtime: Runtime,
  request: Omit<SearchRequest, "filter">,
  options: TypedFilter & { json: boolean; pager: boolean; withOwn: boolean },
): Promise<number> {
  const { host } = runtime;
  refuseDatabase(runtime);
  const read = await readFilters(options, runtime, host.cwd);
  const filters = options.withOwn ? read : excludeAllSeen(read, runtime, commandChannel(runtime));
  const found = await searchAllProjects(runtime, {
    ...request,
    filters,
    embed: (text, modelId) => embedOnce(runtime, text, modelId),
  });
  if (options.json) host.stdout.write(asJson(found));
  else await printPaged(host, await asText(found, runtime), options.pager);
  return 0;
}

/** Embeds the query. If the model cannot be loaded, reports that and resolves to null. */
async function embedOnce(runtime: Runtime, text: string, modelId: string): Promise<Float32Array | null> {
  const embedder = await openOrWithout(
    () => runtime.openEmbedder("query", modelId),
    async (error) => {
      (await runtime.log()).warn("embedder", { error });
      runtime.host.stderr.write(`${keywordsOnlyNote(error)}\n`);
    },
  );
  if (embedder === null) return null;
  return embedder.embed(text).finally(() => embedder.close());
}

function asJson({ query, confidence, hits, ...rest }: AllProjectsResult): string {
  const results = hits.map(({ hit, project }) => hitJson(hit, project));
  const coverage = coverageJson({ ...rest, searched: rest.searched.length });
  return renderJson({ query, confidence, results, ...coverage });
}

async function asText({ confidence, hits, ...rest }: AllProjectsResult, runtime: Runtime): Promise<string> {
  const outcomes = await findOutcomes(runtime, hits);
  const shown = hits.map(({ hit, project, words }) => ({
    hit,
    words,
    project: project.name,
    outcome: outcomes.get(project)?.get(hit.turn.turnId),
    program: programCommand(namedFrom(runtime, project)),
  }));
  const screen = screenOf(runtime);
  const coverage = { ...rest, searched: rest.searched.length };
  return renderHits({ hits: shown, confidence }, screen) + renderCoverage(coverage, screen);
}

/** Searches the team's database and prints the results, or those of the local copy if the server does not answer. */
export async function printFromTeam(
  runtime: Runtime,
  request: Omit<SearchRequest, "filter" | "hook">,
  options: SearchOptions,
): Promise<number> {
  const asked = await askTeam(runtime, async ({ store, author, memoryOptions }) => {
    const { result, ...rest } = await searchMemory(runtime, store, request, options);
    return { found: { result: withAuthors(result, author), ...rest }, memoryOptions };
  });
  if ("answer" in asked)
    return printFound(runtime, asked.answer.found, options, {
      source: "team",
      memoryOptions: asked.answer.memoryOptions,
    });
  runtime.host.stderr.write(`${localAnswerNote(asked.failure.message)}
`);
  const store = await runtime.openStore("readonly");
  const found = await searchMemory(runtime, store, request, options).finally(() => store.close());
  return printFound(runtime, found, options, { source: "local" });
}
