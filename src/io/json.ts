/** Safe access to untrusted JSON: a value of an unexpected type is treated as missing. */

export type JsonObject = Record<string, unknown>;

export function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the objects of a list. */
export function asObjects(value: unknown): JsonObject[] {
  return asList(value)
    .map(asObject)
    .filter((object) => object !== null);
}

/** Returns a non-empty string; null for anything else. */
export function asString(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function asNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Parses a text as one JSON object; undefined when it is not JSON, null when it is another value. */
export function parseObject(text: string): JsonObject | null | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
