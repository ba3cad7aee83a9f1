import { TOOL_LIMITS } from "../../constants.ts";
import type { FileMention, Turn } from "../../domain.ts";
import { composeText, type PartContent, type PartKind } from "../../turn/text.ts";
import { UncleanText } from "../../turn/wording.ts";
import type { EntryText, RawTurn, TurnEntry } from "./transcript.ts";

/**
 * Composes a turn's text and collects the files of its entries. Leaves out entries whose `uuid` is excluded, except the prompt,
 * which stays as context. Returns null when all entries are excluded, or only the next prompt is left.
 */
export function composeTurn(raw: RawTurn, exclude: ReadonlySet<string>): Turn | null {
  const first = raw.entries[0];
  const isExcluded = (entry: TurnEntry) => entry.uuid !== null && exclude.has(entry.uuid);
  const kept = raw.entries.filter((entry) => !isExcluded(entry));
  // A tool's error belongs to its call. A turn with only errors is a copy of a turn that was indexed without them.
  if (kept.length === 0 || (kept.length < raw.entries.length && kept.every(isOnlyError))) return null;
  const prompt = first && isPrompt(first) && isExcluded(first) ? [first] : [];
  const entries = [...prompt, ...kept];
  const toolSummary = distinct(entries.flatMap((entry) => entry.toolSummary));
  const errors = errorsOf(entries);
  const pieces = piecesOf(entries, toolSummary, errors, raw);
  const text = composeText(pieces);
  // All its words were private.
  if (text.parts.length > 0 && text.parts.every(({ kind }) => kind === "forward")) return null;
  const { entries: _, nextPrompt, givenNextPrompt, ...facts } = raw;
  return {
    ...facts,
    ...text,
    toolSummary,
    mentions: distinctMentions(kept.flatMap((entry) => entry.mentions)),
    commits: kept.flatMap((entry) => entry.commits),
    promptUuid: first?.uuid ?? null,
    entryUuids: kept.flatMap((entry) => entry.uuid ?? []),
    ...(pieces.some(({ given }) => given != null) && {
      wording: UncleanText.wording(pieces.map(({ kind, text, given }) => ({ kind, text: given ?? text }))),
    }),
  };
}

function isPrompt(entry: TurnEntry): boolean {
  return entry.speaker === "user";
}

function isOnlyError(entry: TurnEntry): boolean {
  return entry.speaker === "tool" && entry.answers.length === 0 && entry.reports.length === 0;
}

interface GivenPiece extends PartContent {
  given?: UncleanText | null | undefined;
}

/** Returns the pieces of a turn's text in order: prompt, the assistant's words, tools, errors, next prompt. */
function piecesOf(
  entries: readonly TurnEntry[],
  tools: readonly string[],
  errors: readonly string[],
  { nextPrompt, givenNextPrompt }: RawTurn,
): GivenPiece[] {
  const lastCall = entries.findLastIndex(({ toolSummary }) => toolSummary.length > 0);
  const said = (
    speaker: "user" | "assistant",
    kindOf: (text: EntryText, at: number) => PartKind,
  ): GivenPiece[] =>
    entries.flatMap((entry, at) =>
      wordsBy(speaker, entry).map((text) => ({
        kind: kindOf(text, at),
        text: text.text.trim(),
        given: text.given,
      })),
    );
  const kindOf = ({ isThinking }: EntryText, at: number): PartKind =>
    isThinking ? "thinking" : at <= lastCall ? "narration" : "answer";
  return [
    ...said("user", () => "prompt"),
    ...said("assistant", kindOf),
    { kind: "tools", text: tools.join(" | ") },
    { kind: "errors", text: errors.join(ERROR_GAP) },
    { kind: "forward", text: nextPrompt ?? "", given: givenNextPrompt },
  ];
}

/**
 * Returns the words of a speaker in an entry. Answers in tool results are the user's words; other texts in them are the
 * assistant's.
 */
function wordsBy(speaker: "user" | "assistant", entry: TurnEntry): readonly EntryText[] {
  if (entry.speaker === speaker) return entry.texts;
  const returned = speaker === "user" ? entry.answers : entry.reports;
  return returned.map((text) => ({ text, isThinking: false }));
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function distinctMentions(mentions: readonly FileMention[]): FileMention[] {
  const seen = new Map<string, FileMention>();
  for (const mention of mentions) seen.set(`${mention.toolName}\0${mention.filePath}`, mention);
  return [...seen.values()];
}

/** Separates the errors in a turn's text. */
const ERROR_GAP = "\n";

/** Returns the distinct error texts of a turn; of too many, the last ones. */
function errorsOf(entries: readonly TurnEntry[]): string[] {
  const errors = entries.flatMap((entry) => entry.errors);
  const last = distinct(errors.toReversed()).slice(0, TOOL_LIMITS.errorsPerTurn);
  return distinct(errors).filter((text) => last.includes(text));
}
