import { READ } from "../../constants.ts";
import { type JsonObject, parseObject } from "../../io/json.ts";

export interface LineObjects {
  objects: JsonObject[];
  /** True when the line starts with a whole object. */
  startsWhole: boolean;
  /** The reason why a part of the line could not be read; null when all of it was read. */
  trouble: "malformed" | "non_object" | null;
}

/** Signs of an agent's records in a damaged line. */
export interface RecordShape {
  /** Matches a record's opening brace and first key, as the agent writes them. */
  start: RegExp;
  /** Tells whether an object can only be a record. */
  isRecord: (object: JsonObject) => boolean;
}

/** Parses a line: usually one object, sometimes several without a line break, or whole objects after a truncated one. */
export function lineObjects(text: string, shape: RecordShape): LineObjects {
  const whole = parseObject(text);
  if (whole) return { objects: [whole], startsWhole: true, trouble: null };
  if (whole === null) return { objects: [], startsWhole: false, trouble: "non_object" };
  return gluedObjects(text.trimEnd(), shape);
}

function gluedObjects(text: string, shape: RecordShape): LineObjects {
  const recordStart = new RegExp(shape.start, "g");
  const objects: JsonObject[] = [];
  let broken = false;
  let startsWhole = false;
  let at = 0;
  for (let tries = 0; tries < READ.maxObjectsPerLine && at < text.length; tries++) {
    const start = indexFrom(recordStart, text, at);
    broken ||= start < 0 || text.slice(at, start).trim() !== "";
    if (start < 0) break;
    const object = objectAt(text, start, broken ? shape : null);
    if (object) {
      objects.push(object);
      if (broken) break;
      startsWhole = true;
      at = objectEnd(text, start);
    } else {
      broken = true;
      at = start + 1;
    }
  }
  return { objects, startsWhole, trouble: broken ? "malformed" : null };
}

/** Returns the start of the next match from `at` on; -1 when there is none. */
function indexFrom(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? -1;
}

/** Parses the object that starts at `start`. After a truncated object, `shape` identifies a record. */
function objectAt(text: string, start: number, shape: RecordShape | null): JsonObject | null | undefined {
  return shape ? recovered(text.slice(start), shape) : parseObject(text.slice(start, objectEnd(text, start)));
}

/**
 * Finds a whole record after a truncated one. It must reach to the end of the line. An object nested in a truncated record is not
 * a record.
 */
function recovered(text: string, { isRecord }: RecordShape): JsonObject | undefined {
  const object = parseObject(text);
  return object && isRecord(object) ? object : undefined;
}

/** Returns the end of the object that starts at `start`, by its braces; `start` when it has no end. */
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
