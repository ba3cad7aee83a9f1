import * as v from "valibot";
import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { authorOption, consentOptions } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { FORGET } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { readTime } from "../filter/time.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";

export const command = defineCommand({
  name: "forget",
  help: { group: "Look after", position: 2 },
  summary: "Remove turns for good: by number, session, file or text",
  arguments: { target: optional("turn|session|path", v.string()) },
  options: {
    match: {
      value: "text",
      description: "Turns that contain this text, in any case; with a target, only its turns",
      schema: v.optional(
        v.pipe(
          v.string(),
          v.trim(),
          v.minLength(FORGET.minMatchChars, `must have at least ${FORGET.minMatchChars} characters`),
        ),
      ),
    },
    before: {
      value: "when",
      description: "Turns from before this time: 2026-03-04, 1y, 3mo",
      schema: v.optional(v.string()),
    },
    imported: {
      value: "name",
      description: "Turns that were imported from the memory of this name",
      schema: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"))),
    },
    author: {
      ...authorOption,
      description: "With --match or --before: turns of this member of the team; all for everybody's",
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
    "mementor forget --imported ada",
  ],
  async run({ args: { target: wanted }, options }, runtime) {
    const { match, before, imported, author, finish, backups, ...consent } = options;
    if ([wanted, match, before, imported].every((given) => given === undefined) && !finish && !backups)
      throw new MementorError("usage", "Name something to forget.", {
        hint: 'Give a turn, a session or a path, or use "--match", "--before" or "--imported".',
      });
    const cut = before === undefined ? null : readTime(before, runtime.host.now()).from.toISOString();
    const { removeWithConsent } = await import("./shared/remove.ts");
    const { namedTurns } = await import("./shared/named-turns.ts");
    return removeWithConsent(runtime, {
      ...consent,
      kind: "forget",
      note: null,
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

function byText(wanted: string): string {
  return `To forget by text, run: mementor forget --match "${wanted}"`;
}

/** Returns the name if turns were imported from a memory of it. */
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
