import { type JsonObject, objectOf, stringOf } from "../../io/json.ts";
import { textOf, timeOfBubble, USER } from "./bubbles.ts";
import type { Composer } from "./composer.ts";

/**
 * Returns a conversation's messages in order, and among them those that a person left by going back, each prompt with
 * what followed it and a record that says so. Work that belongs to no such prompt is left out. After the last message
 * that a summary replaced, there is a record with the summary.
 */
export function* inOrder({ data, bubbles, left }: Composer): Iterable<JsonObject> {
  const summary = summaryOf(data);
  const groups = leftGroups(left);
  for (const bubble of bubbles) {
    if (bubble.type === USER) {
      const time = timeOfBubble(bubble);
      while (time !== null && groups[0] !== undefined && groups[0].time < time)
        yield* recordsOf(groups.shift());
    }
    yield { bubble };
    if (summary !== null && bubble.bubbleId === summary.after)
      yield { kind: "compaction", text: summary.text, bubble };
  }
  for (const group of groups) yield* recordsOf(group);
}

/** Returns the last summary of a conversation, which is the only one that is kept, and the last message that it replaced. */
function summaryOf({
  latestConversationSummary: latest,
}: JsonObject): { text: string; after: string } | null {
  const { summary, lastBubbleId } = objectOf(latest) ?? {};
  const fields = objectOf(summary);
  const text = stringOf(fields?.summary);
  const after = stringOf(fields?.truncationLastBubbleIdInclusive) ?? stringOf(lastBubbleId);
  return text === null || after === null ? null : { text, after };
}

/** A prompt that was left, and the work after it. */
interface Group {
  time: string;
  bubbles: JsonObject[];
}

function leftGroups(left: readonly JsonObject[]): Group[] {
  const inTime = left
    .map((bubble) => ({ bubble, time: timeOfBubble(bubble) ?? "" }))
    .sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
  const groups: Group[] = [];
  for (const { bubble, time } of inTime) {
    if (bubble.type === USER && textOf(bubble) !== "") groups.push({ time, bubbles: [bubble] });
    else groups.at(-1)?.bubbles.push(bubble);
  }
  return groups;
}

function* recordsOf(group: Group | undefined): Iterable<JsonObject> {
  const [first] = group?.bubbles ?? [];
  if (group === undefined || first === undefined) return;
  for (const bubble of group.bubbles) yield { bubble };
  yield { kind: "rewind", uuid: first.bubbleId };
}
