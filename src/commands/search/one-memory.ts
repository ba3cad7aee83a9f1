import { type LazyEmbedder, lazyEmbedder } from "../../embed/optional.ts";
import type { TypedFilter } from "../../filter/filter.ts";
import { explainJson, renderExplanation } from "../../render/explain.ts";
import { renderJson } from "../../render/json.ts";
import { hitJson, renderHits } from "../../render/search.ts";
import type { Runtime } from "../../runtime.ts";
import { type SearchRequest, type SearchResult, search } from "../../search/search.ts";
import type { Store } from "../../store/store.ts";
import { filterOf } from "../shared/filter.ts";
import { printPaged } from "../shared/pager.ts";
import { screenOf } from "../shared/view.ts";

export type SearchOptions = TypedFilter & { json: boolean; pager: boolean; explain: boolean };

/** Searches one memory, prints the results and closes the memory. Returns the exit code. */
export async function printSearch(
  runtime: Runtime,
  store: Store,
  request: Omit<SearchRequest, "filter" | "strictness">,
  options: SearchOptions,
): Promise<number> {
  const { host } = runtime;
  const embedder = embedderOf(runtime, store);
  try {
    const filter = await filterOf(options, runtime, store.browse);
    const { config } = await runtime.config();
    const wanted = { ...request, filter, strictness: config.search.gate };
    const result = await search(wanted, { store: store.search, embed: embedder.embed });
    if (options.json) host.stdout.write(asJson(result, options.explain));
    else await printPaged(host, await asText(result, options.explain, runtime, store), options.pager);
    return 0;
  } finally {
    await embedder.close();
    await store.close();
  }
}

/** Returns the embedder of the store's model. If it cannot be loaded, reports that to the log and stderr. */
function embedderOf(runtime: Runtime, { models }: Store): LazyEmbedder {
  return lazyEmbedder(
    async () => runtime.openEmbedder("query", (await models.active())?.id),
    async (error) => {
      (await runtime.log()).warn("embedder", { error });
      runtime.host.stderr.write(`Searching by keywords alone: ${error.message}\n`);
    },
  );
}

function asJson(result: SearchResult, explain: boolean): string {
  const { query, confidence, hits } = result;
  const results = hits.map((hit) => hitJson(hit));
  return renderJson({ query, confidence, results, ...(explain && { explain: explainJson(result) }) });
}

async function asText(
  { hits, confidence, explain }: SearchResult,
  explains: boolean,
  runtime: Runtime,
  { browse }: Store,
): Promise<string> {
  const words = explain.parts.terms.map(({ term }) => term);
  const outcomes = await browse.outcomes(hits.map(({ turn }) => turn.turnId));
  const shown = hits.map((hit) => ({ hit, words, outcome: outcomes.get(hit.turn.turnId) }));
  const screen = screenOf(runtime);
  const text = renderHits({ hits: shown, confidence }, screen);
  return explains ? `${text}\n${renderExplanation(explain, screen)}` : text;
}
