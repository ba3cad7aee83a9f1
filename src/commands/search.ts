import * as v from "valibot";
import { words } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { allProjectsOption, viewOptions } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { oneOf, wholeNumber } from "../command/schema.ts";
import { SEARCH_MODES } from "../constants.ts";
import { type LazyEmbedder, lazyEmbedder } from "../embed/optional.ts";
import { MementorError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import type { SearchResult } from "../search/search.ts";
import type { Store } from "../store/store.ts";
import { filterOf, filterOptions } from "./shared/filter.ts";
import { printPaged } from "./shared/pager.ts";
import { screenOf } from "./shared/view.ts";

export const command = defineCommand({
  name: "search",
  aliases: ["query"],
  help: { group: "Ask", position: 1 },
  summary: "Find what was said, decided and done before",
  arguments: { query: words("text") },
  options: {
    limit: {
      short: "k",
      value: "n",
      description: "Maximum number of turns (default: 10)",
      schema: v.optional(wholeNumber(1, 1_000)),
    },
    ...filterOptions(),
    allProjects: allProjectsOption,
    mode: {
      value: "mode",
      description: "hybrid (default), keyword or vector",
      schema: v.optional(oneOf(SEARCH_MODES), "hybrid"),
    },
    explain: flag("Show why these results: the best candidates, their scores, why some were left out"),
    ...viewOptions,
  },
  examples: [
    'mementor search "why did we move to sqlite"',
    "mementor search ingest.rs -k 3 --json",
    'mementor search "flaky test" --branch main --since "last month"',
    'mementor search "rate limit" --all-projects',
  ],
  async run({ args: { query }, options }, runtime) {
    const { search } = await import("../search/search.ts");
    const { host } = runtime;
    const { config } = await runtime.config();
    const wanted = { query, limit: options.limit ?? config.search.k, mode: options.mode };
    if (options.allProjects) {
      if (options.explain)
        throw new MementorError("usage", "--explain looks into one memory, not into all.", {
          hint: "Name a project with -C instead of --all-projects.",
        });
      const { printAcross } = await import("./search/all-projects.ts");
      return printAcross(runtime, wanted, options);
    }
    const store = await runtime.openStore("readonly");
    const embedder = embedderOf(runtime, store);
    try {
      const filter = await filterOf(options, runtime, store.browse);
      const request = { ...wanted, filter, strictness: config.search.gate };
      const result = await search(request, { store: store.search, embed: embedder.embed });
      if (options.json) host.stdout.write(await asJson(result, options.explain));
      else await printPaged(host, await asText(result, options.explain, runtime, store), options.pager);
      return 0;
    } finally {
      await embedder.close();
      await store.close();
    }
  },
});

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

async function asJson(result: SearchResult, explain: boolean): Promise<string> {
  const { explainJson } = await import("../render/explain.ts");
  const { hitJson } = await import("../render/search.ts");
  const { renderJson } = await import("../render/json.ts");
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
  const { renderExplanation } = await import("../render/explain.ts");
  const { renderHits } = await import("../render/search.ts");
  const words = explain.parts.terms.map(({ term }) => term);
  const outcomes = await browse.outcomes(hits.map(({ turn }) => turn.turnId));
  const shown = hits.map((hit) => ({ hit, words, outcome: outcomes.get(hit.turn.turnId) }));
  const screen = screenOf(runtime);
  const text = renderHits({ hits: shown, confidence }, screen);
  return explains ? `${text}\n${renderExplanation(explain, screen)}` : text;
}
