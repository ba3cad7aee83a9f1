import { type Finder, finder, firstGroup } from "./finder.ts";
import { PASSWORD, SECRET } from "./names.ts";
import type { Secret } from "./spans.ts";
import { isSecretValue } from "./values.ts";

/** Words between the name of a password and its value: `for ada`, `für den Server`, `do serwera`. */
const WHOSE =
  "(?:for|of|on|to|at|from|für|von|vom|der|des|zu|zur|zum|pour|du|de|del|della|dell'|di|dei|degli|nel|para|do|da|em|en|el|la|van|voor|dla|od|til|för)";
const VERB = "(?:is(?: (?:still|now))?|ist|lautet|heißt|heisst|est|es|è|é|to|jest|c['’]est)(?=[\\s:]):?";
const LINK = `(?:\\s?[:=]|\\s${VERB})`;
const VALUE = "\\s{0,3}[\"'`«„“]?\\s?([^\\s\"'`»“”]{5,200})";
const WORDS =
  "password|passphrase|passcode|passwort|kennwort|zugangscode|mot de passe|senha|wachtwoord|haslo|parola d'ordine";

/** `Passwort für den Server: value`, and a value on the line below `the password is`. */
const PROMPT = new RegExp(
  `(?:${WORDS})\\s(?:(?:(?:is|was|has been)\\s)?(?:(?:generated|created|set|reset)\\s)?${WHOSE}\\s?[^\\n:=]{1,80}?${LINK}${VALUE}|(?:[^\\s.,:;=]{1,20}\\s){1,3}?${VERB}${VALUE}|(?:[^\\s.,:;=]{1,20}\\s){0,5}?(?:auf|to|en|a|para|na|op|in|als|su)(?=\\s)${VALUE}|(?:is|ist|est|lautet):?[ \\t]*(?:\\r?\\n){1,2}[ \\t]*\`?([^\\s\`]{6,200})(?=\`?\\s|\`?$))`,
  "iuy",
);

function askedFor(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, PROMPT);
  if (place === null) return null;
  const value = text.slice(place.start, place.end).replace(/[.,;!?)]+$/, "");
  if (!isSecretValue(value, PASSWORD, "statement")) return null;
  return { start: place.start, end: place.start + value.length, kind: "password" };
}

/** `API key for the weather service: value`, and the like of tokens. */
const KEY_FOR = new RegExp(
  `(?:(?<=\\b(?:api|access|secret|private|service|auth|account|signing|encryption|admin|master|deploy|webhook|app|application|client|license|licence)[ -])key|(?<!\\b(?:next|page|sync|continuation|device|push|id|design|cancel|cancellation)[ -])(?:token|secret))\\s(?:for|of|to|from)\\s[^\\n:=]{1,80}?${LINK}${VALUE}`,
  "iuy",
);

function keyFor(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, KEY_FOR);
  if (place === null) return null;
  const value = text.slice(place.start, place.end).replace(/[.,;!?)]+$/, "");
  if (!isSecretValue(value, SECRET, "statement")) return null;
  return { start: place.start, end: place.start + value.length, kind: "secret" };
}

/** The value that a password or a token was changed from. */
const CHANGED = new RegExp(
  `(?:${WORDS}|pw|token|secret|contraseña|clave|hasło|пароль)\\s(?:[^\\s.:;=]{1,20}\\s){0,5}?(?:from|von|de|da|van|z|с)\\s["'\`«„“]?([^\\s"'\`»“”]{6,200})["'\`»“”]?\\s(?:to|auf|zu|à|a|en|para|naar|na|на|in)\\s`,
  "iuy",
);

function changedFrom(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, CHANGED);
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  return isSecretValue(value, PASSWORD, "statement") ? { ...place, kind: "password" } : null;
}

/** A phrase in quotes that a password was set to. */
const PHRASE = new RegExp(
  `(?:${WORDS}|pw)\\s(?:[^\\s.,:;=]{1,20}\\s){0,5}?(?:is|to|auf|ist|lautet|est|es|è|é|a|à|en|in|para|na|op|als|su)\\s["«„“]\\s?([^"»“”\n]{8,80}?)\\s?["»“”]`,
  "iuy",
);

function phraseFor(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, PHRASE);
  return place && isSecretValue(text.slice(place.start, place.end), PASSWORD, "quoted")
    ? { ...place, kind: "password" }
    : null;
}

const KEY_FOR_WORDS = ["key", "Key", "token", "Token", "secret", "Secret"].flatMap((word) =>
  ["for", "of", "to", "from"].map((link) => `${word} ${link} `),
);

/** The words that ask for a secret, within a sentence and at its start. */
const PROMPT_WORDS = WORDS.split("|").flatMap((word) => [
  `${word} `,
  `${word[0]?.toUpperCase()}${word.slice(1)} `,
]);

export const ANSWER_FINDERS: readonly Finder[] = [
  {
    words: PROMPT_WORDS,
    find: (text, at) => changedFrom(text, at) ?? askedFor(text, at) ?? phraseFor(text, at),
  },
  { words: ["token ", "Token ", "pw ", "PW "], find: changedFrom },
  { words: KEY_FOR_WORDS, find: keyFor },
  finder(["secret value:"], "secret", /secret value:\s{0,3}(?:[….*]{1,3}\s)?(\S{8,400})/y, true),
];
