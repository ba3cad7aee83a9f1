import * as v from "valibot";
import { flag, onByDefault, wholeNumber } from "./option.ts";

/** Default number of rows of a list: about a screen. */
export const LIST_ROWS = 20;

/** Options of every command. */
export const GLOBAL_OPTIONS = {
  project: {
    short: "C",
    value: "dir",
    description: "Use the project of this directory instead of the current one",
    schema: v.optional(v.string()),
  },
  db: {
    value: "file|url",
    description: "Use this database: a file, or postgres://user@host/name to read a team's",
    schema: v.optional(v.string()),
  },
  insecure: flag("With a team's server: accept one without TLS, or whose certificate cannot be verified"),
  help: flag("Show help", "h"),
  version: flag("Show the version", "v"),
};

/** The options of a command that stays in its project. */
export const CONFINED_OPTIONS = { help: GLOBAL_OPTIONS.help, version: GLOBAL_OPTIONS.version };

export const jsonOption = flag("Print JSON");

/** The option that makes a list or search read the memories of all projects. */
export const allProjectsOption = flag("Read the memories of all your projects, not only of this one");

/** Options that every command accepts, for scripts; only the help of commands that heed them shows them. */
export const ACCEPTED_OPTIONS = { pager: onByDefault("Do not use a pager") };

/** Options of a command line without a command: `mementor --version --json`, `mementor help search --man`. */
export const PROGRAM_OPTIONS = {
  json: flag("With --version: print the versions of all parts as JSON"),
  man: flag('With "help": print the manual page'),
  ...ACCEPTED_OPTIONS,
};

/** Options of commands that show what the memory holds. */
export const viewOptions = { json: jsonOption, ...ACCEPTED_OPTIONS };

/** How many rows a list shows. */
export const rows = {
  short: "n",
  value: "n",
  description: `Maximum number of rows (default: ${LIST_ROWS})`,
  schema: v.optional(wholeNumber(1, 1_000_000), `${LIST_ROWS}`),
};

/** Whose turns a command removes. */
export const authorOption = {
  value: "name",
  description: "Turns of this member of the team instead of your own; all for everybody's",
  schema: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"))),
};

/** Options of commands that remove something. */
export const consentOptions = {
  dryRun: flag("Show what would be removed, and remove nothing"),
  yes: flag("Do not ask", "y"),
  json: jsonOption,
};
