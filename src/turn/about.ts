import { addressesAgent, asksAboutText, namesSourceAbove, OWN_VOICE, rendersText } from "./address.ts";
import type { TextRange } from "./parts.ts";
import { isLetterClosing, isLetterGreeting, type PromptLine } from "./paste-signs.ts";

/** Lines of a prompt that belong together, and what they do. */
interface Passage {
  kind: "ask" | "source" | "text";
  /** Numbers of its first line and of the line after its last. */
  from: number;
  until: number;
  text: string;
  /** Whether blank lines or pasted text surround it. */
  isAlone: boolean;
}

/** Minimum words of a text that a question without a request for another form is about. */
const ABOUT_WORDS = 8;
/** Minimum words of a paragraph in another register. */
const REGISTER_WORDS = 7;
/** Sentences in which people speak of themselves, or to the agent. */
const SPEAKS_OF_US =
  /(?:^|[.!?:;,]\s+|\n)(?:and |but |so |then )?(?:we|our|my|I|please|you|no|yes|ok|not|to|because|instead|rather)\b/i;
/** How a task begins that only the agent can do. */
const COMMANDS =
  /^(?:rename|move|remove|delete|add|update|change|replace|drop|extract|split|merge|refactor|revert|install|bump|commit|push|implement|build|make|fix)\b/i;
/** Maximum lines of a passage that addresses the agent. */
const ASK_LINES = 4;

/**
 * Returns the passages of a prompt that the person asks about, or whose source they name: of two passages, one addresses the agent,
 * and the other one is what it is about, whatever its form.
 */
export function findSubjects(lines: readonly PromptLine[], isPasted: (line: number) => boolean): TextRange[] {
  const passages = passagesIn(lines, isPasted);
  const subjects = new Set([...subjectsOfSources(passages, isPasted), ...letterIn(passages)]);
  const isElsewhere = subjects.size > 0 || lines.some(({ text }, at) => isPasted(at) && text.trim() !== "");
  const asked = isElsewhere ? [] : subjectsOfAsks(passages);
  for (const passage of [...asked, ...otherRegister(passages)]) subjects.add(passage);
  return [...subjects].map(({ from, until }) => ({
    start: lines[from]?.start ?? 0,
    end: lines[until - 1]?.end ?? 0,
  }));
}

function passagesIn(lines: readonly PromptLine[], isPasted: (line: number) => boolean): Passage[] {
  const passages: Passage[] = [];
  for (let from = 0; from < lines.length; ) {
    const isOwn = (at: number) => (lines[at]?.text ?? "").trim() !== "" && !isPasted(at);
    if (!isOwn(from)) {
      from++;
      continue;
    }
    let until = from + 1;
    while (until < lines.length && isOwn(until)) until++;
    passages.push(...parted(lines, from, until));
    from = until;
  }
  return passages;
}

/** Divides a paragraph into a first line that asks, what that is about, and the lines that ask or name a source below. */
function parted(lines: readonly PromptLine[], from: number, until: number): Passage[] {
  const textOf = (start: number, end: number) =>
    lines
      .slice(start, end)
      .map(({ text }) => text)
      .join("\n");
  const passage = (start: number, end: number): Passage => {
    const text = textOf(start, end);
    const kind = end - start > ASK_LINES ? "text" : kindOf(text);
    return { kind, from: start, until: end, text, isAlone: start === from && end === until };
  };
  const whole = passage(from, until);
  if (until - from === 1 || namesSourceAbove(whole.text)) return [whole];
  const last = passage(until - 1, until);
  // The points of a list are of one person.
  if (/^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(last.text)) return [whole];
  const isFirst = addressesAgent(textOf(from, from + 1));
  if (last.kind === "text" && !isFirst) return [whole];
  const [start, end] = [isFirst ? from + 1 : from, last.kind === "text" ? until : until - 1];
  return [
    ...(isFirst ? [passage(from, start)] : []),
    ...(end > start ? [{ ...passage(start, end), kind: "text" as const }] : []),
    ...(end < until && end >= start ? [last] : []),
  ];
}

function kindOf(text: string): Passage["kind"] {
  if (namesSourceAbove(text)) return "source";
  return addressesAgent(text) ? "ask" : "text";
}

/** Returns the texts above each remark that names their source. */
function subjectsOfSources(passages: readonly Passage[], isPasted: (line: number) => boolean): Passage[] {
  return passages.flatMap((passage, at) => {
    if (passage.kind !== "source" || isPasted(passage.from - 1) || isPasted(passage.from - 2)) return [];
    const before = passages.slice(0, at);
    const asked = before.findLastIndex(({ kind }) => kind !== "text");
    return before.slice(asked + 1);
  });
}

/** Returns the texts that the person asks about: to render one, or what one means. */
function subjectsOfAsks(passages: readonly Passage[]): Passage[] {
  const [first, last] = [
    passages.findIndex(({ kind }) => kind === "text"),
    passages.findLastIndex(({ kind }) => kind === "text"),
  ];
  const asks = passages.filter(({ text }, at) => (at < first || at > last) && asksAboutText(text));
  const isRendered = asks.some(({ text }) => rendersText(text));
  // "Do these in order:" introduces the person's own list.
  if (!isRendered && asks.every(({ text }) => /[:：]\s*$/.test(text))) return [];
  return passages.filter(({ kind, text }) => {
    if (kind !== "text") return false;
    return isRendered || (!OWN_VOICE.test(text) && text.split(/\s+/).length >= ABOUT_WORDS);
  });
}

/**
 * Returns the paragraphs of a prompt that are written in another way than its request: with capitals, where that has none, or the
 * other way round. People do not change this within a prompt.
 */
function otherRegister(passages: readonly Passage[]): Passage[] {
  const registers = new Set(
    passages.filter(({ kind }) => kind === "ask").map(({ text }) => registerOf(text)),
  );
  const [register] = registers;
  if (registers.size !== 1 || register === undefined || register === null) return [];
  return passages.filter(({ kind, text, isAlone }) => {
    if (kind !== "text" || !isAlone) return false;
    if ([OWN_VOICE, SPEAKS_OF_US, COMMANDS].some((sign) => sign.test(text))) return false;
    const other = registerOf(text);
    return other !== null && other !== register && text.split(/\s+/).length >= REGISTER_WORDS;
  });
}

/** Tells whether a text starts with a capital; null if its script has none, or it starts otherwise. */
function registerOf(text: string): boolean | null {
  const first = /^[\s#>*_.\d)-]{0,12}(\p{L})\p{L}*[\s,.'’:;)]/u.exec(text)?.[1];
  return first === undefined || first.toLowerCase() === first.toUpperCase()
    ? null
    : first !== first.toLowerCase();
}

/** Returns the passages of a letter, from its greeting to its closing, where other words address the agent. */
function letterIn(passages: readonly Passage[]): Passage[] {
  const first = passages.findIndex(({ text }) => isLetterGreeting(text));
  const last = passages.findLastIndex(({ text }) => isLetterClosing(text));
  if (first < 0 || last < first) return [];
  const others = [...passages.slice(0, first), ...passages.slice(last + 1)];
  return others.some(({ kind }) => kind !== "text") ? passages.slice(first, last + 1) : [];
}
