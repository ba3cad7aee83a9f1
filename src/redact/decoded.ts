/** A text without escapes and colours, and where each of its characters came from. */
export interface Decoded {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Terminal colours, real and written out; escapes of JSON and of other languages; percent-encoding; entities. */
const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /(?:\x1b|\\+(?:x1b|u001b|033|e))?\[\d{0,3}(?:;\d{1,3}){0,5}[mK]|\\+(?:u\{?00([0-9a-fA-F]{2})\}?|x([0-9a-fA-F]{2})|(\r?\n)|([nrtbfv0"'`/\\&=:]))|(?:%(?:25){0,2}([2-7][0-9a-fA-F]|0[aAdD]))|&(?:(quot|apos|amp|lt|gt)|#(\d{2,3})|#x([0-9a-fA-F]{2}));|[\u200b-\u200d\u2060\ufeff\u00ad]/g;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };
const CONTROLS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "",
  f: "",
  v: "",
  "0": "",
};

/**
 * Takes a text's escapes out; null when it has none. Escapes in escapes, as in JSON in JSON, count as one. Colours may
 * stand between words or inside one: `colour` is what stands for them.
 */
export function decoded(text: string, colour = ""): Decoded | null {
  if (!mayBeEscaped(text)) return null;
  const parts: { text: string; start: number; end: number }[] = [];
  let from = 0;
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(text); match; match = ESCAPE.exec(text)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), start: from, end: -1 });
    from = ESCAPE.lastIndex;
    parts.push({ text: meaning(match, colour), start: match.index, end: from });
  }
  if (from === 0) return null;
  if (from < text.length) parts.push({ text: text.slice(from), start: from, end: -1 });
  return assembled(parts);
}

/** One character is found far faster than one of several. */
function hasInvisible(text: string): boolean {
  return (
    text.includes("\u200b") ||
    text.includes("\u200c") ||
    text.includes("\u200d") ||
    text.includes("\u2060") ||
    text.includes("\ufeff") ||
    text.includes("\u00ad")
  );
}

/** Whether a text has colours, and so is worth reading in both ways. */
export function isColoured(text: string): boolean {
  return text.includes("[") && /\[\d{0,3}(?:;\d{1,3}){0,5}[mK]/.test(text);
}

function mayBeEscaped(text: string): boolean {
  return (
    text.includes("\\") ||
    text.includes("\u001b") ||
    (text.includes("%") && /%(?:25){0,2}(?:[2-7][0-9a-fA-F]|0[aAdD])/.test(text)) ||
    (text.includes("&") && /&(?:quot|apos|amp|lt|gt|#\w{2,3});/.test(text)) ||
    (text.includes("[") && /\[\d{1,3}(?:;\d{1,3})*m/.test(text)) ||
    hasInvisible(text)
  );
}

function meaning(match: RegExpExecArray, colour: string): string {
  const [whole, unicode, hex, line, simple, percent, entity, decimal, entityHex] = match;
  if (/\[[\d;]*[mK]$/.test(whole)) return colour;
  const code = unicode ?? hex ?? percent ?? entityHex;
  if (code !== undefined) return printable(Number.parseInt(code, 16));
  if (decimal !== undefined) return printable(Number(decimal));
  if (entity !== undefined) return ENTITIES[entity] ?? "";
  if (line !== undefined) return " ";
  return simple === undefined ? "" : (CONTROLS[simple] ?? simple);
}

function printable(code: number): string {
  return code === 10 || code === 13 ? "\n" : code >= 32 && code < 127 ? String.fromCharCode(code) : "";
}

function assembled(parts: readonly { text: string; start: number; end: number }[]): Decoded {
  const text = parts.map((part) => part.text).join("");
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let at = 0;
  for (const part of parts) {
    for (let i = 0; i < part.text.length; i++, at++) {
      starts[at] = part.end < 0 ? part.start + i : part.start;
      ends[at] = part.end < 0 ? part.start + i + 1 : part.end;
    }
  }
  return { text, starts, ends };
}
