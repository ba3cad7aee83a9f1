import type { LineReader } from "../../transcript/lines.ts";

/** As much of a line as its two types need. */
const HEAD_CHARS = 160;
const HEAD = /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/;

const NOISE = new Set(["world_state", "token_usage_record", "session_meta"]);
/** Messages hold what the model saw, injected text included; what was said has records of its own. */
const NOISE_ITEMS = new Set(["message", "reasoning", "additional_tools"]);
const NOISE_EVENTS = new Set(["token_count", "thread_settings_applied"]);

/** Returns the kind of a line of which nothing is ever kept, without parsing it; null for any other line. */
export function passedOver({ bytes, start, end }: LineReader): string | null {
  const head = HEAD.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS)));
  if (head === null) return null;
  const [, type = "", kind = ""] = head;
  if (NOISE.has(type)) return type;
  if (type === "response_item" && NOISE_ITEMS.has(kind)) return kind;
  return type === "event_msg" && NOISE_EVENTS.has(kind) ? kind : null;
}
