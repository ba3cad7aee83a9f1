/** Types of which something is kept; every other type is passed over and counted under its own name. */
const KEPT = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
  "summary",
  "custom-title",
  "ai-title",
  "pr-link",
]);

const SCALAR = String.raw`(?:"[^"\\]*"|true|false|null|-?\d+)`;

/** `{`, any number of scalar members, then `type`: what comes before is flat, so this is the entry's own type. */
const LEADING_TYPE = new RegExp(String.raw`^\{(?:"\w+":${SCALAR},)*?"type":"([\w-]{1,40})"`);

/** After the type: scalar members, then a message whose content is a list of blocks. */
const BLOCK_LIST = new RegExp(
  String.raw`(?:,"\w+":${SCALAR})*,"message":\{"role":"user","content":(?=\[\{)`,
  "y",
);

/** How far into a line its type is looked for; entries with a message before their type are parsed. */
const HEAD_BYTES = 640;

export interface LineHead {
  type: string;
  /** Where the list of blocks of a user entry starts, from the line's start; null when that is not evident. */
  blocksAt: number | null;
  /** True when the head tells that the entry is of a sidechain without an agent's id. */
  anonymousSidechain: boolean;
}

/**
 * Reads an entry's type from the start of its line, without parsing it; null when it is not evident. The members
 * before the type must be flat and free of escapes, so text inside a prompt can never be taken for a type.
 */
export function lineHead(bytes: Buffer, start: number, end: number): LineHead | null {
  const head = bytes.toString("latin1", start, Math.min(end, start + HEAD_BYTES));
  const match = LEADING_TYPE.exec(head);
  const type = match?.[1];
  if (!match || type === undefined) return null;
  if (type !== "user") return { type, blocksAt: null, anonymousSidechain: false };
  BLOCK_LIST.lastIndex = match[0].length;
  const blocks = BLOCK_LIST.exec(head);
  const scalars = blocks ? head.slice(0, BLOCK_LIST.lastIndex) : head;
  return {
    type,
    blocksAt: blocks ? BLOCK_LIST.lastIndex : null,
    anonymousSidechain: scalars.includes('"isSidechain":true') && !scalars.includes('"agentId":"'),
  };
}

/** True for types of which nothing is ever kept. */
export function isPassedOver(type: string): boolean {
  return !KEPT.has(type);
}
