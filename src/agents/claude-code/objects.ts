import { READ } from "../../constants.ts";
import { type JsonObject, parseObject, stringOf } from "../../transcript/json.ts";
import type { LineReader } from "../../transcript/lines.ts";
import { textWithoutImages } from "./images.ts";

export interface LineObjects {
  objects: JsonObject[];
  /** True when the line starts with a whole object. */
  startsWhole: boolean;
  /** Why something of the line could not be read: `malformed`, `non_object`; null when all of it was. */
  trouble: "malformed" | "non_object" | null;
}

/** An entry's first members, as every version writes them; where an object may start inside a broken line. */
const ENTRY_START = /\{\s*"(?:parentUuid|type|sessionId|uuid|timestamp)"\s*:/g;

/** Parses the current line, without its pictures where that goes: behind one that is cut off they are needed to tell. */
export function objectsOf(lines: LineReader): LineObjects {
  const short = textWithoutImages(lines);
  const whole = short === null ? null : parseObject(short);
  return whole ? { objects: [whole], startsWhole: true, trouble: null } : lineObjects(lines.text());
}

/** Parses a line: one object as a rule, several that were glued together, or those behind a piece that was cut off. */
export function lineObjects(text: string): LineObjects {
  const whole = parseObject(text);
  if (whole) return { objects: [whole], startsWhole: true, trouble: null };
  if (whole === null) return { objects: [], startsWhole: false, trouble: "non_object" };
  return gluedObjects(text.trimEnd());
}

function gluedObjects(text: string): LineObjects {
  const objects: JsonObject[] = [];
  let broken = false;
  let startsWhole = false;
  let at = 0;
  for (let tries = 0; tries < READ.maxObjectsPerLine && at < text.length; tries++) {
    ENTRY_START.lastIndex = at;
    const start = ENTRY_START.exec(text)?.index ?? -1;
    broken ||= start < 0 || text.slice(at, start).trim() !== "";
    if (start < 0) break;
    const object: JsonObject | null | undefined = broken
      ? recovered(text.slice(start))
      : parseObject(text.slice(start, objectEnd(text, start)));
    if (object) objects.push(object);
    if (object && !broken) startsWhole = true;
    if (object && broken) break;
    broken ||= !object;
    at = object ? objectEnd(text, start) : start + 1;
  }
  return { objects, startsWhole, trouble: broken ? "malformed" : null };
}

/**
 * An entry that was written whole behind one that was cut off. It must reach to the line's end and belong to a session:
 * what a cut-off entry holds inside it (a subagent's progress holds whole messages) is none.
 */
function recovered(text: string): JsonObject | undefined {
  const object = parseObject(text);
  return object && stringOf(object.sessionId) !== null && stringOf(object.type) !== null ? object : undefined;
}

/** Where the object that starts at `start` ends, by its braces; `start` when it does not. */
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
      if (!string.test(text)) return start;
      mark.lastIndex = string.lastIndex;
    }
  }
  return start;
}
