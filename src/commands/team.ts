import * as v from "valibot";
import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { oneOf } from "../command/schema.ts";
import { MementorError } from "../errors.ts";
import { type TeamAction, teamOptions } from "./team/options.ts";

/** Each action, and the word that follows: what it is, or null. */
const ACTIONS: Record<string, Action> = {
  init: { word: "the URL of the server", load: async () => (await import("./team/init.ts")).init },
  add: { word: "the name of the member", load: async () => (await import("./team/add.ts")).add },
  remove: { word: "the name of the member", load: async () => (await import("./team/remove.ts")).remove },
  rotate: { word: "the name of the member", load: async () => (await import("./team/add.ts")).rotate },
  grant: { word: "the name of the member", load: async () => (await import("./team/rights.ts")).grant },
  revoke: { word: "the name of the member", load: async () => (await import("./team/rights.ts")).revoke },
  members: { word: null, load: async () => (await import("./team/members.ts")).members },
  index: { word: null, load: async () => (await import("./team/vector-indexes.ts")).index },
  join: {
    word: "the URL of the server",
    mayLack: true,
    load: async () => (await import("./team/join.ts")).join,
  },
  preview: { word: "a turn", mayLack: true, load: async () => (await import("./team/preview.ts")).preview },
  share: { word: '"on" or "off"', load: async () => (await import("./team/share.ts")).share },
  status: { word: null, load: async () => (await import("./team/status.ts")).status },
  sync: { word: null, load: async () => (await import("./team/sync.ts")).sync },
  leave: { word: null, load: async () => (await import("./team/leave.ts")).leave },
};

interface Action {
  word: string | null;
  /** The action also works without the word. */
  mayLack?: boolean;
  load: () => Promise<TeamAction>;
}

export const command = defineCommand({
  name: "team",
  help: { group: "Team", position: 1 },
  summary: "Share the memory of a project with a team, through a PostgreSQL server of yours",
  arguments: {
    action: optional("action", oneOf(Object.keys(ACTIONS))),
    target: optional("target", v.string()),
  },
  options: teamOptions,
  usesTeamServer: true,
  examples: [
    "mementor team init postgres://admin@db.acme.example/memory",
    "mementor team add ada --project shop",
    "mementor team join postgres://ada@db.acme.example/memory",
    "mementor team preview --since 30d",
    "mementor team share on --branch 'feat/*'",
    "mementor team status",
    "mementor team leave --erase",
    "mementor team remove ada --project shop --keep",
  ],
  async run({ args: { action = "status", target }, options }, runtime) {
    const found = ACTIONS[action];
    if (found === undefined || mistaken(found, target))
      throw new MementorError("usage", wordMistake(action, found?.word ?? null), {
        hint: "See: mementor team --help.",
      });
    return (await found.load())({ target, options }, runtime);
  },
});

function mistaken({ word, mayLack }: Action, target: string | undefined): boolean {
  return target === undefined ? word !== null && mayLack !== true : word === null;
}

function wordMistake(action: string, word: string | null): string {
  return word === null
    ? `"mementor team ${action}" takes no further word.`
    : `"mementor team ${action}" needs ${word}.`;
}
