import { LABELS, PASTED, type PartKind, type TurnText } from "../turn/text.ts";
import { promptLabel, type SpokenTurn, senderOf, speakerOf } from "./speaker.ts";

/** A line of a passage, and whose words it is: nobody's where a tool was called or returned something. */
export interface SpokenLine {
  kind: PartKind | null;
  speaker: string | null;
  /** The label at its start, such as `[User] `; empty where it has none. */
  label: string;
  words: string;
}

const LINE_LABELS = [...new Set([PASTED, ...Object.values(LABELS)])].filter((label) => label !== "");

/** Says of each line of a passage of a turn whose words it is. */
export function spokenLines(passage: string, turn: SpokenTurn & TurnText): SpokenLine[] {
  const lines = passage.split("\n").map(withoutLabel);
  let at = startOf(lines, turn.text);
  let kind: PartKind | null = null;
  let isPasted = false;
  return lines.map(({ label, words }) => {
    const found = words.trim() === "" ? -1 : turn.text.indexOf(words.trim(), at);
    if (found >= 0) {
      at = found + words.trim().length;
      kind = turn.parts.find(({ start, end }) => start < at && at <= end)?.kind ?? kind;
    }
    isPasted = kind === "prompt" && (label === PASTED || (isPasted && label === ""));
    const speaker = kind === null ? null : speakerIn({ kind, text: words, turn });
    return { kind, label, words, speaker: speaker !== null && isPasted ? `pasted by ${speaker}` : speaker };
  });
}

/** Returns a piece of a turn's text in which the label of a prompt that no person typed names its sender. */
export function withSenders(piece: string, turn: SpokenTurn & TurnText): string {
  if (turn.role !== "turn" || senderOf(turn) === null) return piece;
  return spokenLines(piece, turn)
    .map(({ kind, label, words }) => {
      const isPrompt = kind === "prompt" && label === LABELS.prompt;
      return (isPrompt ? promptLabel(turn) : label) + words;
    })
    .join("\n");
}

function withoutLabel(line: string): Pick<SpokenLine, "label" | "words"> {
  const label = LINE_LABELS.find((known) => line.startsWith(known)) ?? "";
  return { label, words: line.slice(label.length) };
}

/** A passage has less than so many characters that its text has, where it was tidied. */
const TIDIED = 40;

/** Where a passage starts in a text at the earliest, by its longest line: short ones may stand there more than once. */
function startOf(lines: readonly Pick<SpokenLine, "label" | "words">[], text: string): number {
  const sizes = lines.map(({ words }) => words.trim().length);
  const longest = sizes.indexOf(Math.max(...sizes));
  const found = text.indexOf(lines[longest]?.words.trim() ?? "");
  const before = lines
    .slice(0, longest + 1)
    .reduce((sum, { label, words }) => sum + label.length + words.length + 1, 0);
  return Math.max(0, found + (sizes[longest] ?? 0) - before - TIDIED);
}

function speakerIn(spoken: Parameters<typeof speakerOf>[0]): string | null {
  return spoken.kind === "tools" || spoken.kind === "errors" ? null : speakerOf(spoken);
}
