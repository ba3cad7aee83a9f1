import * as v from "valibot";
import { DEFAULTS } from "./defaults.ts";

const onOff = (fallback: boolean) => v.optional(v.boolean(), fallback);
const whole = (least: number, most: number, fallback: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most)), fallback);
const oneOf = <const T extends readonly string[]>(words: T, fallback: T[number]) =>
  v.optional(v.picklist(words), fallback);
const text = (fallback: string) => v.optional(v.pipe(v.string(), v.nonEmpty()), fallback);
const list = () => v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

/** Characters: Claude Code cuts what one hook says at 10,000 and shows the model a preview of the rest. */
const budget = (fallback: number) => whole(100, 9_500, fallback);

/** Every setting with its default; `loadConfig` reads files of this shape, and `MEMENTOR_<PATH>` for each leaf. */
export const ConfigSchema = v.object({
  /** Which moments tell Claude something. */
  recall: v.object({
    prompt: onOff(DEFAULTS.recall.prompt),
    file: onOff(DEFAULTS.recall.file),
    subagent: onOff(DEFAULTS.recall.subagent),
    compact: onOff(DEFAULTS.recall.compact),
    /** A three-line digest of the last sessions on this branch when a session starts. */
    startup: onOff(DEFAULTS.recall.startup),
  }),
  /** Longest text of each, in characters. */
  budgets: v.object({
    prompt: budget(DEFAULTS.budgets.prompt),
    file: budget(DEFAULTS.budgets.file),
    compact: budget(DEFAULTS.budgets.compact),
  }),
  search: v.object({
    /** How many turns a search returns. */
    k: whole(1, 100, DEFAULTS.search.k),
    /** How many turns a prompt is told at most. */
    promptK: whole(1, 20, DEFAULTS.search.promptK),
    /** How sure a recall must be before a prompt is told anything. */
    gate: oneOf(["off", "loose", "normal", "strict"], DEFAULTS.search.gate),
  }),
  exclude: v.object({
    /** Globs of paths relative to the project; turns keep no text from such files. */
    paths: list(),
    /** Globs of project roots where hooks do nothing. */
    projects: list(),
  }),
  embedding: v.object({
    /** The model that a new memory starts with; one that is there says itself which serves (`mementor model use`). */
    model: text(DEFAULTS.embedding.model),
    runtime: oneOf(["auto", "native", "wasm"], DEFAULTS.embedding.runtime),
    /** Whether hooks embed with the WASM runtime too; it takes about a second, so they use keywords alone. */
    wasmInHooks: onOff(DEFAULTS.embedding.wasmInHooks),
  }),
  vectors: v.object({ backend: oneOf(["auto", "extension", "scan"], DEFAULTS.vectors.backend) }),
  log: v.object({ level: oneOf(["error", "warn", "info", "debug"], DEFAULTS.log.level) }),
});

export type Config = v.InferOutput<typeof ConfigSchema>;
