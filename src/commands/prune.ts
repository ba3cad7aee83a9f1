import * as v from "valibot";
import { defineCommand } from "../command/command.ts";
import { authorOption, consentOptions } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { FORGET } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { readTime } from "../filter/time.ts";
import type { ForgetPlan, PruneRequest } from "../store/contract/types/forget.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { parseBytes } from "../text/bytes.ts";

const Size = v.pipe(
  v.string(),
  v.transform(parseBytes),
  v.custom<number>((bytes) => typeof bytes === "number" && bytes > 0, "must be a size: 500MB, 2GB"),
);

/** Sizes are estimates, so the result is checked this many times. */
const MAX_ROUNDS = 8;

export const command = defineCommand({
  name: "prune",
  help: { group: "Look after", position: 3 },
  summary: "Remove the oldest turns, by age or size; keeps those of this month",
  arguments: {},
  options: {
    keep: {
      value: "age",
      description: "Keep turns younger than this: 1y, 6mo, 90d",
      schema: v.optional(v.string()),
    },
    maxSize: {
      value: "size",
      description: "Remove the oldest turns until the database is smaller than this: 500MB, 2GB",
      schema: v.optional(Size),
    },
    author: authorOption,
    everywhere: flag("Remove them from your other devices, too, where you sync through a folder"),
    thisMonth: flag("Also remove turns of this month"),
    ...consentOptions,
  },
  examples: ["mementor prune --keep 1y", "mementor prune --keep 1y --max-size 500MB --yes"],
  async run({ options: { keep, maxSize, thisMonth, author, everywhere, ...options } }, runtime) {
    if (keep === undefined && maxSize === undefined)
      throw new MementorError("usage", "Say what to keep.", {
        hint: 'Use "--keep 1y" for an age, "--max-size 500MB" for a size, or both.',
      });
    const now = runtime.host.now();
    const month = new Date(now.getFullYear(), now.getMonth(), 1);
    const before = keep === undefined ? null : readTime(keep, now).from;
    const request: PruneRequest = {
      before: before?.toISOString() ?? null,
      maxBytes: maxSize ?? null,
      keepFrom: (thisMonth ? now : month).toISOString(),
      author,
    };
    const isLimited = !thisMonth && before !== null && before > month;
    const { removeWithConsent } = await import("./shared/remove.ts");
    return removeWithConsent(runtime, {
      ...options,
      kind: "prune",
      note: isLimited ? 'Turns of this month stay. To remove them too, add "--this-month".' : null,
      copies: false,
      remark: (after) =>
        after > (maxSize ?? after)
          ? "The database is still larger than that, but the remaining turns are kept."
          : null,
      plan: (store) => store.forget.planPrune(request),
      remove: (store, plan) => removeUntil(store, plan, request, everywhere),
    });
  },
});

async function removeUntil(
  store: SqliteStore,
  first: ForgetPlan,
  request: PruneRequest,
  everywhere: boolean,
): Promise<number> {
  let removed = 0;
  let plan = first;
  for (let round = 0; round < MAX_ROUNDS && plan.turnIds.length > 0; round++) {
    removed += await store.forget.prune(plan, everywhere);
    if (request.maxBytes !== null && !(await store.file.compact(FORGET.patienceMs))) break;
    plan = await store.forget.planPrune(request);
  }
  return removed;
}
