import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { defineCommand } from "../command-line/command.ts";
import { oneOf, optional } from "../command-line/option.ts";
import { type TeamAction, teamOptions } from "./team/options.ts";

/** Each action, in the order of help. `team/actions.ts` has a function for each. */
const ACTIONS: Record<string, Action> = {
  init: {
    shown: "init <url>",
    summary: "Set up a server for the team: roles, tables and policies; for administrators",
    word: "the URL of the server",
  },
  add: {
    shown: "add <name>",
    summary: "Add a member, and print a password once; or change rights and quota; for administrators",
    word: "the name of the member",
  },
  remove: {
    shown: "remove <name>",
    summary: "Take a member out of the project, with --keep or --erase; for administrators",
    word: "the name of the member",
  },
  rotate: {
    shown: "rotate <name>",
    summary: "Give a member a new password; for administrators",
    word: "the name of the member",
  },
  members: {
    shown: "members",
    summary: "List the members, and how much each stores",
  },
  models: {
    shown: "models [name]",
    summary: "List the models, and who added each; with --erase, remove one, or all without vectors",
    word: "the name of a model",
    mayLack: true,
  },
  join: {
    shown: "join [url]",
    summary: "Join the team of this project, and fetch what others share; shares nothing",
    word: "the URL of the server",
    mayLack: true,
  },
  preview: {
    shown: "preview [turn]",
    summary: "Show turn by turn what would leave this machine",
    word: "a turn",
    mayLack: true,
  },
  share: {
    shown: "share <on|off>",
    summary: "Share your turns, including future ones, after a preview; or stop sharing",
    word: '"on" or "off"',
  },
  unshare: {
    shown: "unshare <turn|session|path>",
    summary: "Remove turns from the team, everywhere; they stay in your memory",
    word: "a turn, a session or a path",
  },
  status: {
    shown: "status",
    summary: "Show the rules, counts, the quota, the last sync, and what is wrong",
  },
  sync: {
    shown: "sync",
    summary: "Send and fetch now",
  },
  leave: {
    shown: "leave",
    summary: "Leave the team, and remove what came from others",
  },
};

interface Action {
  /** The action as help shows it, with its argument. */
  shown: string;
  summary: string;
  /** Description of its argument; absent if it takes none. */
  word?: string;
  /** True if the argument is optional. */
  mayLack?: boolean;
}

export const command = defineCommand({
  name: "team",
  help: { group: "Share", position: 1 },
  summary: "Share the memory of a project with a team, through a PostgreSQL server of yours",
  arguments: {
    action: optional("action", oneOf(Object.keys(ACTIONS))),
    target: optional("target", v.string()),
  },
  actions: Object.values(ACTIONS).map(({ shown, summary }) => [shown, summary]),
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
    const actions: Record<string, TeamAction> = await import("./team/actions.ts");
    const run = actions[action];
    if (found === undefined || run === undefined || mistaken(found, target))
      throw new MementorError("usage", wordMistake(action, found?.word), {
        hint: "See: mementor team --help.",
      });
    return run({ target, options }, runtime);
  },
});

function mistaken({ word, mayLack }: Action, target: string | undefined): boolean {
  return target === undefined ? word !== undefined && mayLack !== true : word === undefined;
}

function wordMistake(action: string, word: string | undefined): string {
  return word === undefined
    ? `"mementor team ${action}" takes no further word.`
    : `"mementor team ${action}" needs ${word}.`;
}
