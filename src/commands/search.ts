import * as v from "valibot";
import { type LazyEmbedder, lazyEmbedder } from "../embed/optional.ts";
import { MementorError } from "../errors.ts";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { renderJson } from "../render/json.ts";
import { explainJson, hitJson, renderExplanation, renderHits } from "../render/search.ts";
import { styleFor } from "../render/style.ts";
import type { Runtime } from "../runtime.ts";
import { type SearchResult, search } from "../search/search.ts";
import type { Store } from "../store/store.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions, wholeNumber } from "./options.ts";
import { filterOf } from "./shared/filter.ts";

const Options = v.object({
  ...filterEntries(filtersBut()),
  limit: v.optional(wholeNumber(1, 1_000)),
  mode: v.optional(
    v.picklist(["hybrid", "keyword", "vector"], "is one of hybrid, keyword, vector"),
    "hybrid",
  ),
  explain: Flag,
  json: Flag,
});

export const run: RunCommand = async (input, runtime) => {
  const options = parseOptions(Options, input.options);
  const query = input.args.join(" ").trim();
  if (query === "")
    throw new MementorError("usage", "There is nothing to search for.", {
      hint: 'Try: mementor search "how did we ..."',
    });
  const { host } = runtime;
  const { config } = await runtime.config();
  const store = await runtime.openStore("readonly");
  const embedder = embedderOf(runtime, store);
  try {
    const request = {
      query,
      limit: options.limit ?? config.search.k,
      filter: await filterOf(options, runtime, store.browse),
      mode: options.mode,
      strictness: config.search.gate,
    };
    const result = await search(request, { store: store.search, embed: embedder.embed });
    host.stdout.write(
      options.json ? asJson(result, options.explain) : asText(result, options.explain, runtime),
    );
    return 0;
  } finally {
    await embedder.close();
    await store.close();
  }
};

/** The model that serves the store; where it cannot be had, the log and stderr say so. */
function embedderOf(runtime: Runtime, { models }: Store): LazyEmbedder {
  return lazyEmbedder(
    async () => runtime.openEmbedder("prompt", (await models.active())?.id),
    async (error) => {
      (await runtime.log()).warn("embedder", { error });
      runtime.host.stderr.write(`Searching by keywords alone: ${error.message}\n`);
    },
  );
}

function asJson(result: SearchResult, explain: boolean): string {
  const results = result.hits.map((hit) => hitJson(hit));
  return renderJson({ query: result.query, results, ...(explain && { explain: explainJson(result) }) });
}

function asText(result: SearchResult, explain: boolean, { host }: Runtime): string {
  const words = result.explain.parts.terms.map(({ term }) => term);
  const hits = result.hits.map((hit) => ({ hit }));
  const text = renderHits(hits, words, styleFor(host.stdout, host.env), host.now());
  return explain ? `${renderExplanation(result)}\n${text}` : text;
}
