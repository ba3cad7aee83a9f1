import * as v from "valibot";
import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { oneOf } from "../command/schema.ts";
import { MementorError } from "../errors.ts";
import { type TeamAction, teamOptions } from "./team/options.ts";

/** Each action, and whether a word follows: what it is, or null. */
const ACTIONS = {
  init: { word: "the URL of the server", load: async () => (await import("./team/init.ts")).init },
  add: { word: "the name of the member", load: async () => (await import("./team/add.ts")).add },
  remove: { word: "the name of the member", load: async () => (await import("./team/remove.ts")).remove },
  rotate: { word: "the name of the member", load: async () => (await import("./team/add.ts")).rotate },
  grant: { word: "the name of the member", load: async () => (await import("./team/rights.ts")).grant },
  revoke: { word: "the name of the member", load: async () => (await import("./team/rights.ts")).revoke },
  members: { word: null, load: async () => (await import("./team/members.ts")).members },
} as const satisfies Record<string, { word: string | null; load: () => Promise<TeamAction> }>;

type Name = keyof typeof ACTIONS;
const NAMES = Object.keys(ACTIONS).filter((name): name is Name => name in ACTIONS);

export const command = defineCommand({
  name: "team",
  help: { group: "Team", position: 1 },
  summary: "Share the memory of a project with a team, through a PostgreSQL server of yours",
  arguments: {
    action: optional("action", oneOf(NAMES)),
    target: optional("target", v.string()),
  },
  options: teamOptions,
  takesTeamProject: true,
  examples: [
    "mementor team init postgres://admin@db.acme.example/memory",
    "mementor team add ada --project shop",
    "mementor team members",
    "mementor team remove ada --project shop --keep",
  ],
  async run({ args: { action = "members", target }, options }, runtime) {
    const { word, load } = ACTIONS[action];
    if ((target === undefined) !== (word === null))
      throw new MementorError("usage", wordMistake(action, word), {
        hint: `See: mementor team --help.`,
      });
    return (await load())({ target, options }, runtime);
  },
});

function wordMistake(action: string, word: string | null): string {
  return word === null
    ? `"mementor team ${action}" takes no further word.`
    : `"mementor team ${action}" needs ${word}.`;
}
