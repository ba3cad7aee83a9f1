import { stringEnd } from "../../transcript/json-scan.ts";
import type { LineReader } from "../../transcript/lines.ts";

/** A picture in a message, up to its data. Bare quotes cannot be inside a string, where they are escaped. */
const IMAGE = Buffer.from('{"type":"base64","media_type":"image/');
const DATA = Buffer.from('","data":"');
/** The longest name of an image's type is `svg+xml`. */
const MAX_TYPE_CHARS = 20;
/** Shorter lines hold no picture whose data would be worth looking for. */
const MIN_LINE_BYTES = 1 << 14;

/**
 * The line's text without the data of its pictures, which nothing reads and which are most of the bytes that would be
 * parsed; null when it holds none.
 */
export function textWithoutImages({ bytes, start, end }: LineReader): string | null {
  if (end - start < MIN_LINE_BYTES) return null;
  const line = bytes.subarray(start, end);
  let text = "";
  let from = 0;
  for (let image = line.indexOf(IMAGE); image >= 0; image = line.indexOf(IMAGE, from)) {
    const data = line.indexOf(DATA, image + IMAGE.length) + DATA.length;
    if (data < DATA.length || data > image + IMAGE.length + MAX_TYPE_CHARS + DATA.length) break;
    const dataEnd = stringEnd(line, data - 1, line.length);
    if (dataEnd < 0) break;
    text += line.toString("utf8", from, data);
    from = dataEnd - 1;
  }
  return from === 0 ? null : text + line.toString("utf8", from);
}
