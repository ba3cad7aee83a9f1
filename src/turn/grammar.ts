import { isMeasured } from "./parts.ts";
import { composeText, GAP, LABELS, type PartKind, type TurnPart, type TurnText } from "./text.ts";

/** The text before a label's name. */
const LABEL_START = `${GAP}[`;

/** A label in a text that may start a section. Offsets are in UTF-16 units. */
interface Mark {
  /** Offset of the blank line before the label. */
  at: number;
  /** Offset of the content after the label. */
  start: number;
  label: string;
}

const ALL_LABELS: readonly string[] = [...new Set(Object.values(LABELS))];

/**
 * Parses the parts of a text from an older database or export, which did not store parts. Such a text may quote a label, so the
 * result is a guess. Only the position of the tools is certain, if they are given.
 *
 * @param tools summaries of the turn's tool calls; empty when unknown.
 */
export function parseText(text: string, tools: readonly string[] = []): TurnText {
  const marks = marksOf(text);
  const opening = marks[0]?.at === 0 ? marks[0] : null;
  const prompt = opening?.label === LABELS.prompt ? opening : null;
  const note = opening?.label === LABELS.note ? opening : null;
  const rest = (prompt ?? note) ? marks.slice(1) : marks;
  const called = toolsMark(text, rest, tools);
  const before = called ? rest.filter(({ at }) => at < called.at) : rest;
  const said = before.find(({ label }) => label === LABELS.answer);
  const after = tail(rest, said, called);
  const found: { kind: PartKind; mark: Mark }[] = [];
  const add = (kind: PartKind, mark: Mark | null | undefined) => mark && found.push({ kind, mark });
  add("prompt", prompt);
  add("note", note);
  add("answer", said);
  add("tools", called?.mark);
  add("errors", after.errors);
  add("forward", after.forward);
  return { text, parts: partsOf(text, found) };
}

function marksOf(text: string): Mark[] {
  const marks: Mark[] = [];
  const look = (at: number, gap: number) => {
    const label = ALL_LABELS.find((candidate) => text.startsWith(candidate, at + gap));
    if (label !== undefined) marks.push({ at, start: at + gap + label.length, label });
  };
  look(0, 0);
  for (let at = text.indexOf(LABEL_START); at >= 0; at = text.indexOf(LABEL_START, at + 1))
    look(at, GAP.length);
  return marks;
}

interface Called {
  mark: Mark;
  at: number;
  /** End of its content; null when unknown. */
  end: number | null;
}

/** Finds the section of the tools: the section that lists exactly these tools, else the last one with the label. */
function toolsMark(text: string, marks: readonly Mark[], tools: readonly string[]): Called | null {
  const labelled = marks.filter(({ label }) => label === LABELS.tools);
  const list = tools.join(" | ");
  const listing = labelled.findLast(
    ({ start }) => list !== "" && text.startsWith(list, start) && endsPart(text, start + list.length),
  );
  if (listing) return { mark: listing, at: listing.at, end: listing.start + list.length };
  const last = labelled.at(-1);
  return last ? { mark: last, at: last.at, end: null } : null;
}

function endsPart(text: string, end: number): boolean {
  return end === text.length || text.startsWith(GAP, end);
}

/** Finds the errors and the forward context. They come after the tools, or after the answer if there are no tools. */
function tail(marks: readonly Mark[], said: Mark | undefined, called: Called | null) {
  const from = called?.end ?? called?.mark.start ?? said?.start ?? 0;
  const after = marks.filter(({ at }) => at >= from);
  const isKnown = called !== null && called.end !== null;
  const [next] = after;
  const errors = isKnown
    ? next?.at === called.end && next.label === LABELS.errors
      ? next
      : null
    : after.findLast(({ label }) => label === LABELS.errors);
  const last = after.filter(({ at, label }) => label === LABELS.forward && at >= (errors?.start ?? 0));
  return { errors, forward: isKnown ? last[0] : last.at(-1) };
}

function partsOf(text: string, found: readonly { kind: PartKind; mark: Mark }[]): TurnPart[] {
  const first = found[0]?.mark.at ?? text.length;
  const unlabelled: TurnPart[] = first > 0 ? [{ kind: "answer", start: 0, end: first }] : [];
  return [
    ...unlabelled,
    ...found.map(({ kind, mark }, at) => ({
      kind,
      start: mark.start,
      end: found[at + 1]?.mark.at ?? text.length,
    })),
  ];
}

/**
 * Applies `change` to a text and returns the changed text with its parts; the caller must not change it again. Parses the parts
 * anew when changing the whole text differs from changing each part, as when a match spans two parts, and when the given parts do
 * not match the text.
 *
 * @param tools summaries of the turn's tool calls, as they are in the changed text.
 */
export function mapText<Text extends string>(
  { text, parts }: TurnText,
  change: (text: string) => Text,
  tools: readonly string[] = [],
): { text: Text; parts: readonly TurnPart[] } {
  const changed = change(text);
  if (!isMeasured({ text, parts })) return { text: changed, parts: parseText(changed, tools).parts };
  if (changed === text) return { text: changed, parts };
  const mapped = composeText(
    parts.map(({ kind, start, end }) => ({ kind, text: change(text.slice(start, end)) })),
  );
  return { text: changed, parts: (mapped.text === changed ? mapped : parseText(changed, tools)).parts };
}
