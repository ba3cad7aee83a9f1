import { objectOf, objectsOf, parseObject } from "../../io/json.ts";
import { tailOf } from "../files.ts";

/** How much of the end of a transcript is read: a loop sets its next time at the end of each turn. */
const TAIL_BYTES = 256_000;
/** What a line has that sets a timer, or that one brought. */
const TIMER = /"(?:ScheduleWakeup|CronCreate|wakeupSource)"/;

/**
 * Whether the end of a session says that a timer brings this prompt: the model set it with these words, or it came so
 * before. Claude Code 2.1.330 gives hooks no source of a prompt.
 */
export function isWakeUp(path: string, prompt: string): boolean {
  const tail = tailOf(path, TAIL_BYTES);
  if (!TIMER.test(tail)) return false;
  return tail.split("\n").some((line) => TIMER.test(line) && promptsIn(line).includes(prompt));
}

/** Returns the prompts that an entry sets for later, or brings from a timer. */
function promptsIn(line: string): unknown[] {
  const entry = parseObject(line);
  const content: unknown = objectOf(entry?.message)?.content;
  if (typeof content === "string") return "wakeupSource" in (entry ?? {}) ? [content] : [];
  return objectsOf(content)
    .filter(({ type, name }) => type === "tool_use" && (name === "ScheduleWakeup" || name === "CronCreate"))
    .map(({ input }) => objectOf(input)?.prompt);
}
