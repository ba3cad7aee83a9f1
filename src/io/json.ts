/** Safe access to untrusted JSON: a value of an unexpected type is treated as missing. */

export type JsonObject = Record<string, unknown>;

export function objectOf(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the objects of a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return listOf(value)
    .map(objectOf)
    .filter((object) => object !== null);
}

/** Returns a non-empty string; null for anything else. */
export function stringOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Parses a text as one JSON object; undefined when it is not JSON, null when it is another value. */
export function parseObject(text: string): JsonObject | null | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
