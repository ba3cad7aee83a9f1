import { partOf, textOf } from "./parts.ts";
import type { TurnText } from "./text.ts";

/** At the end of a prompt that was shortened. */
const SHORTENED = "...";

/** Returns a text up to the end of the part before `start`, with the parts that are left. */
export function cutBefore({ text, parts }: TurnText, start: number): TurnText {
  const kept = parts.filter((part) => part.start < start);
  return { text: text.slice(0, kept.at(-1)?.end ?? 0), parts: kept };
}

/** Returns the turn without the prompt that follows it; the same when it has none. */
export function withoutForward(turn: TurnText): TurnText {
  const forward = partOf(turn, "forward");
  return forward ? cutBefore(turn, forward.start) : turn;
}

/** Whether the prompt that follows a turn is the one that `next` begins with; it may be shortened. */
export function isFollowedBy(turn: TurnText, next: TurnText): boolean {
  const forward = textOf(turn, "forward");
  const prompt = textOf(next, "prompt");
  if (forward === null || prompt === null) return false;
  if (prompt.startsWith(forward)) return true;
  return forward.endsWith(SHORTENED) && prompt.startsWith(forward.slice(0, -SHORTENED.length));
}
