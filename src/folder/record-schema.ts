import * as v from "valibot";
import { TURN_ORIGINS } from "../domain.ts";
import { PART_KINDS } from "../turn/text.ts";

/** Numbers of a text's characters: places in it. */
const Place = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Text = v.nullable(v.string());
const Key = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));
const Writer = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));

const Session = v.object({
  sessionId: v.string(),
  client: v.string(),
  automated: v.boolean(),
  branch: Text,
  startedAt: Text,
  endedAt: Text,
  opening: v.nullable(
    v.object({
      title: Text,
      titleSource: v.nullable(v.picklist(["summary", "custom-title", "ai-title"])),
      firstPrompt: Text,
      links: v.array(
        v.object({
          sessionId: v.string(),
          prNumber: v.number(),
          prUrl: v.string(),
          prRepository: v.string(),
          timestamp: Text,
        }),
      ),
    }),
  ),
});

const Turn = v.object({
  session: Session,
  agentId: Text,
  subagent: v.nullable(v.object({ agentType: Text, task: Text })),
  isSidechain: v.boolean(),
  origin: v.picklist(TURN_ORIGINS),
  toolSummary: v.array(v.string()),
  failures: v.array(v.object({ start: Place, end: Place, call: v.nullable(Place), mended: v.boolean() })),
  mentions: v.array(v.object({ filePath: v.string(), toolName: v.string() })),
  commits: v.array(v.object({ hash: v.string(), message: v.string() })),
  createdAt: Text,
  endedAt: Text,
  branch: Text,
  model: Text,
  clientVersion: Text,
  promptUuid: Text,
  text: v.string(),
  parts: v.array(v.object({ kind: v.picklist(PART_KINDS), start: Place, end: Place })),
  chunks: v.array(v.object({ chunkIndex: Place, start: Place, end: Place, hasVector: v.boolean() })),
  vectorModel: v.nullable(
    v.object({
      id: v.string(),
      dimensions: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8192)),
    }),
  ),
});

/** The length of a line that a cure may hold: those of a transcript are cut far shorter. */
const Line = v.pipe(v.string(), v.maxLength(10_000));

const Cure = v.object({
  errors: v.array(v.object({ form: Line, text: Line })),
  kinds: v.array(Line),
  failed: Line,
  call: v.nullable(Line),
  isBefore: v.boolean(),
  calls: Place,
  change: v.nullable(v.object({ path: Line, line: Line })),
  said: v.nullable(v.object({ text: Line, isThinking: v.boolean() })),
});

/** A record as a segment holds it: of a chunk's vector, whether there is one. */
export const RecordSchema = v.variant("kind", [
  v.object({
    seq: Place,
    kind: v.literal("turn"),
    key: Key,
    home: v.nullable(v.object({ writer: Writer, name: v.pipe(v.string(), v.maxLength(100)) })),
    cleans: v.nullable(v.object({ writer: Writer, seq: Place })),
    turn: Turn,
    cures: v.optional(v.array(Cure), []),
  }),
  v.object({
    seq: Place,
    kind: v.literal("mark"),
    key: Key,
    mark: v.object({
      mark: v.pipe(v.string(), v.maxLength(100)),
      isOn: v.boolean(),
      time: v.string(),
      answer: v.nullable(v.object({ kind: v.picklist(["good", "bad"]), prompt: Text, subject: Text })),
    }),
  }),
]);

export type WrittenRecord = v.InferOutput<typeof RecordSchema>;
