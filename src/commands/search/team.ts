import { askTeam } from "../../across/team.ts";
import { answeredHere } from "../../render/across.ts";
import type { Runtime } from "../../runtime.ts";
import { attributed } from "../../search/attribute.ts";
import type { SearchRequest } from "../../search/search.ts";
import { findIn, printFound, type SearchOptions } from "./one-memory.ts";

/** Searches the team's database and prints the results; those of the local copy when its server does not answer. */
export async function printFromTeam(
  runtime: Runtime,
  request: Omit<SearchRequest, "filter" | "hook">,
  options: SearchOptions,
): Promise<number> {
  const asked = await askTeam(runtime, async ({ store, author, memoryOptions }) => {
    const { result, ...rest } = await findIn(runtime, store, request, options);
    return { found: { result: attributed(result, author), ...rest }, memoryOptions };
  });
  if ("answer" in asked)
    return printFound(runtime, asked.answer.found, options, {
      source: "team",
      memoryOptions: asked.answer.memoryOptions,
    });
  runtime.host.stderr.write(`${answeredHere(asked.failure.message)}
`);
  const store = await runtime.openStore("readonly");
  const found = await findIn(runtime, store, request, options).finally(() => store.close());
  return printFound(runtime, found, options, { source: "local" });
}
