import { join } from "node:path";
import * as v from "valibot";
import { readIfExists } from "../../io/read.ts";
import { POOLINGS, type Pooling } from "../embedder.ts";
import { MODEL_LIMITS, unusableModel } from "./choose.ts";

/** The settings for running a model. */
export interface ModelSettings {
  pooling: Pooling;
  /** Maximum tokens per text, special tokens included. Longer texts are truncated. */
  maxTokens: number;
  /** Prepended to queries. */
  queryPrefix: string;
  /** Prepended to stored texts. */
  documentPrefix: string;
  /** Length of the vectors according to the model's files; null when they do not say. */
  dimensions: number | null;
}

/** Settings from the user that replace missing or wrong ones in a model's files. */
export type SettingsOverride = {
  [Name in "pooling" | "queryPrefix" | "documentPrefix"]?: ModelSettings[Name] | undefined;
};

const Count = v.optional(v.nullable(v.number()), null);
const Flag = v.optional(v.nullable(v.boolean()), null);

const Config = v.looseObject({ max_position_embeddings: Count, model_type: v.optional(v.string(), "") });
const TokenizerConfig = v.looseObject({ model_max_length: Count });
const SentenceConfig = v.looseObject({ max_seq_length: Count });
const PoolingConfig = v.looseObject({
  word_embedding_dimension: Count,
  embedding_dimension: Count,
  pooling_mode: v.optional(v.nullable(v.string()), null),
  pooling_mode_cls_token: Flag,
  pooling_mode_mean_tokens: Flag,
  pooling_mode_lasttoken: Flag,
  pooling_mode_max_tokens: Flag,
  pooling_mode_mean_sqrt_len_tokens: Flag,
  pooling_mode_weightedmean_tokens: Flag,
});
const PromptConfig = v.looseObject({
  prompts: v.optional(v.nullable(v.record(v.string(), v.nullable(v.string()))), null),
});

/** Model types that number positions after the padding token. They have two positions fewer for text. */
const PADDED_POSITIONS = new Set(["roberta", "xlm-roberta", "camembert", "mpnet"]);
const QUERY_PROMPTS = ["query", "search_query"];
const DOCUMENT_PROMPTS = ["document", "passage", "search_document", "corpus"];

/**
 * Reads a model's settings from its directory, in the format of sentence-transformers. `where` names the model in errors. The
 * defaults are mean pooling and no prefix. Throws `model_invalid` for invalid or unsupported settings.
 */
export function readSettings(directory: string, where: string, override: SettingsOverride): ModelSettings {
  const read = <S extends v.GenericSchema<unknown, unknown>>(file: string, schema: S) =>
    readJson(join(directory, file), schema, `${where}: ${file}`);
  const pooling = read("1_Pooling/config.json", PoolingConfig);
  const prompts = read("config_sentence_transformers.json", PromptConfig)?.prompts ?? {};
  const prompt = (names: readonly string[]) =>
    names.map((name) => prompts[name]).find((found) => found != null) ?? "";
  const config = read("config.json", Config);
  const positions = config?.max_position_embeddings;
  const limits = [
    read("sentence_bert_config.json", SentenceConfig)?.max_seq_length,
    read("tokenizer_config.json", TokenizerConfig)?.model_max_length,
    positions == null ? null : positions - (PADDED_POSITIONS.has(config?.model_type ?? "") ? 2 : 0),
    MODEL_LIMITS.tokens,
  ].filter((limit) => limit != null && limit > 0);
  return {
    pooling: override.pooling ?? (pooling === null ? "mean" : poolingOf(pooling, where)),
    maxTokens: Math.min(...limits.map((limit) => limit ?? MODEL_LIMITS.tokens)),
    queryPrefix: override.queryPrefix ?? prompt(QUERY_PROMPTS),
    documentPrefix: override.documentPrefix ?? prompt(DOCUMENT_PROMPTS),
    dimensions: pooling?.word_embedding_dimension ?? pooling?.embedding_dimension ?? null,
  };
}

function poolingOf(config: v.InferOutput<typeof PoolingConfig>, where: string): Pooling {
  const switched = MODES.flatMap(([key, mode]) => (config[key] === true ? mode : []));
  const modes = config.pooling_mode === null ? switched : [config.pooling_mode.replace("lasttoken", "last")];
  const [mode, ...others] = modes;
  const pooling = POOLINGS.find((each) => each === mode);
  if (others.length === 0 && pooling !== undefined) return pooling;
  throw unusableModel(
    where,
    `its pooling must be cls, mean or last, not ${modes.join(" and ") || "unspecified"}`,
  );
}

const MODES = [
  ["pooling_mode_cls_token", "cls"],
  ["pooling_mode_mean_tokens", "mean"],
  ["pooling_mode_lasttoken", "last"],
  ["pooling_mode_max_tokens", "max"],
  ["pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len"],
  ["pooling_mode_weightedmean_tokens", "weightedmean"],
] as const;

function readJson<S extends v.GenericSchema<unknown, unknown>>(
  path: string,
  schema: S,
  where: string,
): v.InferOutput<S> | null {
  const text = readIfExists(path);
  if (text === null) return null;
  try {
    return v.parse(schema, JSON.parse(text));
  } catch (error) {
    throw unusableModel(where, error instanceof Error ? error.message : String(error), error);
  }
}
