import * as v from "valibot";
import { MementorError } from "../errors.ts";
import type { Answer } from "../render/mcp/answer.ts";
import type { Memory } from "./memory.ts";

/** One property of a tool's arguments, in JSON Schema. */
export interface JsonProperty {
  type: "string" | "integer" | "boolean";
  description: string;
  minimum?: number;
  maximum?: number;
  enum?: readonly string[];
}

/** A tool as it is listed and called. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  properties: Readonly<Record<string, JsonProperty>>;
  required: readonly string[];
  /** Rejects with `usage` for arguments that do not fit. */
  call(args: unknown, memory: Memory): Promise<Answer>;
}

interface ToolSpec<Entries extends v.ObjectEntries> {
  name: string;
  title: string;
  description: string;
  /** What callers read; the same names as in `entries`. */
  properties: { readonly [Name in keyof Entries]: JsonProperty };
  entries: Entries;
  required?: readonly (keyof Entries & string)[];
  answer: (args: v.InferOutput<v.StrictObjectSchema<Entries, undefined>>, memory: Memory) => Promise<Answer>;
}

/** Makes a tool whose arguments are checked before it is asked. */
export function defineTool<const Entries extends v.ObjectEntries>(spec: ToolSpec<Entries>): Tool {
  const { name, title, description, properties, entries, required = [], answer } = spec;
  const schema = v.strictObject(entries);
  return {
    ...{ name, title, description, properties, required },
    async call(args, memory) {
      const parsed = v.safeParse(schema, args ?? {});
      if (parsed.success) return answer(parsed.output, memory);
      throw new MementorError("usage", parsed.issues.map((issue) => complaint(issue, entries)).join("\n"), {
        hint: `${name} takes ${Object.keys(entries).join(", ")}${required.length > 0 ? `; ${required.join(", ")} must be given` : ""}.`,
      });
    },
  };
}

function complaint(issue: v.BaseIssue<unknown>, entries: v.ObjectEntries): string {
  const name = issue.path?.[0]?.key;
  if (name === undefined) return "The arguments are no object.";
  if (!(String(name) in entries)) return `There is no argument "${String(name)}".`;
  return issue.received === "undefined"
    ? `"${String(name)}" is missing.`
    : `"${String(name)}" ${issue.message}.`;
}
