import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";

const text = v.pipe(v.string(), v.nonEmpty());
const MESSAGE = v.union([
  v.strictObject({ user: text }),
  v.strictObject({ agent: text }),
  v.strictObject({ thinks: text }),
  v.strictObject({ read: text, shows: v.string() }),
  v.strictObject({ grep: text, in: text, shows: v.string() }),
  v.strictObject({ run: text, shows: v.string(), failed: v.optional(v.boolean()) }),
  v.strictObject({ edit: text, old: v.string(), new: v.string() }),
]);
const TALK = { at: v.pipe(v.string(), v.isoTimestamp()), branch: text, messages: v.array(MESSAGE) };
const SETTLING = v.pipe(
  v.strictObject({ ...TALK, rule: text }),
  v.check(
    ({ messages, rule }) => messages.some((message) => wordsOf(message).includes(rule)),
    "No message says the rule.",
  ),
);
const RULE = v.intersect([v.object({ id: text, prompt: text }), v.looseObject({})]);
const AMENDED = v.strictObject({ id: text, prompt: text, older: SETTLING, newer: SETTLING });

/** One line of a conversation: words of the user or the agent, or a tool call with its result. */
export type Message = v.InferOutput<typeof MESSAGE>;

/** A conversation: when it began (ISO 8601), its branch, and what was said and done. */
export interface Talk {
  id: string;
  at: string;
  branch: string;
  messages: Message[];
}

/** A later prompt, with the words that must be told; those of the older statement where it was amended. */
export interface Trial {
  id: string;
  prompt: string;
  rule?: string;
  older?: string;
}

/** All conversations of the history, and the prompts of each set in the order of their file. */
export interface Material {
  talks: Talk[];
  rules: Trial[];
  amended: Trial[];
  absent: Trial[];
}

const FIXTURES = resolve(import.meta.dir, "../../fixtures/settled");

/** Reads the four files of `fixtures/settled`; throws where one is not as it should be. */
export function readMaterial(): Material {
  const rules = read("rules.json", v.array(RULE)).map(({ id, prompt, ...talk }) => ({
    ...{ id, prompt },
    talk: v.parse(SETTLING, talk),
  }));
  const amended = read("amended.json", v.array(AMENDED));
  const others = read("others.json", v.array(v.strictObject({ id: text, ...TALK })));
  return {
    talks: [
      ...rules.map(({ id, talk }) => ({ ...talk, id })),
      ...amended.flatMap(({ id, older, newer }) => [
        { ...older, id: `${id}, older` },
        { ...newer, id: `${id}, newer` },
      ]),
      ...others,
    ],
    rules: rules.map(({ id, prompt, talk }) => ({ id, prompt, rule: talk.rule })),
    amended: amended.map(({ id, prompt, older, newer }) => ({
      ...{ id, prompt, rule: newer.rule },
      older: older.rule,
    })),
    absent: read("absent.json", v.array(text)).map((prompt, i) => ({ id: `absent-${i + 1}`, prompt })),
  };
}

function read<T>(file: string, schema: v.GenericSchema<unknown, T>): T {
  return v.parse(schema, JSON.parse(readFileSync(join(FIXTURES, file), "utf8")));
}

function wordsOf(message: Message): string {
  if ("user" in message) return message.user;
  return "agent" in message ? message.agent : "";
}
