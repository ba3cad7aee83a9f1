import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

/** Checks that a client need not know: the answer to a call says what is wrong. */
const LEFT_OUT = ["trim", "to_lower_case", "non_empty", "max_length", "regex"];

/**
 * Returns the JSON Schema of a tool's arguments. A number is taken as digits too, and null for what is not given, but
 * clients read only the first, proper form.
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
