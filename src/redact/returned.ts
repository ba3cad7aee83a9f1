import { meaningOf, SECRET } from "./names.ts";
import type { Secret } from "./spans.ts";
import { isSecretValue } from "./values.ts";

/** What a function of such a name returns at once: parameters, a type, and a body that is one string. */
const BODY =
  /\([^()\n]{0,80}\)(?:[^\n"'`;{}()=]|&'static){0,40}?\s{0,8}(?:\{\s{0,24}(?:return\s{1,4})?|:\s{0,24}return\s{1,4}|=>\s{0,4}|=\s{0,4})(?:[\w.[\]]{1,30}\(\s?)?[bBrRuf]?(?:"([^"\n]{6,300})"|'([^'\n]{6,300})'|`([^`\n]{6,300})`)/y;
/** Ruby's method without parameters. */
const METHOD = /\r?\n\s{1,16}["']([^"'\n]{6,300})["']\s{1,16}end\b/y;
/** A block of code below a heading that holds one word. */
const BLOCK = /[^\n.`]{0,20}\s{1,8}```\w{0,12}\r?\n[ \t]*(\S{6,300})[ \t]*\r?\n[ \t]*```/y;
/** Words before what a function returns. */
const VERB = /^(?:get|fetch|load|read|make|build|default|make)_?(?=[A-Z_])/;

/** The secret that a function returns whose name ends at a place. */
export function returnedSecret(text: string, name: { text: string; end: number }): Secret | null {
  const pattern = text[name.end] === "(" ? BODY : METHOD;
  const meaning = meaningOf(name.text.replace(VERB, ""));
  if (meaning.strength < SECRET) return null;
  pattern.lastIndex = name.end;
  const match = pattern.exec(text);
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  if (value === undefined || !isSecretValue(value, meaning.strength, "quoted")) return null;
  const start = pattern.lastIndex - (match?.[0].length ?? 0) + (match?.[0].lastIndexOf(value) ?? 0);
  return { start, end: start + value.length, kind: meaning.kind };
}

/** The secret that stands alone in a block of code below the name that ends at a place. */
export function fencedSecret(text: string, name: string, end: number): Secret | null {
  const { strength, kind } = meaningOf(name);
  if (strength < SECRET) return null;
  BLOCK.lastIndex = end;
  const value = BLOCK.exec(text)?.[1];
  if (value === undefined || !isSecretValue(value, strength, "statement")) return null;
  const start = text.lastIndexOf(value, BLOCK.lastIndex);
  return { start, end: start + value.length, kind };
}
