import * as v from "valibot";
import { LOG_LEVELS } from "../constants.ts";
import { DEFAULTS } from "./defaults.ts";

const onOff = (fallback: boolean) => v.optional(v.boolean("must be true or false"), fallback);
const whole = (min: number, max: number, fallback: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  const schema = v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
  return v.optional(schema, fallback);
};
const oneOf = <const T extends readonly string[]>(words: T, fallback: T[number]) =>
  v.optional(v.picklist(words, `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`), fallback);
const MODEL = 'must be the id of a model that "mementor model list" shows';
const model = (fallback: string) => v.optional(v.pipe(v.string(MODEL), v.nonEmpty(MODEL)), fallback);

const GLOBS = 'must be a list of patterns, such as ["secrets/**"]';
/** A list of globs. */
export const GlobsSchema = v.array(v.pipe(v.string(GLOBS), v.nonEmpty(GLOBS)), GLOBS);
const ROOTS = 'must be a list of patterns of directories, such as ["/home/grace/clients/**"]';
const RootsSchema = v.array(v.pipe(v.string(ROOTS), v.nonEmpty(ROOTS)), ROOTS);

const PATHS = 'must be a list of paths, such as ["../api"]';
const PathsSchema = v.array(v.pipe(v.string(PATHS), v.nonEmpty(PATHS)), PATHS);

const TRUST = 'must be "all", "none" or a list of members, such as ["ada", "grace"]';
const Names = v.array(v.pipe(v.string(TRUST), v.trim(), v.nonEmpty(TRUST)), TRUST);
const SERVERS = 'must be a list of servers, such as ["db.example.org:5432"]';
const ServersSchema = v.array(v.pipe(v.string(SERVERS), v.trim(), v.nonEmpty(SERVERS)), SERVERS);
/** Takes a list also as one text, with commas. */
const trust = (fallback: "all") =>
  v.optional(
    v.pipe(
      v.union([v.string(), Names], TRUST),
      v.transform((given) =>
        typeof given === "string" ? given.split(",").map((name) => name.trim()) : given,
      ),
      v.check((names) => names.every((name) => name !== ""), TRUST),
      v.transform((names) => (names.includes("all") ? "all" : names.filter((name) => name !== "none"))),
    ),
    fallback,
  );

/** In characters. Claude Code truncates the output of a hook at 10,000 and shows the model only a preview. */
const budget = (fallback: number) => whole(100, 9_500, fallback);

/** Every setting with its default. Configuration files have this shape; `MEMENTOR_<PATH>` overrides one setting. */
export const ConfigSchema = v.object({
  /** At which events mementor recalls something for Claude. */
  recall: v.object({
    prompt: onOff(DEFAULTS.recall.prompt),
    file: onOff(DEFAULTS.recall.file),
    failure: onOff(DEFAULTS.recall.failure),
    /** At the start of a session and of a subagent: that there is a memory, when to ask it, and how. */
    invite: onOff(DEFAULTS.recall.invite),
    /** Whether hooks tell notes that agents wrote, marked as such. */
    agentNotes: onOff(DEFAULTS.recall.agentNotes),
    /** Paths of other projects whose memories a prompt's recall may use. Only from the user's own files. */
    related: v.optional(PathsSchema, []),
  }),
  /** Maximum length of each text that hooks tell, in characters. */
  budgets: v.object({ prompt: budget(DEFAULTS.budgets.prompt) }),
  search: v.object({
    /** How many turns a search returns. */
    k: whole(1, 100, DEFAULTS.search.k),
    /** Maximum number of turns that are told for a prompt. */
    promptK: whole(1, 20, DEFAULTS.search.promptK),
    /** How relevant the results must be before anything is told for a prompt. */
    gate: oneOf(["off", "loose", "normal", "strict"], DEFAULTS.search.gate),
  }),
  exclude: v.object({
    /** Globs of paths relative to the project. Turns store no text from these files. */
    paths: v.optional(GlobsSchema, []),
    /** Globs of project roots where hooks do nothing. */
    projects: v.optional(RootsSchema, []),
  }),
  embedding: v.object({
    /** The model of a new memory. An existing memory records its model itself; `mementor model use` changes it. */
    model: model(DEFAULTS.embedding.model),
    runtime: oneOf(["auto", "native", "wasm"], DEFAULTS.embedding.runtime),
    /** Whether hooks may embed with the WASM runtime. It takes about a second, so by default they use keywords only. */
    wasmInHooks: onOff(DEFAULTS.embedding.wasmInHooks),
    /** In the background: half of the cores on battery, and pauses while other programs need the machine. */
    saveEnergy: onOff(DEFAULTS.embedding.saveEnergy),
  }),
  team: v.object({
    /** Turns of colleagues that are older than this many days are not kept here; 0 for no limit. */
    keepDays: whole(0, 36_500, DEFAULTS.team.keepDays),
    /** How many turns of colleagues are kept here, the newest. */
    keepTurns: whole(0, 10_000_000, DEFAULTS.team.keepTurns),
    /**
     * Servers that `--db postgres://…` may connect to, beside those of teams that were joined. Only from the user's own
     * files.
     */
    servers: v.optional(ServersSchema, []),
    /**
     * Whose turns hooks may tell: `all` members of the project, a list of them, or `none`. Only from the user's own
     * files.
     */
    trust: trust(DEFAULTS.team.trust),
    /** Whether hooks tell turns of others at all. Only from the user's own files. */
    recall: onOff(DEFAULTS.team.recall),
  }),
  log: v.object({ level: oneOf(LOG_LEVELS, DEFAULTS.log.level) }),
});

export type Config = v.InferOutput<typeof ConfigSchema>;
