import * as v from "valibot";
import { TURN_ORIGINS } from "../../domain.ts";
import { UNTRUSTED } from "../../io/untrusted.ts";
import { PART_KINDS } from "../../turn/text.ts";

/** Versions of exports: the one that this program writes, and the one with vectors, which is the newest that it reads. */
export const EXPORT_VERSION = 2;
export const VECTORS_VERSION = 3;

const string = v.string("must be a string");
const whole = v.pipe(v.number("must be a whole number"), v.safeInteger("must be a whole number"));
const yesOrNo = v.boolean("must be true or false");
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);

const id = v.pipe(string, v.regex(/^[\w.:-]{1,200}$/, "is not a valid id"));
const uuid = v.pipe(string, v.regex(/^[\w.:-]{1,200}$/, "is not a valid uuid"));
const word = v.pipe(string, v.maxLength(UNTRUSTED.wordChars, "is too long"));
const text = v.pipe(string, v.maxLength(UNTRUSTED.textChars, "is too long"));
const line = v.pipe(
  whole,
  v.minValue(0, "must be at least 0"),
  v.maxValue(999_999_999, "must be at most 999999999"),
);
const time = v.pipe(
  string,
  v.maxLength(40, "is not a valid time"),
  v.check((value) => !Number.isNaN(Date.parse(value)), "is not a valid time"),
  v.transform((value) => new Date(value).toISOString()),
);
const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema, null);
const list = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(
    v.pipe(v.array(schema, "must be a list"), v.maxLength(UNTRUSTED.listItems, "has too many items")),
    [],
  );

/** The first line of an export. */
export const HeaderSchema = v.object({
  type: v.literal("mementor-export"),
  version: v.pipe(whole, v.minValue(1, "must be at least 1")),
  /** Name of the exported memory. */
  origin: v.optional(word, ""),
});

const SessionSchema = v.object({
  type: v.literal("session"),
  session_id: id,
  client: maybe(v.pipe(string, v.regex(/^[a-z][a-z0-9-]{0,40}$/, "is not a valid agent"))),
  title: maybe(word),
  title_source: maybe(oneOf(["summary", "custom-title", "ai-title"])),
  first_prompt: maybe(text),
  automated: maybe(yesOrNo),
  branch: maybe(word),
  project_dir: maybe(word),
  started_at: maybe(time),
  ended_at: maybe(time),
  foreign: maybe(word),
});

const SubagentSchema = v.object({
  type: v.literal("subagent"),
  session_id: id,
  agent_id: id,
  agent_type: maybe(word),
  task: maybe(text),
  foreign: maybe(word),
});

const offset = v.pipe(whole, v.minValue(0, "must be at least 0"));

const PartSchema = v.object({
  kind: oneOf(PART_KINDS),
  start: offset,
  end: offset,
});

const TurnSchema = v.object({
  type: v.literal("turn"),
  session_id: id,
  agent_id: maybe(id),
  line_index: maybe(line),
  is_sidechain: v.optional(yesOrNo, false),
  role: oneOf(["turn", "compaction_summary", "away_summary"]),
  origin: oneOf(TURN_ORIGINS),
  text: v.pipe(text, v.nonEmpty("is empty")),
  /** Missing in version 1. Parts do not match the text when an older program changed the text later. */
  parts: maybe(
    v.pipe(v.array(PartSchema, "must be a list"), v.maxLength(UNTRUSTED.listItems, "has too many items")),
  ),
  tools: list(text),
  mentions: list(v.object({ path: text, tool: v.pipe(word, v.nonEmpty("is empty")) })),
  commits: list(
    v.object({
      hash: v.pipe(string, v.regex(/^[0-9a-f]{4,64}$/i, "is not a commit hash")),
      message: text,
    }),
  ),
  /** Missing in exports of 1.0.0. */
  marks: list(v.object({ kind: v.picklist(["mute", "pin", "undone", "prompt_only"]), time })),
  created_at: maybe(time),
  ended_at: maybe(time),
  branch: maybe(word),
  cwd: maybe(word),
  model: maybe(word),
  client_version: maybe(word),
  prompt_uuid: maybe(uuid),
  entry_uuids: list(uuid),
  foreign: maybe(word),
});

const PrLinkSchema = v.object({
  type: v.literal("pr_link"),
  session_id: id,
  pr_number: v.pipe(whole, v.minValue(1, "must be at least 1")),
  pr_url: v.pipe(string, v.regex(/^https?:\/\/[^\s\p{Cc}]{1,2000}$/u, "is not a web address")),
  pr_repository: word,
  time: maybe(time),
  foreign: maybe(word),
});

const CompactionSchema = v.object({
  type: v.literal("compaction"),
  session_id: id,
  line_index: line,
  trigger: maybe(word),
  pre_tokens: maybe(v.pipe(whole, v.minValue(0, "must be at least 0"))),
  time: maybe(time),
  foreign: maybe(word),
});

/** The vectors of the preceding turn, by the hashes of its chunks. */
const VectorsSchema = v.object({
  type: v.literal("vectors"),
  model: word,
  chunks: list(
    v.object({
      hash: v.pipe(string, v.regex(/^[0-9a-f]{64}$/, "is not a hash")),
      vector: v.pipe(string, v.maxLength(UNTRUSTED.vectorChars, "is too long")),
    }),
  ),
});

/** The last line of an export, with the number of exported turns. */
const EndSchema = v.object({
  type: v.literal("end"),
  turns: v.pipe(whole, v.minValue(0, "must be at least 0")),
});

/** All other lines of an export. */
export const RecordSchema = v.variant("type", [
  SessionSchema,
  SubagentSchema,
  TurnSchema,
  PrLinkSchema,
  CompactionSchema,
  VectorsSchema,
  EndSchema,
]);

export type ExportHeader = v.InferOutput<typeof HeaderSchema>;
export type ExportRecord = v.InferOutput<typeof RecordSchema>;
export type TurnRecord = v.InferOutput<typeof TurnSchema>;

/** Returns the key of a chunk in an export with vectors: SHA-256 in hex. */
export function chunkHash(content: string): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

/** Encodes a vector as base64 of its 32-bit floats, little-endian. */
export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

/** Decodes a vector of this length and normalises it; null for an invalid text. */
export function decodeVector(text: string, dimensions: number): Float32Array | null {
  const bytes = Buffer.from(text, "base64");
  if (bytes.byteLength !== dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at++) vector[at] = bytes.readFloatLE(at * Float32Array.BYTES_PER_ELEMENT);
  const length = Math.hypot(...vector);
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : null;
}
