import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";
import type { Message, Talk } from "../settled-material.ts";

const text = v.pipe(v.string(), v.nonEmpty());
const COMMON = { title: text, prompt: text, visible: v.pipe(v.array(text), v.minLength(1)) };
const SETTLED = { rule: text, since: v.pipe(v.string(), v.isoDate()), settled: text };
const TASK = v.variant("kind", [
  v.strictObject({ kind: v.literal("rule"), ...COMMON, ...SETTLED }),
  v.strictObject({ kind: v.literal("amended"), ...COMMON, ...SETTLED, older: text }),
  v.strictObject({ kind: v.literal("absent"), ...COMMON, guess: text }),
]);
const TOOL = v.union([
  v.strictObject({ read: text, shows: v.string() }),
  v.strictObject({ grep: text, in: text, shows: v.string() }),
  v.strictObject({ run: text, shows: v.string(), failed: v.optional(v.boolean()) }),
  v.strictObject({ edit: text, old: v.string(), new: v.string() }),
]);
const TURN = v.strictObject({
  user: text,
  thinking: v.optional(text),
  tools: v.optional(v.array(TOOL)),
  assistant: text,
});
const CONVERSATION = {
  at: v.pipe(v.string(), v.isoTimestamp()),
  branch: text,
  turns: v.pipe(v.array(TURN), v.minLength(1)),
};
const SESSIONS = v.array(v.strictObject(CONVERSATION));
const OTHERS = v.array(v.strictObject({ id: text, ...CONVERSATION }));

type Conversation = v.InferOutput<typeof SESSIONS>[number];

/** A task for an agent, with the conversations in which its rule was settled. */
export type Task = v.InferOutput<typeof TASK> & { id: string; directory: string; sessions: Conversation[] };

export const FIXTURES = resolve(import.meta.dir, "../../../fixtures/ask");

/** Returns the tasks in the order of their numbers; throws where one is not as it should be. */
export function readTasks(): Task[] {
  const ids = readdirSync(FIXTURES).filter((name) => /^\d\d-/.test(name));
  return ids.sort().map((id) => {
    const directory = join(FIXTURES, id);
    const sessions = join(directory, "session.json");
    return {
      ...{ id, directory, ...read(join(directory, "task.json"), TASK) },
      sessions: existsSync(sessions) ? read(sessions, SESSIONS) : [],
    };
  });
}

/** Returns the conversations of all tasks and the ones beside them, in the order of their time. */
export function readTalks(): Talk[] {
  const ofTasks = readTasks().flatMap(({ id, sessions }) =>
    sessions.map((session, i) => talkOf(`${id}, session ${i + 1}`, session)),
  );
  const others = read(join(FIXTURES, "others.json"), OTHERS).map(({ id, ...session }) => talkOf(id, session));
  return [...ofTasks, ...others].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Returns everything that was said in a conversation, by both. */
export function saidIn({ turns }: Conversation): string[] {
  return turns.flatMap(({ user, assistant }) => [user, assistant]);
}

function talkOf(id: string, { at, branch, turns }: Conversation): Talk {
  const messages = turns.flatMap(({ user, thinking, tools = [], assistant }): Message[] => [
    { user },
    ...(thinking === undefined ? [] : [{ thinks: thinking }]),
    ...tools,
    { agent: assistant },
  ]);
  return { id, at, branch, messages };
}

function read<T>(file: string, schema: v.GenericSchema<unknown, T>): T {
  const parsed = v.safeParse(schema, JSON.parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.output;
  throw new Error(`${file}: ${JSON.stringify(v.flatten(parsed.issues))}`);
}
