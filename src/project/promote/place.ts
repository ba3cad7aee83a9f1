/** A line that was added to a file, and what was added around it. */
export interface AddedLine {
  /** SHA-256 of the line's bytes, so that no record of it holds its words. */
  hash: string;
  /** What stands before and after the line since it was added: ends of lines alone. */
  before: string;
  after: string;
}

/**
 * Adds a line at the end of a file as a paragraph of its own, so that it belongs to no list above it. Every byte that was
 * there stays: ends of lines, a missing last one, and bytes that are no UTF-8.
 */
export function withLine(content: Uint8Array, line: string): { content: Uint8Array; added: AddedLine } {
  const text = bytesAsText(content);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const isEnded = text === "" || text.endsWith("\n");
  const isApart = text === "" || /\n\r?\n$/.test(text);
  const before = isApart ? "" : isEnded ? end : `${end}${end}`;
  const after = isEnded ? end : "";
  const bytes = bytesAsText(Buffer.from(line, "utf8"));
  return {
    content: Buffer.from(`${text}${before}${bytes}${after}`, "latin1"),
    added: { hash: hashOf(bytes), before, after },
  };
}

/** Takes an added line out again with what was added around it. Returns null where the line does not stand any more. */
export function withoutLine(content: Uint8Array, { hash, before, after }: AddedLine): Uint8Array | null {
  const text = bytesAsText(content);
  const place = linesOf(text).find(({ line }) => hashOf(line) === hash);
  if (place === undefined) return null;
  const { start, line } = place;
  const from = text.slice(0, start).endsWith(before) ? start - before.length : start;
  const end = start + line.length;
  const to = text.startsWith(after, end) ? end + after.length : end;
  return Buffer.from(text.slice(0, from) + text.slice(to), "latin1");
}

/** Whether an added line stands in a file. */
export function hasLine(content: Uint8Array, { hash }: Pick<AddedLine, "hash">): boolean {
  return linesOf(bytesAsText(content)).some(({ line }) => hashOf(line) === hash);
}

function linesOf(text: string): { line: string; start: number }[] {
  return [...text.matchAll(/[^\r\n]+/g)].map(({ 0: line, index }) => ({ line, start: index }));
}

/** One character for each byte, whatever its encoding. */
function bytesAsText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function hashOf(line: string): string {
  return new Bun.CryptoHasher("sha256").update(Buffer.from(line, "latin1")).digest("hex");
}
