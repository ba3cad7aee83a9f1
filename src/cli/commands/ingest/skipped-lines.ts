import { groupedDigits } from "../../../text/numbers.ts";

/** What the records are that hold no text to remember, with the kinds that are counted under each name. */
const GROUPS: readonly (readonly [words: string, kinds: readonly string[]])[] = [
  ["unreadable", ["malformed", "non_object", "too_long", "no_type", "no_message", "bad_pr_link", "unknown"]],
  ["private passages", ["private"]],
  [
    "results of tools",
    ["tool_result", "late_item", "known_call", "tool.execution_start", "tool.execution_complete"],
  ],
  ["progress", ["progress", "task_started", "task_complete", "assistant.turn_start", "assistant.turn_end"]],
  ["empty messages", ["no_text", "reasoning", "agent_message", "message"]],
  ["repeated messages", ["duplicate", "set", "summary_elsewhere", "rewind", "revert"]],
  ["output of the agent's own commands", ["command_echo", "local-command-stdout", "bookkeeping"]],
  ["messages that the agent wrote itself", ["meta", "notification", "system", "synthetic", "interruption"]],
  ["context for the model", ["context", "turn_context", "world_state", "system.message", "attachment"]],
  ["errors of the agent's service", ["api_error", "turn_aborted"]],
  ["compactions of subagents", ["agent_compaction"]],
];

const OTHER = "other records of the agent";

const WORDS = new Map(GROUPS.flatMap(([words, kinds]) => kinds.map((kind) => [kind, words] as const)));

/** Renders how many lines hold no text to remember, by what they are in words: `results of tools 131, progress 36`. */
export function renderSkipped(skipped: Readonly<Record<string, number>>): string {
  const counts = new Map<string, number>();
  for (const [kind, lines] of Object.entries(skipped)) {
    const words = WORDS.get(kind) ?? OTHER;
    counts.set(words, (counts.get(words) ?? 0) + lines);
  }
  const order = [...counts].sort(
    ([a, many], [b, few]) => Number(a === OTHER) - Number(b === OTHER) || few - many || (a < b ? -1 : 1),
  );
  return order.map(([words, lines]) => `${words} ${groupedDigits(lines)}`).join(", ");
}
