import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { oneOf } from "../command/schema.ts";
import { LOOKUPS } from "../render/completions/lookup.ts";

/** What the completions of a shell ask for names that only the memory knows. */
export const command = defineCommand({
  name: "complete",
  summary: "Print what a shell offers: turns, sessions, branches and other names of the memory",
  arguments: {
    kinds: { ...required("kinds", v.array(oneOf(LOOKUPS))), isList: true },
  },
  options: {},
  examples: ["mementor complete turns sessions"],
  printsData: () => true,
  async run({ args: { kinds } }, runtime) {
    const { offersOf } = await import("./completions/offers.ts");
    const { renderOffers } = await import("../render/completions/lookup.ts");
    runtime.host.stdout.write(renderOffers(await offersOf(kinds, runtime)));
    return 0;
  },
});
