import { partOf, textOf } from "./parts.ts";
import type { TurnText } from "./text.ts";

/** The end of a prompt that was shortened. */
const SHORTENED = "...";

/** Returns the text up to the end of the last part that starts before `start`, with the remaining parts. */
export function cutBefore({ text, parts }: TurnText, start: number): TurnText {
  const kept = parts.filter((part) => part.start < start);
  return { text: text.slice(0, kept.at(-1)?.end ?? 0), parts: kept };
}

/** Returns the turn without its forward context. */
export function withoutForward(turn: TurnText): TurnText {
  const forward = partOf(turn, "forward");
  return forward ? cutBefore(turn, forward.start) : turn;
}

/** Whether the forward context of a turn is the prompt of `next`, possibly shortened. */
export function isFollowedBy(turn: TurnText, next: TurnText): boolean {
  const forward = textOf(turn, "forward");
  const prompt = textOf(next, "prompt");
  if (forward === null || prompt === null) return false;
  if (prompt.startsWith(forward)) return true;
  return forward.endsWith(SHORTENED) && prompt.startsWith(forward.slice(0, -SHORTENED.length));
}
