import { type Finder, finder, firstGroup, type Secret } from "./finder.ts";
import { isCamelPhrase, isCoupled } from "./made-up.ts";
import { PASSWORD } from "./names.ts";
import { looksRandom } from "./randomness.ts";
import { PRINTING } from "./rules.ts";
import { isStandIn } from "./stand-ins.ts";
import { isSecretValue } from "./values.ts";

const COMMANDS = PRINTING.map(([word]) => word);
const ALL = PRINTING.map(([word, rest]) => `${RegExp.escape(word)}${rest}`).join("|");
const COMMAND = `(?:${ALL})\\r?\\n[ \\t]*`;
/** A path or a host, as a command prints that prints no secret. */
const PLAIN = "(?![a-z0-9-]+(?:\\.[a-z0-9-]+){2,}(?:\\s|$))";

/** A word that is all that a command printed, in quotes or before the sign of a shell, which may follow at once. */
const ALONE = new RegExp(
  `${COMMAND}${PLAIN}["']?([^\\s"'$%]{6,4000})["']?(?:[%$#] ?)?[ \\t]*(?:\\r?\\n|$)`,
  "y",
);

function printedAlone(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, ALONE);
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  const isLikely = /\d/.test(value) || looksRandom(value) || isCoupled(value) || isCamelPhrase(value);
  if (!isLikely || isStandIn(value) || !isSecretValue(value.slice(0, 100), PASSWORD, "flag")) return null;
  return { ...place, kind: "secret" };
}

/** What commands print whose output is a secret: alone, first or as JSON. */
export const PRINTED_FINDERS: readonly Finder[] = [
  { words: COMMANDS, find: printedAlone },
  finder(
    COMMANDS,
    "secret",
    new RegExp(`${COMMAND}${PLAIN}([\\w+/=.~!@#$%^*?&:()-]{8,4000})(?=\\s|$)`, "y"),
    true,
  ),
  finder(
    COMMANDS,
    "secret",
    new RegExp(
      `(?:${ALL})\\r?\\n(?:[^\\n]{0,200}\\n){0,8}?[^\\n]{0,200}?"(?:Value|value|SecretString|keyString)"\\s?:\\s?"([^"\\n]{6,4000})"`,
      "y",
    ),
    true,
  ),
];
