import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { MCP_LIMITS, MCP_TOKENS } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { explainMistake } from "../text/mistakes.ts";
import type { Memory } from "./memory.ts";
import type { Answer } from "./text/answer.ts";

/** A tool as it is listed and called. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** True if it adds to the memory. No tool removes or changes anything. */
  writes: boolean;
  /** Returns the JSON Schema of the arguments. It is derived from the schemas that validate them. */
  inputSchema(): ListedTool["inputSchema"];
  /** Rejects with `usage` when the arguments are not valid. */
  call(args: unknown, memory: Memory): Promise<Answer>;
}

interface ToolDefinition<Entries extends v.ObjectEntries> {
  name: string;
  title: string;
  description: string;
  /** True for a tool that adds to the memory. */
  writes?: boolean;
  /** Schemas of the arguments, each with a description. */
  arguments: Entries;
  answer: (args: v.InferOutput<v.StrictObjectSchema<Entries, undefined>>, memory: Memory) => Promise<Answer>;
}

/** Defines a tool that validates its arguments before answering, and rejects with `usage` for invalid or unknown ones. */
export function defineTool<const Entries extends v.ObjectEntries>(definition: ToolDefinition<Entries>): Tool {
  const { name, title, description, writes = false, arguments: entries, answer } = definition;
  const schema = v.strictObject(entries);
  return {
    name,
    title,
    description,
    writes,
    inputSchema: () => inputSchema(entries),
    async call(args, memory) {
      const parsed = v.safeParse(schema, requireThisProject(args ?? {}, entries));
      if (parsed.success) return answer(parsed.output, memory);
      const { required = [] } = inputSchema(entries);
      throw new MementorError(
        "usage",
        parsed.issues.map((issue) => issueMessage(issue, entries)).join("\n"),
        {
          hint: `${name} takes ${Object.keys(entries).join(", ")}${required.length > 0 ? `; required: ${required.join(", ")}` : ""}.`,
        },
      );
    },
  };
}

/** Arguments that select other memories. Only a tool that needs the user's permission accepts them. */
const ELSEWHERE = ["project", "team"];

/** Drops empty arguments for other memories; throws `usage` if a tool for this project gets a value in one. */
function requireThisProject(args: unknown, entries: v.ObjectEntries): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  const isForeign = (name: string) => ELSEWHERE.includes(name) && !(name in entries);
  const given = Object.entries(args);
  const [asked] = given.find(([name, value]) => isForeign(name) && value !== null && value !== false) ?? [];
  if (asked === undefined) return Object.fromEntries(given.filter(([name]) => !isForeign(name)));
  throw new MementorError("usage", `This tool answers for this project only, without "${asked}".`, {
    hint: "For other projects and the team's server, use search_elsewhere, which asks the user.",
  });
}

function issueMessage(issue: v.BaseIssue<unknown>, entries: v.ObjectEntries): string {
  const name = issue.path?.[0]?.key;
  if (name === undefined) return "The arguments must be an object.";
  if (!(String(name) in entries)) return `There is no argument "${String(name)}".`;
  if (issue.received === "undefined") return `"${String(name)}" is missing.`;
  return `"${String(name)}" ${explainMistake(issue, issue.path?.[0]?.value)}.`;
}

/** Validations that clients need not know about. If one fails, the answer to the call explains it. */
const LEFT_OUT = ["trim", "to_lower_case", "non_empty", "max_length", "regex"];

/**
 * Returns the JSON Schema of a tool's arguments. The server also accepts digits as a number, and null for an absent
 * argument, but the schema shows only the regular forms.
 */
function inputSchema(entries: v.ObjectEntries): ListedTool["inputSchema"] {
  const { properties = {}, required = [] } = toJsonSchema(v.strictObject(entries), {
    typeMode: "input",
    ignoreActions: LEFT_OUT,
    overrideSchema: ({ jsonSchema: { anyOf: [proper] = [] } }) =>
      typeof proper === "object" ? proper : null,
  });
  return {
    type: "object",
    properties: properties as Record<string, object>,
    required,
    additionalProperties: false,
  };
}

/** Maximum length of a query, path or name. */
const MAX_CHARS = 20_000;

const text = v.pipe(
  v.string("must be a string"),
  v.trim(),
  v.nonEmpty("must not be empty"),
  v.maxLength(MAX_CHARS, `must have at most ${MAX_CHARS} characters`),
);

/** Makes a schema for a whole number of at least `min`. Some clients send digits as a string. */
function integer(min: number) {
  const digits = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));
  return v.pipe(
    v.union([v.number(), digits], "must be a whole number"),
    v.integer("must be a whole number"),
    v.minValue(min, `must be at least ${min}`),
  );
}

function integerUpTo(max: number, min: number) {
  return v.pipe(integer(min), v.maxValue(max, `must be at most ${max}`));
}

/** Makes an optional argument. It is null when absent; some clients send null themselves. */
export function optionalInput<Input, Output>(schema: v.GenericSchema<Input, Output>, description: string) {
  return v.nullish(v.pipe(schema, v.description(description)), null);
}

/** Makes a required text. */
export function requiredText(description: string) {
  return v.pipe(text, v.description(description));
}

export function optionalText(description: string) {
  return optionalInput(text, description);
}

/** Makes an optional id of something in the memory. */
export function optionalId(description: string) {
  return optionalInput(integer(1), description);
}

/** Makes the arguments of a paged answer. By default, an answer takes up to `tokens`. */
export function pagingInputs(tokens: number) {
  const { rows, maxRows } = MCP_LIMITS;
  const cursor = v.pipe(
    v.string("must be a string"),
    v.regex(/^\d{1,9}$/, "must be the next_cursor of an earlier answer"),
  );
  return {
    limit: v.pipe(
      optionalInput(integerUpTo(maxRows, 1), `Maximum number of results (default ${rows})`),
      v.transform((limit) => limit ?? rows),
    ),
    cursor: v.pipe(
      optionalInput(cursor, "Continue after an earlier answer: its next_cursor"),
      v.transform((typed) => Number(typed ?? 0)),
    ),
    max_tokens: v.pipe(
      optionalInput(integerUpTo(MCP_TOKENS.max, MCP_TOKENS.min), "Size of the answer in tokens, about"),
      v.transform((wanted) => wanted ?? tokens),
    ),
  };
}
