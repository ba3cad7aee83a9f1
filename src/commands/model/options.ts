import * as v from "valibot";
import { jsonOption } from "../../command/common-options.ts";
import { flag, type OptionValues } from "../../command/option.ts";
import { label, oneOf } from "../../command/schema.ts";
import { POOLINGS } from "../../embed/vector.ts";

export const modelOptions = {
  yes: flag("Download what a hub id names without asking; nothing else uses the network", "y"),
  name: {
    value: "name",
    description: "What an imported model is called (default: its directory's name)",
    schema: v.optional(label()),
  },
  pooling: {
    value: "pooling",
    description: "How it makes one vector of many, where its files do not say: cls, mean (default) or last",
    schema: v.optional(oneOf(POOLINGS)),
  },
  queryPrefix: {
    value: "text",
    description: "What it wants before a query, where its files do not say",
    schema: v.optional(v.string()),
  },
  documentPrefix: {
    value: "text",
    description: "What it wants before a stored text, likewise",
    schema: v.optional(v.string()),
  },
  files: flag("With remove: take it off this machine too, for all projects"),
  json: jsonOption,
};

export type ModelOptions = OptionValues<typeof modelOptions>;
