/** How good a place to cut the position before a piece of text is; larger is better. */
export const LEVEL = {
  inWord: 0,
  word: 1,
  sentence: 2,
  line: 3,
  listItem: 4,
  paragraph: 5,
  heading: 6,
  section: 7,
} as const;

/** A line of a text, and how good a place to cut the position before it is. */
export interface Line {
  /** UTF-16 offsets. `end` is after the line feed. */
  start: number;
  end: number;
  level: number;
  /** Number of the code block that contains the line; its fences are part of it. -1 outside code blocks. */
  block: number;
}

const HEADING = /^ {0,3}#{1,6}\s/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const FENCE = /^\s*(`{3,}|~{3,})/;
/** A fence, heading or list mark is at the start of its line, so only this many characters are examined. */
const LINE_HEAD = 80;

/** Splits a text into lines and rates the position before each as a place to cut. `sections` holds section starts. */
export function linesOf(text: string, sections: ReadonlySet<number>): Line[] {
  const lines: Line[] = [];
  let fence: string | null = null;
  let block = -1;
  let blocks = 0;
  let afterBlank = true;
  let afterHeading = false;
  let afterFence = false;
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed + 1;
    const head = text.slice(start, Math.min(end, start + LINE_HEAD));
    const mark = FENCE.exec(head)?.[1];
    const opens = fence === null && mark !== undefined;
    const closes = fence !== null && mark?.startsWith(fence) === true;
    if (opens) {
      fence = mark;
      block = blocks++;
    }
    const inside = fence !== null && !opens;
    const level = inside
      ? codeLevel(afterBlank)
      : proseLevel(head, { isSection: sections.has(start), afterBlank, afterHeading, opens, afterFence });
    lines.push({ start, end, level, block });
    if (closes) {
      fence = null;
      block = -1;
    }
    afterFence = closes;
    afterBlank = isBlank(head, end - start);
    if (!afterBlank) afterHeading = !inside && HEADING.test(head);
    start = end;
  }
  return lines;
}

function isBlank(head: string, length: number): boolean {
  return length <= LINE_HEAD && head.trim() === "";
}

function codeLevel(afterBlank: boolean): number {
  return afterBlank ? LEVEL.line : LEVEL.sentence;
}

interface Before {
  isSection: boolean;
  afterBlank: boolean;
  afterHeading: boolean;
  afterFence: boolean;
  opens: boolean;
}

function proseLevel(head: string, before: Before): number {
  if (before.isSection) return LEVEL.section;
  if (HEADING.test(head)) return LEVEL.heading;
  if (before.afterHeading) return LEVEL.word;
  if (before.afterBlank || before.afterFence || before.opens) return LEVEL.paragraph;
  return LIST_ITEM.test(head) ? LEVEL.listItem : LEVEL.line;
}
