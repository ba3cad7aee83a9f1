import { stringEnd } from "../../transcript/json-scan.ts";
import type { LineReader } from "../../transcript/lines.ts";

/** An image in a message, up to its data. Its unescaped quotes cannot occur inside a JSON string. */
const IMAGE = Buffer.from('{"type":"base64","media_type":"image/');
const DATA = Buffer.from('","data":"');
/** The longest name of an image's type is `svg+xml`. */
const MAX_TYPE_CHARS = 20;
/** Shorter lines contain no image that is worth removing. */
const MIN_LINE_BYTES = 1 << 14;

/**
 * Returns a line's text without the data of its images. Nothing reads that data, and it would be most of what is
 * parsed. Null when there is none.
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
