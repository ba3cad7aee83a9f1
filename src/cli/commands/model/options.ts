import * as v from "valibot";
import { POOLINGS } from "../../../embed/embedder.ts";
import { flag, jsonOption, label, type OptionValues, oneOf } from "../../command-line/option.ts";

export const modelOptions = {
  yes: flag("Download a model from the hub without asking; nothing else uses the network", "y"),
  name: {
    value: "name",
    description: "Name of the imported model (default: its directory's name)",
    schema: v.optional(label()),
  },
  pooling: {
    value: "pooling",
    description: "How tokens become one vector, if the model's files do not say: cls, mean (default) or last",
    schema: v.optional(oneOf(POOLINGS)),
  },
  queryPrefix: {
    value: "text",
    description: "Text to put before a query, if the model's files do not say",
    schema: v.optional(v.string()),
  },
  documentPrefix: {
    value: "text",
    description: "Text to put before a stored text, if the model's files do not say",
    schema: v.optional(v.string()),
  },
  background: flag("With use: return at once, and let the background worker embed"),
  files: flag("With remove: also delete its files, for all projects"),
  json: jsonOption,
};

export type ModelOptions = OptionValues<typeof modelOptions>;
