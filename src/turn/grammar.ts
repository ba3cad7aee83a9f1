import { GAP, LABELS, type PartKind, type TurnPart, type TurnText } from "./text.ts";

/** What stands before a label's name. */
const LABEL_START = `${GAP}[`;

/** Where a label stands that may begin a section. */
interface Mark {
  /** Of the blank line before it, and of the content after it. */
  at: number;
  start: number;
  label: string;
}

const ALL_LABELS: readonly string[] = [...new Set(Object.values(LABELS))];

/**
 * Finds the parts of a text that came without them: of an older database or an older export. Such a text may quote a
 * label, so this is a guess, except for the tools, which are known.
 *
 * @param tools the turn's tool calls; empty when they are not known.
 */
export function parseText(text: string, tools: readonly string[] = []): TurnText {
  const marks = marksOf(text);
  const prompt = marks[0]?.label === LABELS.prompt && marks[0].at === 0 ? marks[0] : null;
  const rest = prompt ? marks.slice(1) : marks;
  const called = toolsMark(text, rest, tools);
  const before = called ? rest.filter(({ at }) => at < called.at) : rest;
  const said = before.find(({ label }) => label === LABELS.answer);
  const after = tail(rest, said, called);
  const found: { kind: PartKind; mark: Mark }[] = [];
  const add = (kind: PartKind, mark: Mark | null | undefined) => mark && found.push({ kind, mark });
  add("prompt", prompt);
  add("answer", said);
  add("tools", called?.mark);
  add("errors", after.errors);
  add("forward", after.forward);
  return { text, parts: partsOf(text, found) };
}

function marksOf(text: string): Mark[] {
  const marks: Mark[] = [];
  const look = (at: number, gap: number) => {
    const label = ALL_LABELS.find((one) => text.startsWith(one, at + gap));
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
  /** Where its content ends; null when that is not known. */
  end: number | null;
}

/** The section of the tools: the one that lists them, else the last that is labelled so. */
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

/** What comes last: errors and the prompt that follows, of which the tools' end says where they may begin. */
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
