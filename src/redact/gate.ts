import type { Secret } from "./spans.ts";

type Rules = typeof import("./clean.ts") & typeof import("./redact.ts");

let loaded: Rules | undefined;

/** The rules are loaded with the first text: most starts of the program clean none, and pay nothing for them. */
function rules(): Rules {
  const found: Rules = loaded ?? { ...require("./clean.ts"), ...require("./redact.ts") };
  loaded = found;
  return found;
}

declare const CLEAN: unique symbol;

/** A string that went through the redactor. Only this file makes one: whoever asks for it cannot be given another. */
export type CleanString = string & { readonly [CLEAN]: true };

/** A value all of whose strings are clean; those of a few fixed words, such as a role, are so by themselves. */
export type Clean<Value> = Value extends string
  ? string extends Value
    ? CleanString
    : Value
  : Value extends (infer Item)[]
    ? Clean<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Clean<Value[Key]> }
      : Value;

/** A time, or a name of our own such as an event's: no rule finds anything in it. */
const HARMLESS = /^(?:\d{4}-\d\d-\d\dT[\d:.]{8,12}Z|[a-z]{1,12}(?:-[a-z]{1,12}){0,2})$/;

/** Takes private passages and secrets out of a text. */
export function clean(text: string): CleanString {
  if (HARMLESS.test(text)) return text as CleanString;
  return rules().cleanText(text) as CleanString;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** An identifier, a path of a transcript or a key: one that holds a secret becomes a hash of itself, always the same. */
export function cleanId(id: string): CleanString {
  const isClean = UUID.test(id) || rules().redact(id) === id;
  return (isClean ? id : `id-${Bun.hash(id).toString(36)}`) as CleanString;
}

/** Returns the secrets in a text, in order. */
export function secretsIn(text: string): Secret[] {
  return rules().findSecrets(text);
}

/** A piece of a clean text is clean. */
export function cleanPiece(text: CleanString, start: number, end: number): CleanString {
  return text.slice(start, end) as CleanString;
}

/** Names of fields whose strings are compared with others, and must stay what they are. */
const IDS = /^(?:id|path|hash|.*(?:Id|Uuid|Uuids|Path))$/;

/**
 * Takes private passages and secrets out of every string of a record or a list, its identifiers with `cleanId`. The
 * keys of records are part of the program, but for those named in `open`, whose keys come from outside.
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

/** The same for JSON that a program wrote; text that is none is cleaned as it is. */
export function cleanJson(json: string, open: readonly string[] = []): CleanString {
  try {
    return JSON.stringify(walk(JSON.parse(json), "", open)) as CleanString;
  } catch {
    return clean(json);
  }
}
