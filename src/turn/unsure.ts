import { addressesAgent, commandsAgent, OWN_WILL, pointsAtText, rendersText, SPEAKS } from "./address.ts";
import type { TextRange } from "./parts.ts";
import { isLetterClosing, isLetterGreeting, type PromptLine } from "./paste-signs.ts";

/** Lines between blank lines, pasted text or headings. */
interface Block {
  /** Numbers of its first line and of the line after its last. */
  from: number;
  until: number;
  /** Whether it has several lines. */
  isSeveral: boolean;
}

/** Lines of a block that ask the agent for something, or other lines. */
interface Passage extends Pick<Block, "from" | "until"> {
  text: string;
  isAsk: boolean;
  block: Block;
}

/** Maximum lines of a passage that addresses the agent. */
const ASK_LINES = 4;
/** Characters of a line that may be a paragraph of a page or a mail. */
const LONG_LINE = 130;
/**
 * Minimum words of a text in several lines ("Thanks,\nJo" is none), of a text that a question is about, and of one in another
 * register.
 */
const WORDS = { text: 4, about: 10, beside: 6, register: 7 } as const;
/** Number of paragraphs beside a request that count as several lines. */
const PARAGRAPHS = 3;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])\s/;
const CHECK_BOX = /^\s*(?:[-*+]\s+)?\[[ xX]?\]\s/;
const NAME =
  /^(?:[-*+•] +)?[*_]{0,2}(\p{L}[\p{L}\p{N}._'’-]{0,30}(?: \p{L}[\p{L}.'’-]{0,30})?)[*_]{0,2}[:：][*_]{0,2} +\S/u;
const PLACE = /\b(?:following|below|above)\b/i;
const HEADING = /^\s*#{1,6} /;
const RULER = /^\s*[-*_=]{3,}\s*$/;
const TAG = /^\s*<\/?[\w-]{1,30}>\s*$/;
/** The number of a section that is not the first one, as in the middle of a contract. */
const SECTION =
  /^\s*(?:§|[Aa]rt(?:icle|\.)|[Ss]ection|[Cc]lause|\d{1,2}\.\d|[2-9]\.|[1-9]\d\.)[\d.]* ?\d{0,3}\S? +\p{Lu}|^\s*(?:copyright )?(?:©|\(c\)) /iu;

/** A remark that names where the text above it is from: "^ from their docs". */
const SOURCE_BELOW = /^\s*(?:\^|↑|\((?=[^)]{0,80}\b(?:from|by|von|aus|de)\b))/i;

/**
 * Returns the passages of a prompt that its user may have typed or pasted. People type a single line, or the whole prompt;
 * several lines beside a request or other paragraphs may be anybody's.
 */
export function findUnsure(
  lines: readonly PromptLine[],
  isPasted: (line: number) => boolean,
): readonly TextRange[] {
  const blocks = blocksIn(lines, isPasted);
  const isAskedApart = blocks.some(
    (block) => isAskLine(lines, block, true) && (lines[block.from]?.text.length ?? 0) <= LONG_LINE,
  );
  const passages = blocks.flatMap((block) => splitPassages(lines, block, isAskedApart && blocks.length > 1));
  const around = aroundOf(
    passages,
    blocks.length,
    lines.some(({ text }, at) => isPasted(at) && text.trim() !== ""),
  );
  return runsOf(passages)
    .flatMap((run) => {
      if (run.some(({ text }) => SOURCE_BELOW.test(text))) return run;
      const isLong = around.isAsked && run.length >= PARAGRAPHS;
      const unsure = new Set(run.filter((passage) => !isOwn(passage, around, isLong)));
      // Neighbouring passages belong to the same text, unless the user speaks in them.
      return unsure.size === 0
        ? []
        : run.filter(
            (passage) => unsure.has(passage) || !(statesWill(passage.text) || isIntroduction(passage)),
          );
    })
    .map(({ from, until }) => ({ start: lines[from]?.start ?? 0, end: lines[until - 1]?.end ?? 0 }));
}

/**
 * Splits the passages into runs without a request of the user between them. After a first request and a text, only a question is
 * certainly the user's.
 */
function runsOf(passages: readonly Passage[]): Passage[][] {
  const runs: Passage[][] = [[]];
  const isAskedFirst = passages[0]?.isAsk === true;
  for (const passage of passages) {
    const run = runs.at(-1) ?? [];
    const isOfText = isAskedFirst && run.length > 0 && !/[?？]/.test(passage.text);
    if (passage.isAsk && !isOfText) runs.push([]);
    else run.push(passage);
  }
  return runs;
}

/** Tells whether a passage is the first line of a prompt, which introduces what follows. */
function isIntroduction({ text, from, until }: Passage): boolean {
  return from === 0 && until === 1 && /[:：]\s*$/.test(text);
}

/** Evidence about a passage from the rest of the prompt. */
interface Around {
  blocks: number;
  isAsked: boolean;
  /** Whether a request is about a text of the prompt, for another form of it or anything else. */
  isRendered: boolean;
  isAbout: boolean;
  /** Whether a request names the text's place: "the following mail". */
  isNamed: boolean;
  /** Whether the requests start with capitals; null if they differ. */
  hasCapitals: boolean | null;
  /** Whether the prompt has a first point, so that others are of its own list. */
  isNumbered: boolean;
  /** Whether a request ends with a colon, as before a list. */
  isLed: boolean;
  /** The requests at the end of blocks with other lines. */
  below: ReadonlySet<Block>;
}

/** `isElsewhere` tells whether the prompt has pasted text, which a request may be about. */
function aroundOf(passages: readonly Passage[], blocks: number, isElsewhere: boolean): Around {
  const asks = passages.filter(({ isAsk }) => isAsk);
  const [hasCapitals = null, ...others] = new Set(asks.map(({ text }) => startsWithCapital(text)));
  return {
    blocks,
    isAsked: asks.length > 0,
    isRendered: !isElsewhere && asks.some(({ text }) => rendersText(text)),
    isAbout: !isElsewhere && asks.some(({ text }) => pointsAtText(text)),
    isNamed: !isElsewhere && asks.some(({ text }) => PLACE.test(text)),
    isNumbered: passages.some(({ text }) => /^ {0,8}1[.)] /m.test(text)),
    hasCapitals: others.length > 0 ? null : hasCapitals,
    isLed: asks.some(({ text }) => /[:：]\s*$/.test(text)),
    below: new Set(asks.filter(({ block, from }) => from > block.from).map(({ block }) => block)),
  };
}

/** Tells whether a passage is certainly the user's own. `isLong`: the paragraphs around it belong to one text. */
function isOwn(passage: Passage, around: Around, isLong: boolean): boolean {
  const { text, block } = passage;
  const { isAsked, isAbout, isNamed, isRendered } = around;
  if (isRendered) return false;
  if (around.blocks > 1 && (block.isSeveral || isLong))
    return !isNamed && (statesWill(text) || isOwnList(text));
  if (around.blocks > 1 && isAsked && isLongLine(text, isAbout))
    return statesWill(text) || startsToSpeak(text);
  if (isAsked) return !(SECTION.test(text) && !around.isNumbered) && isOwnBesideAsk(passage, around);
  const isOneLine = block.until - block.from === 1;
  return isOneLine || (!isForm(text) && (SPEAKS.test(text) || statesWill(text) || isOfUser(text)));
}

/** Tells whether a line, or lines in the same block as a request, are the user's own, and not the text that they ask about. */
function isOwnBesideAsk({ text, block }: Passage, { isAbout, isLed, below, hasCapitals }: Around): boolean {
  const isList = isLed && LIST_MARK.test(text);
  if ((isAbout || below.has(block)) && !isList && text.includes("\n"))
    return statesWill(text) || (!isAbout && (isOfUser(text) || startsToSpeak(text)));
  if (SPEAKS.test(text)) return true;
  if (isAbout) return wordsIn(text) < (block.until - block.from > 1 ? WORDS.beside : WORDS.about);
  return !isOtherRegister(text, hasCapitals) || wordsIn(text) < WORDS.register;
}

function startsToSpeak(text: string): boolean {
  return text.search(SPEAKS) === 0;
}

/** Tells whether a text differs from the requests in starting with a capital. People are consistent in this. */
function isOtherRegister(text: string, hasCapitals: boolean | null): boolean {
  const register = startsWithCapital(text);
  return register !== null && hasCapitals !== null && register !== hasCapitals;
}

/** Tells whether a text starts with a capital; null if its script has none, or it starts otherwise. */
function startsWithCapital(text: string): boolean | null {
  const first = /^[\s#>*_.\d)-]{0,12}(\p{L})\p{L}*[\s,.'’:;)]/u.exec(text)?.[1];
  return first === undefined || first.toLowerCase() === first.toUpperCase()
    ? null
    : first !== first.toLowerCase();
}

/** Tells whether a line is a letter, or a paragraph that a request is about. */
function isLongLine(text: string, isAbout: boolean): boolean {
  return (isAbout && text.length > LONG_LINE) || (isLetterGreeting(text) && isLetterClosing(text));
}

/** Tells whether a text is a list to tick off, a table, or a dialogue: names before colons, of which one comes again. */
function isForm(text: string): boolean {
  const lines = text.split("\n");
  const names = lines.flatMap((line) => NAME.exec(line)?.[1] ?? []);
  const different = new Set(names).size;
  return (
    lines.filter((line) => CHECK_BOX.test(line)).length > 1 ||
    lines.every((line) => /^\s*\|.*\|\s*$/.test(line)) ||
    (different > 1 && different < names.length)
  );
}

/** Tells whether the user states what they want; "As a guest I want" comes from a ticket. */
function statesWill(text: string): boolean {
  return OWN_WILL.test(text) && !/\bas an? [\w ]{1,30},?\s+I (?:want|need)\b/i.test(text);
}

/** Tells whether a text is a list below a line in which the user speaks of themselves. */
function isOwnList(text: string): boolean {
  const [lead = "", first = ""] = text.split("\n", 2);
  return /[:：]\s*$/.test(lead) && /\b(?:I|me|my)\b/.test(lead) && LIST_MARK.test(first);
}

/** Tells whether a text starts with a small letter, as people type, or with a line about the user or the agent. */
function isOfUser(text: string): boolean {
  const [first = ""] = text.split("\n", 1);
  return /^\p{Ll}/u.test(first) || /\b(?:me|my|we|our|us|you|your)\b/i.test(first);
}

function wordsIn(text: string): number {
  return text.trim().split(/\s+/).length;
}

/** Returns the blocks of a prompt. A heading, and a line such as "For pages:" above a list, belong to what follows. */
function blocksIn(lines: readonly PromptLine[], isPasted: (line: number) => boolean): Block[] {
  const ranges: Pick<Block, "from" | "until">[] = [];
  const lineAt = (at: number) => lines[at]?.text ?? "";
  for (const range of paragraphsIn(lines, isPasted)) {
    const before = ranges.at(-1);
    const isBelow = before?.until === range.from - 1 && before.until - before.from === 1;
    if (isBelow && leadsTo(lineAt(before.from), lineAt(range.from))) before.until = range.until;
    else ranges.push(range);
  }
  // A user who writes headings begins with one.
  const isHeaded = HEADING.test(lineAt(ranges[0]?.from ?? 0));
  return ranges.map((range) => {
    const texts = lines.slice(range.from, range.until).map(({ text }) => text);
    const said = texts.filter(
      (line) => line.trim() !== "" && !TAG.test(line) && !(isHeaded && HEADING.test(line)),
    );
    return { ...range, isSeveral: said.length > 1 && wordsIn(texts.join(" ")) >= WORDS.text };
  });
}

/** Returns the lines between blank ones, rulers, pasted text and headings. */
function paragraphsIn(lines: readonly PromptLine[], isPasted: (line: number) => boolean) {
  const ranges: Pick<Block, "from" | "until">[] = [];
  for (const [at, { text }] of lines.entries()) {
    if (text.trim() === "" || RULER.test(text) || isPasted(at)) continue;
    const before = ranges.at(-1);
    if (before?.until === at && !HEADING.test(text)) before.until = at + 1;
    else ranges.push({ from: at, until: at + 1 });
  }
  return ranges;
}

function leadsTo(above: string, below: string): boolean {
  const isLead = /[:：]\s*$/.test(above) && !addressesAgent(above);
  return HEADING.test(above) || (isLead && LIST_MARK.test(below));
}

/** Divides a block into a first line that asks, what that is about, and a last line that asks. */
function splitPassages(lines: readonly PromptLine[], block: Block, isAskedApart: boolean): Passage[] {
  const { from, until } = block;
  const passage = (start: number, end: number, isAsk: boolean): Passage => ({
    ...{ block, from: start, until: end, isAsk },
    text: textOf(lines, start, end),
  });
  const isLong = isAskedApart && until - from === 1 && (lines[from]?.text.length ?? 0) > LONG_LINE;
  if (!isLong && isAskLine(lines, block)) return [passage(from, until, true)];
  const isAsk = (at: number) => addressesAgent(lines[at]?.text ?? "");
  if (until - from === 1 || isAskedApart) return [passage(from, until, false)];
  // The points of a list are of one person.
  const end = isAsk(until - 1) && !LIST_MARK.test(lines[until - 1]?.text ?? "") ? until - 1 : until;
  const start = isAsk(from) ? from + 1 : from;
  return [
    ...(start > from ? [passage(from, start, true)] : []),
    ...(end > start ? [passage(start, end, false)] : []),
    ...(end < until ? [passage(end, until, true)] : []),
  ];
}

/** Tells whether a block is a request: a line that is one, or lines that each are one. */
function isAskLine(lines: readonly PromptLine[], { from, until }: Block, isOneLine = false): boolean {
  if (until - from > (isOneLine ? 1 : ASK_LINES)) return false;
  const own = lines.slice(from, until);
  return own.every(({ text }) => addressesAgent(text) || (until - from === 1 && commandsAgent(text)));
}

function textOf(lines: readonly PromptLine[], from: number, until: number): string {
  return lines
    .slice(from, until)
    .map(({ text }) => text)
    .join("\n");
}
