import { READ } from "../constants.ts";
import { type JsonObject, parseObject } from "./json.ts";

export interface LineObjects {
  objects: JsonObject[];
  /** Why something of the line could not be read: `malformed`, `non_object`; null when all of it was. */
  trouble: "malformed" | "non_object" | null;
}

/** An entry's first members, as every version writes them; where an object may start inside a broken line. */
const ENTRY_START = /\{\s*"(?:parentUuid|type|sessionId|uuid|timestamp)"\s*:/g;

/** Parses a line: one object as a rule, several that were glued together, or those behind a piece that was cut off. */
export function lineObjects(text: string): LineObjects {
  const whole = parseObject(text);
  if (whole) return { objects: [whole], trouble: null };
  if (whole === null) return { objects: [], trouble: "non_object" };
  return gluedObjects(text);
}

function gluedObjects(text: string): LineObjects {
  const objects: JsonObject[] = [];
  let trouble = false;
  let at = 0;
  for (let tries = 0; tries < READ.maxObjectsPerLine && at < text.length; tries++) {
    ENTRY_START.lastIndex = at;
    const start = ENTRY_START.exec(text)?.index ?? -1;
    if (start < 0 || text.slice(at, start).trim() !== "") trouble = true;
    if (start < 0) break;
    const end = objectEnd(text, start);
    const object = end < 0 ? undefined : parseObject(text.slice(start, end));
    if (object) objects.push(object);
    else trouble = true;
    at = object ? end : start + 1;
  }
  return { objects, trouble: trouble || objects.length === 0 ? "malformed" : null };
}

/** Where the object that starts at `start` ends, by its braces; -1 when it does not. */
function objectEnd(text: string, start: number): number {
  const mark = /["{}]/g;
  mark.lastIndex = start;
  let depth = 0;
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    if (match[0] === "{") depth++;
    else if (match[0] === "}") {
      if (--depth === 0) return mark.lastIndex;
    } else {
      const string = /[^"\\]*(?:\\.[^"\\]*)*"/sy;
      string.lastIndex = mark.lastIndex;
      if (!string.test(text)) return -1;
      mark.lastIndex = string.lastIndex;
    }
  }
  return -1;
}
