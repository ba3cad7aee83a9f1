import { type Finder, finder } from "./finder.ts";
import { meaningOf } from "./names.ts";
import type { Secret } from "./spans.ts";
import { isSecretValue } from "./values.ts";

/** SQL that gives a user a password. */
const SQL =
  /(?:identified\s+(?:with\s+\S{1,40}\s+)?by(?:\s+password)?|password(?:\s+for\s+\S{1,60})?\s*(?:=|\s)|set\s+password(?:\s+for\s+\S{1,60})?\s*=|encrypted\s+password|password\s*\()\s*\(?\s*(?:\\*'([^'\n]{1,200}?)\\*'|\\*"([^"\n]{1,200}?)\\*")/iy;
const INSERT = /into\s{1,4}[^\s(]{1,80}\s{0,4}\(([^()]{1,600})\)\s{0,20}values\s{0,20}\(([^\n]{1,1000})/iy;
const ITEM = /\s*(\\*'(?:[^'\n]|'')*'|\\*"[^"\n]*"|[^,()'"]+(?:\([^()]*\))?)\s*(?:,|\))/y;

/** The first value that an INSERT gives to a column whose name says that it is a secret. */
function insertedSecret(text: string, at: number): Secret | null {
  INSERT.lastIndex = at;
  const match = INSERT.exec(text);
  if (!match) return null;
  const [, columns = "", values = ""] = match;
  ITEM.lastIndex = INSERT.lastIndex - values.length;
  for (const column of columns.split(",")) {
    const item = ITEM.exec(text)?.[1];
    if (item === undefined) return null;
    const meaning = meaningOf(column.replace(/\W+/g, ""));
    const value = /^\\*(['"])(.*?)\\*\1$/.exec(item)?.[2];
    if (value === undefined || !isSecretValue(value, meaning.strength, "quoted")) continue;
    const start = text.indexOf(value, ITEM.lastIndex - item.length - 2);
    return { start, end: start + value.length, kind: meaning.kind };
  }
  return null;
}

/** Secrets in statements of SQL. */
export const SQL_FINDERS: readonly Finder[] = [
  finder(
    [
      "identified ",
      "IDENTIFIED ",
      "Identified ",
      "password ",
      "PASSWORD ",
      "password(",
      "PASSWORD(",
      "set password",
      "SET PASSWORD",
      "encrypted password",
      "ENCRYPTED PASSWORD",
    ],
    "password",
    SQL,
  ),
  { words: ["INTO ", "into "], find: insertedSecret },
];
