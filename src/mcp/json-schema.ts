import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

/** Validations that clients need not know about. If one fails, the answer to the call explains it. */
const LEFT_OUT = ["trim", "to_lower_case", "non_empty", "max_length", "regex"];

/**
 * Returns the JSON Schema of a tool's arguments. The server also accepts digits as a number, and null for an absent
 * argument, but the schema shows only the regular forms.
 */
export function inputSchema(entries: v.ObjectEntries): Tool["inputSchema"] {
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
