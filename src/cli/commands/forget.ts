import * as v from "valibot";
import { FORGET } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import type { ForgetPlan, PruneRequest } from "../../store/forget.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { readTime } from "../../text/when.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  authorOption,
  consentOptions,
  flag,
  nameSchema,
  type OptionValues,
  optional,
  sizeSchema,
  valued,
} from "../command-line/option.ts";

export const command = defineCommand({
  name: "forget",
  help: { group: "Teach", position: 4 },
  summary: "Remove turns for good: by number, session, file, text or age",
  arguments: { target: optional("turn|session|path", v.string()) },
  options: {
    match: valued(
      "text",
      "Turns that contain this text, ignoring case; with a target, only its turns",
      v.pipe(
        v.string(),
        v.trim(),
        v.minLength(FORGET.minMatchChars, `must have at least ${FORGET.minMatchChars} characters`),
      ),
    ),
    before: valued("when", "Turns from before this time: 2026-03-04, 1y, 3mo"),
    prune: flag("With --before: only save space here; pinned turns and your other devices keep theirs"),
    maxSize: valued(
      "size",
      "Save space: the oldest turns, but none of this month, until the database is smaller than this",
      sizeSchema,
    ),
    imported: valued("name", "Turns that were imported from the memory of this name", nameSchema),
    author: {
      ...authorOption,
      description:
        "With --match, --before or --max-size: only turns of this team member; all for everybody's",
    },
    backups: flag("Also delete old copies of the database"),
    finish: flag("Only rewrite the file, if another process prevented that before"),
    ...consentOptions,
  },
  examples: [
    "mementor forget 42",
    "mementor forget 1b7c0a52",
    "mementor forget src/secrets.ts --dry-run",
    'mementor forget --match "customer name" --yes',
    "mementor forget --before 2025-01-01",
    "mementor forget --before 1y --prune",
    "mementor forget --imported ada",
  ],
  async run({ args: { target: wanted }, options }, runtime) {
    const { match, before, prune, maxSize, imported, author, finish, backups, ...consent } = options;
    if (prune || maxSize !== undefined) {
      if ([wanted, match, imported].some((given) => given !== undefined) || finish || backups)
        throw new MementorError("usage", "Pruning takes an age and a size only.", {
          hint: "Leave out everything else that selects turns: mementor forget --before 1y --prune",
        });
      return saveSpace({ before, maxSize, author }, consent, runtime);
    }
    if ([wanted, match, before, imported].every((given) => given === undefined) && !finish && !backups)
      throw new MementorError("usage", "Name something to forget.", {
        hint: 'Give a turn, a session or a path, or use "--match", "--before" or "--imported".',
      });
    const cut = before === undefined ? null : readTime(before, runtime.host.now()).from.toISOString();
    const { removeWithConsent } = await import("./forget/remove.ts");
    const { namedTurns } = await import("../named-turns.ts");
    return removeWithConsent(runtime, {
      ...consent,
      kind: "forget",
      copies: backups,
      plan: async (store) =>
        store.forget.plan({
          ...(wanted !== undefined && (await namedTurns(store, wanted, runtime, byText(wanted)))),
          match,
          author,
          before: cut ?? undefined,
          imported: imported === undefined ? undefined : await originNamed(store, imported),
        }),
      remove: (store, plan) => store.forget.forget(plan),
    });
  },
});

/** Maximum rounds of pruning. Sizes are estimates, so each round checks the result. */
const MAX_ROUNDS = 8;

interface Space {
  before: string | undefined;
  maxSize: number | undefined;
  author: string | undefined;
}

/** Removes the oldest turns to save space: up to an age, until the database is small enough, or both. */
async function saveSpace(
  { before, maxSize, author }: Space,
  consent: OptionValues<typeof consentOptions>,
  runtime: Runtime,
): Promise<number> {
  if (before === undefined && maxSize === undefined)
    throw new MementorError("usage", "Say what to keep.", {
      hint: 'Use "--before 1y" for an age, "--max-size 500MB" for a size, or both.',
    });
  const now = runtime.host.now();
  const age = before === undefined ? null : readTime(before, now).from;
  const month = new Date(now.getFullYear(), now.getMonth(), 1);
  const request: PruneRequest = {
    before: age?.toISOString() ?? null,
    maxBytes: maxSize ?? null,
    // An explicit age is obeyed; a size limit alone never removes turns of the last month.
    keepFrom: (age !== null && age > month ? age : month).toISOString(),
    author,
  };
  const { removeWithConsent } = await import("./forget/remove.ts");
  return removeWithConsent(runtime, {
    ...consent,
    kind: "prune",
    copies: false,
    remark: (after) =>
      after > (maxSize ?? after)
        ? "The database is still larger than that, but the remaining turns are kept."
        : null,
    plan: (store) => store.forget.planPrune(request),
    remove: (store, plan) => removeUntil(store, plan, request),
  });
}

async function removeUntil(store: SqliteStore, first: ForgetPlan, request: PruneRequest): Promise<number> {
  let removed = 0;
  let plan = first;
  for (let round = 0; round < MAX_ROUNDS && plan.turnIds.length > 0; round++) {
    removed += await store.forget.prune(plan);
    if (request.maxBytes !== null && !(await store.file.compact(FORGET.patienceMs))) break;
    plan = await store.forget.planPrune(request);
  }
  return removed;
}

function byText(wanted: string): string {
  return `To forget by text, run: mementor forget --match "${wanted}"`;
}

/** Returns the name of an origin. Throws `not_found` if no turns were imported from it. */
async function originNamed({ forget }: SqliteStore, name: string): Promise<string> {
  const origins = await forget.origins();
  if (origins.includes(name)) return name;
  throw new MementorError("not_found", `Nothing here was imported from "${name}".`, {
    hint:
      origins.length === 0
        ? "This memory has no imported turns."
        : `There is: ${origins.slice(0, 10).join(", ")}.`,
  });
}
