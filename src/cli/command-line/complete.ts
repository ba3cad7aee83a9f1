import { agentIds } from "../../agents/agent.ts";
import { ALL_SETTINGS } from "../../config/settings.ts";
import { NOTE } from "../../constants.ts";
import { BGE_SMALL } from "../../embed/embedder.ts";
import { installedModels } from "../../embed/models/manifest.ts";
import { toMementorError } from "../../errors.ts";
import { type KnownName, NAMED_FILTERS, type NamedFilter, namesFor } from "../../recall/unknown.ts";
import type { Runtime } from "../../runtime.ts";
import { HOOKED_AGENTS } from "../../setup/hooks/targets.ts";
import { MCP_AGENTS } from "../../setup/mcp.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { truncateGraphemes } from "../../text/cut.ts";
import { sessionName, shortId } from "../../turn/title.ts";
import { OVERVIEW } from "../commands/overview.ts";
import { PAGES } from "../help/pages.ts";
import { renderWhen } from "../terminal/screen.ts";
import { type Command, globalsOf } from "./command.ts";
import { GLOBAL_OPTIONS, longName, type Option, type Options, schemaChoices } from "./option.ts";
import { findCommand, optionNamed, type ParsedLine, parseLine } from "./parse.ts";

/** What may stand at the cursor: words of the program, names that the memory knows, and paths. */
interface Place {
  words?: readonly Offer[];
  known?: readonly Known[];
  path?: "files" | "directories" | undefined;
}

/** Creates the runtime that a command line's options select. */
type Open = (options: ParsedLine["options"], command: Command) => Promise<Runtime>;

/**
 * Answers a shell at the Tab key: what may stand in the place of the last of these words, a line each, the word before a tab
 * and what it stands for. `:files` and `:directories` ask the shell for its own.
 */
export async function completeLine(typed: readonly string[], open: Open): Promise<string> {
  const last = typed.at(-1) ?? "";
  // Some shells treat "=" as a separate word.
  const before = typed.slice(0, -1).filter((word) => word !== "=");
  const [, assigned = ""] = /^(--[\w-]+=)/.exec(last) ?? [];
  const called = await findCommand(before);
  const command = called?.command ?? null;
  const parsed = parseLine(assigned === "" ? before : [...before, assigned.slice(0, -1)], command);
  const { words = [], known = [], path } = placeOf(last, command, parsed);
  const names =
    command === null || known.length === 0
      ? []
      : await knownNames(known, await open(parsed.options, command));
  const offers = [...words, ...names].filter(({ word }) => PLAIN.test(word));
  const lines = offers.map(({ word, description }) => `${assigned}${word}\t${inOneLine(description)}\n`);
  return [...lines, ...(path === undefined ? [] : [`:${path}\t\n`])].join("");
}

/** Characters that no shell interprets. A branch may be called `$(…)`. */
const PLAIN = /^(?:-{0,2}[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./+-]*)$/u;

function inOneLine(text: string): string {
  return text.replace(/[\s\p{C}]+/gu, " ").trim();
}

function placeOf(last: string, command: Command | null, { words, mistakes }: ParsedLine): Place {
  const options: Options = command === null ? GLOBAL_OPTIONS : { ...command.options, ...globalsOf(command) };
  const open = mistakes.find(({ kind, isBeforeDash }) => kind === "needs-value" && !isBeforeDash);
  if (open !== undefined) return valuePlace(optionNamed(open.flag, { ...GLOBAL_OPTIONS, ...options }));
  if (last.startsWith("-")) return { words: flagsOf(options) };
  if (command !== null) return argumentPlace(command, words);
  if (words[0] === "help") return { words: words.length === 1 ? [...COMMANDS, ...TOPICS] : [] };
  return { words: words.length === 0 ? [...COMMANDS, HELP] : [] };
}

const HELP = { word: "help", description: "Show the help of a command, or a page of the documentation" };
const TOPICS = [...PAGES.keys()].map((word) => ({ word, description: "a page of the documentation" }));
const COMMANDS = OVERVIEW.flatMap(([, commands]) =>
  commands.map(([usage, description]) => ({ word: usage.replace(/ .*/, ""), description })),
);

function flagsOf(options: Options): Offer[] {
  return Object.entries(options).flatMap(([name, { description, off }]) => [
    ...(description === null ? [] : [{ word: `--${longName(name)}`, description }]),
    ...(off === undefined ? [] : [{ word: `--no-${longName(name)}`, description: off }]),
  ]);
}

function bare(words: readonly string[]): Offer[] {
  return words.map((word) => ({ word, description: "" }));
}

const SAID = ["turns", "session"] as const;

/** Kind of an option's value, by its placeholder in help, for values that no schema lists. */
const VALUES: Readonly<Record<string, Place>> = {
  "show turn|n-m|session": { known: SAID },
  "from agent": { words: bare(["claude", ...agentIds().filter((id) => id !== "claude-code"), NOTE.client]) },
  "for agents": { words: bare([...new Set(["claude", ...HOOKED_AGENTS, ...MCP_AGENTS, "all"])]) },
};

/** Times as people type them in one word. */
const TIMES = bare(["today", "yesterday", "3d", "2w", "1mo"]);

function valuePlace([name, option]: [string, Option] | []): Place {
  if (name === undefined || option === undefined) return {};
  const choices = schemaChoices(option.schema);
  if (choices.length > 0) return { words: bare(choices) };
  if (option.value === "when") return { words: TIMES };
  if (isKnown(name)) return { known: [name] };
  return VALUES[`${name} ${option.value}`] ?? { path: pathOf(option.value) };
}

/** What kind of path a value or an argument is, by what help calls it. */
function pathOf(shown = ""): Place["path"] {
  if (/(?:^|\|)(?:file|path)s?\b/.test(shown)) return "files";
  return /(?:^|\|)(?:dir|folder)s?\b/.test(shown) ? "directories" : undefined;
}

/** What the arguments of commands are that no schema lists, by what is typed before them. */
const ARGUMENTS: Readonly<Record<string, Place>> = {
  commits: { known: ["commit"] },
  forget: { known: SAID },
  "mark good": { known: ["answers"] },
  "mark bad": { known: ["answers"] },
  "mark mute": { known: ["turns"] },
  "mark pin": { known: ["turns"] },
  "model import": { path: "files" },
  "model remove": { known: ["models"] },
  "model use": { known: ["models"] },
  show: { known: SAID },
  "sync remove": { known: ["devices"] },
  "team preview": { known: ["turns"] },
  "team share": { words: bare(["on", "off"]) },
  "team unshare": { known: SAID },
  told: { known: ["answers"] },
};

function argumentPlace(command: Command, before: readonly string[]): Place {
  const args = Object.values(command.arguments);
  const argument = args[before.length] ?? args.findLast(({ isList }) => isList);
  if (argument === undefined) return {};
  const choices = before.length === 0 ? firstWords(command, schemaChoices(argument.schema)) : [];
  const place = ARGUMENTS[[command.name, ...before].join(" ")];
  // What follows an action is what the action takes.
  const isOpen = before.length === 0 || command.actions === undefined;
  return {
    words: [...choices, ...(command.name === "config" ? settings(before) : [])],
    path: isOpen ? pathOf(argument.label) : undefined,
    ...place,
  };
}

/** The actions of a command, or the words that the schema of its first argument allows. */
function firstWords({ actions = [] }: Command, choices: readonly string[]): Offer[] {
  const named = actions.flatMap(([shown, description]) =>
    (/^[a-z]+(?=$| )/.exec(shown) ?? []).map((word) => ({ word, description })),
  );
  return named.length > 0 ? named : bare(choices);
}

/** The settings that may follow an action of `config`, and the values of one. */
function settings([action = "", key, ...rest]: readonly string[]): Offer[] {
  if (!["get", "set", "unset"].includes(action)) return [];
  if (key === undefined) return ALL_SETTINGS.map((leaf) => ({ word: leaf.key, description: leaf.meaning }));
  const leaf = ALL_SETTINGS.find((known) => known.key === key);
  return action === "set" && rest.length === 0 ? bare(leaf?.words ?? []) : [];
}

/** Maximum suggestions per kind, latest first. */
const OFFERED = 30;
/** Characters of a description. */
const DESCRIBED = 60;
/** How long the answer waits for a process that writes, ms: somebody pressed Tab. */
const PATIENCE_MS = 200;

/** A word that a shell offers, and what it stands for; that may be empty. */
type Offer = KnownName;

/** Returns the names of these kinds that a memory knows; none where there is none that may be read. Asks no server. */
async function knownNames(kinds: readonly Known[], runtime: Runtime): Promise<Offer[]> {
  if (runtime.databaseUrl !== null) return [];
  try {
    if (kinds.every((kind) => kind === "models")) return models(runtime);
    await using store = await runtime.openStore("readonly", { busyTimeoutMs: PATIENCE_MS });
    const offers: Offer[] = [];
    for (const kind of kinds)
      offers.push(...(await (isListed(kind) ? OFFERS[kind](store, runtime) : namesFor(kind, store.browse))));
    return offers.map(({ word, description }) => ({ word, description: short(description) }));
  } catch (error) {
    (await runtime.log()).debug("complete", { error: toMementorError(error) });
    return [];
  }
}

/** The kinds of names but those that a memory lists for a filter alone. An option's are found by its own name. */
const OFFERS = {
  session: async ({ browse }) =>
    (await browse.sessions({}, { limit: OFFERED })).sessions.map((session) => ({
      word: shortId(session.sessionId),
      description: sessionName(session),
    })),
  turns: async ({ browse }) =>
    (await browse.recent(OFFERED, {})).map(({ turnId, title }) => ({
      word: `${turnId}`,
      description: title,
    })),
  author: async ({ browse }) => [
    ...(await namesFor("author", browse)),
    { word: "all", description: "everybody" },
  ],
  answers: async ({ journal }, { host }) =>
    (await journal.answers({ limit: OFFERED })).map(({ id, prompt, subject, time }) => ({
      word: `${id}`,
      description: prompt ?? subject ?? renderWhen(time, host.now()),
    })),
  models: (_, runtime) => models(runtime),
  devices: async ({ folder }) =>
    (await folder.writers())
      .filter(({ isOver, name }) => !isOver && name !== "")
      .map(({ name }) => ({ word: name, description: "" })),
} satisfies Record<string, (store: SqliteStore, runtime: Runtime) => Offer[] | Promise<Offer[]>>;

/** A kind of name that only the memory knows. */
type Known = keyof typeof OFFERS | NamedFilter;

/** Tells whether there are such names. */
function isKnown(kind: string): kind is Known {
  return isListed(kind) || NAMED_FILTERS.some((name) => name === kind);
}

function isListed(kind: string): kind is keyof typeof OFFERS {
  return Object.hasOwn(OFFERS, kind);
}

function models({ paths }: Runtime): Offer[] {
  const ids = [BGE_SMALL.id, ...installedModels(paths.modelsDir).map(({ id }) => id)];
  return [...new Set([...ids, "multilingual"])].map((word) => ({ word, description: "" }));
}

function short(text: string): string {
  return truncateGraphemes(text, DESCRIBED);
}
