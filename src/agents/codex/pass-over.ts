import type { LineReader } from "../../transcript/lines.ts";

/** Length of a line's start that contains its two types. */
const HEAD_CHARS = 160;
const HEAD = /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/;

const NOISE = new Set(["world_state", "token_usage_record", "session_meta"]);
/** Messages contain what the model saw, with injected text. Prompts and answers have separate records. */
const NOISE_ITEMS = new Set(["message", "reasoning", "additional_tools"]);
const NOISE_EVENTS = new Set(["token_count", "thread_settings_applied"]);

/** Returns the kind of a line that is always skipped, without parsing it. Null for any other line. */
export function passedOver({ bytes, start, end }: LineReader): string | null {
  const head = HEAD.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)));
  if (head === null) return null;
  const [, type = "", kind = ""] = head;
  if (NOISE.has(type)) return type;
  if (type === "response_item" && NOISE_ITEMS.has(kind)) return kind;
  return type === "event_msg" && NOISE_EVENTS.has(kind) ? kind : null;
}
