import type { Secret } from "./finder.ts";

type Rules = typeof import("./clean.ts") & typeof import("./redact.ts");

let loaded: Rules | undefined;

/** Returns the rules. They load with the first text, because most commands clean none. */
function rules(): Rules {
  const found: Rules = loaded ?? { ...require("./clean.ts"), ...require("./redact.ts") };
  loaded = found;
  return found;
}

declare const CLEAN: unique symbol;

/** A string that the redactor has cleaned. Only this file makes one, so a parameter of this type accepts nothing else. */
export type CleanString = string & { readonly [CLEAN]: true };

/** A value whose strings are all clean. Strings of a fixed set, such as a role, need no cleaning. */
export type Clean<Value> = Value extends string
  ? string extends Value
    ? CleanString
    : Value
  : Value extends (infer Item)[]
    ? Clean<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Clean<Value[Key]> }
      : Value;

/** A time, or a name that the program chose, such as an event's. It cannot contain a secret. */
const HARMLESS = /^(?:\d{4}-\d\d-\d\dT[\d:.]{8,12}Z|[a-z]{1,12}(?:-[a-z]{1,12}){0,2})$/;

/** Removes private passages and secrets from a text. */
export function clean(text: string): CleanString {
  if (HARMLESS.test(text)) return text as CleanString;
  return rules().cleanText(text) as CleanString;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Cleans an identifier, a path of a transcript or a key. If it contains a secret, it becomes its own hash. */
export function cleanId(id: string): CleanString {
  const isClean = UUID.test(id) || rules().redact(id) === id;
  return (isClean ? id : `id-${Bun.hash(id).toString(36)}`) as CleanString;
}

/** Returns the secrets in a text, in order. */
export function secretsIn(text: string): Secret[] {
  return rules().findSecrets(text);
}

/** Returns a piece of a clean text, which is clean, too. */
export function cleanPiece(text: CleanString, start: number, end: number): CleanString {
  return text.slice(start, end) as CleanString;
}

/** Names of fields whose strings must not change, because they are compared with others. */
const IDS = /^(?:id|path|hash|.*(?:Id|Uuid|Uuids|Path))$/;

/**
 * Removes private passages and secrets from every string of a record or list; cleans identifiers with `cleanId`. Keys of records
 * belong to the program, except in the records named in `open`, whose keys are cleaned, too.
 */
export function cleaned<Value>(value: Value, open: readonly string[] = []): Clean<Value> {
  return walk(value, "", open) as Clean<Value>;
}

function walk(value: unknown, key: string, open: readonly string[]): unknown {
  if (typeof value === "string") return IDS.test(key) ? cleanId(value) : clean(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, key, open));
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  const isOpen = open.includes(key);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [isOpen ? cleanId(name) : name, walk(item, name, open)]),
  );
}

/** Cleans JSON that a program wrote. Cleans other text as text. */
export function cleanJson(json: string, open: readonly string[] = []): CleanString {
  try {
    return JSON.stringify(walk(JSON.parse(json), "", open)) as CleanString;
  } catch {
    return clean(json);
  }
}
