/** Sentences that name a secret and come to its value some words later. */
import { type Finder, firstGroup, type Secret } from "./finder.ts";
import { isCamelPhrase, isCoupled } from "./made-up.ts";
import { PASSWORD, SECRET } from "./names.ts";
import { isCommit } from "./randomness.ts";
import { isSecretValue } from "./values.ts";

/** Words between the name of a password and its value: `for ada`, `für den Server`, `do serwera`. */
const SAID_WHOSE =
  "(?:for|of|on|to|at|from|für|von|vom|der|des|zu|zur|zum|pour|du|de|del|della|dell'|di|dei|degli|nel|para|do|da|em|en|el|la|van|voor|dla|od|til|för)";
const SAID_NOW =
  "(?:still|now|jetzt|nun|ab heute|ab jetzt|maintenant|désormais|ahora|ora|adesso|agora|nu|teraz|nå)";
const VERB = `(?:(?:is|was|war|était|era|volt|ist|lautet|heißt|heisst|est|es|è|é|to|jest|c['’]est|är|er)(?: ${SAID_NOW})?|(?:ahora|ora|adesso|agora) (?:es|è|é))(?=[\\s:]):?`;
const LINK = `(?:\\s?(?:[:=→]|->)|\\s${VERB})`;
const VALUE = "\\s{0,3}[\"'`«„“]?\\s?([^\\s\"'`»“”]{5,200})";
const SAID_WORDS =
  "pw|mdp|password|passphrase|passcode|passwort|kennwort|zugangscode|mot de passe|phrase de passe|phrase secrète|frase segreta|frase secreta|frase de contraseña|frase de paso|frase-senha|wachtzin|senha|wachtwoord|haslo|parola d'ordine|code d'accès|código de acceso|codice di accesso|código de acesso|toegangscode";

/** Which one it is, between the name and a colon. */
const STATE =
  "now|again|today|temporary|new|old|neu|alt|jetzt|provisoire|temporaire|actuel|nouveau|provvisoria|temporanea|attuale|nuova|temporal|provisional|actual|nueva|temporária|provisória|atual|nova|tijdelijk|nieuw|tymczasowe|nowe";
/** Words behind the name that say that the rest is about passwords, and none. */
const ABOUT =
  "polic|strength|rule|length|hash|reset|field|manag|require|format|hint|type|min|max|algo|generator|expir|age|score|check|encod|kdf|valid|richtlin|regel|länge|stärke|longueur|politique|force|política|longitud|sterkte|beleid|lengte|siła|długość|lunghezza";
/** `Passwort für den Server: value`, and a value on the line below `the password is`. */
const PROMPT = new RegExp(
  `(?:${SAID_WORDS})\\s(?:(?:(?:is|was|has been)\\s)?(?:(?:generated|created|set|reset)\\s)?${SAID_WHOSE}\\s?[^\\n:=]{1,80}?${LINK}${VALUE}|(?:[^\\s.,:;=]{1,20}\\s){0,3}?${VERB}${VALUE}|(?:[^\\s.,:;=]{1,20}\\s){0,5}?(?:auf|to|en|a|à|para|na|op|in|als|su|par|durch|door|por|con|przez)(?=\\s)${VALUE}|(?:(?!${ABOUT})[^\\s.,:;=()]{1,20}\\s?){1,3}:\\s(?=[^\\s]{0,60}[a-z])${VALUE}|[«„“]\\s?([^\\s"'\`»“”]{6,200})|(?:${STATE})\\s?:\\s${VALUE}|(?:is|ist|est|lautet):?[ \\t]*(?:\\r?\\n){1,2}[ \\t]*\`?([^\\s\`]{6,200})(?=\`?\\s|\`?$))`,
  "iuy",
);

function askedFor(text: string, at: number): Secret | null {
  return saidIn(text, at, PROMPT, "password");
}

/** The value that a pattern finds in a sentence, without the mark that ends the sentence. */
function saidIn(text: string, at: number, pattern: RegExp, kind: keyof typeof STRENGTHS): Secret | null {
  const place = firstGroup(text, at, pattern);
  if (place === null) return null;
  const raw = text.slice(place.start, place.end);
  const value = raw.endsWith("!") && isCoupled(raw) ? raw : raw.replace(/[.,;!?)]+$/, "");
  if (isCommit(text, place.start, value)) return null;
  const isListed =
    kind === "password" &&
    /[:=→][ \t]*["'`«„“]?$/.test(text.slice(Math.max(0, place.start - 4), place.start));
  if (
    !isSecretValue(value, STRENGTHS[kind], "statement") &&
    !(isListed && (isCoupled(value) || isPrompted(text, place.start, value)))
  )
    return null;
  return { start: place.start, end: place.start + value.length, kind };
}

/** Whether a terminal asked for words in camel case. */
function isPrompted(text: string, start: number, value: string): boolean {
  return (
    isCamelPhrase(value) &&
    /(?:\[sudo\] password|assword for user|assword for \S+@\S+)[^\n:]{0,40}: $/i.test(
      text.slice(Math.max(0, start - 90), start),
    )
  );
}

const STRENGTHS = { password: PASSWORD, secret: SECRET } as const;

/** `API key for the weather service: value`, and the like of tokens. */
const KEY_FOR = new RegExp(
  `(?:(?<=\\b(?:api|access|secret|private|service|auth|account|signing|encryption|admin|master|deploy|webhook|app|application|client|license|licence)[ -])key|(?<!\\b(?:next|page|sync|continuation|device|push|id|design|cancel|cancellation)[ -])(?:token|secret))\\s(?:for|of|to|from|in|you)\\s[^\\n:=→]{1,80}?${LINK}${VALUE}`,
  "iuy",
);

function keyFor(text: string, at: number): Secret | null {
  return saidIn(text, at, KEY_FOR, "secret");
}

/** The value that a password or a token was changed from. */
const SAID_CHANGED = new RegExp(
  `(?:${SAID_WORDS}|pw|token|secret|contraseña|clave|hasło|пароль)\\s(?:[^\\s.:;=]{1,20}\\s){0,5}?(?:from|von|de|da|van|z|с)\\s["'\`«„“]?([^\\s"'\`»“”]{6,200})["'\`»“”]?\\s(?:to|auf|zu|à|a|en|para|naar|na|на|in)\\s`,
  "iuy",
);

function changedFrom(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, SAID_CHANGED);
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  return isSecretValue(value, PASSWORD, "statement") ? { ...place, kind: "password" } : null;
}

/** What a password was changed to behind what it was. */
const NEXT_ONE =
  /\[redacted:password\]["'»”]?(?:\s(?:to|auf|zu|à|a|en|para|naar|na|на|in)|, (?:and )?(?:the new one|das neue|la nueva|le nouveau|az új) (?:is|ist|es|est)(?: now| jetzt)?)\s["'«„“]?([^\s"'`»“”]{6,100})/iuy;

function changedTo(text: string, at: number): Secret | null {
  return saidIn(text, at, NEXT_ONE, "password");
}

/** A phrase in quotes that a password was set to. */
const PHRASE = new RegExp(
  `(?:${SAID_WORDS}|pw)\\s(?:[^\\s.,:;=]{1,20}\\s){0,5}?(?:is|to|auf|ist|lautet|est|es|è|é|a|à|en|in|para|na|op|als|su)\\s["«„“]\\s?([^"»“”\n]{8,80}?)\\s?["»“”]`,
  "iuy",
);

function phraseFor(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, PHRASE);
  return place && isSecretValue(text.slice(place.start, place.end), PASSWORD, "quoted")
    ? { ...place, kind: "password" }
    : null;
}

/** A sentence that comes back to what it named: `the password changed, it's …`. */
const PRONOUN = new RegExp(
  `(?:half is|half:|part is|it['’]s|it is|es ist|er ist|es lautet|c['’]est|(?:ahora|ora|adesso|agora) (?:es|è|é))(?: ${SAID_NOW})?\\s["'\`«„“]?(?=[^\\s"'\`»“”]{0,60}\\d)([^\\s"'\`»“”]{6,100})`,
  "iuy",
);
const NAMED_BEFORE =
  /(?:password|passphrase|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|\bpw|\bpwd|token|secret|(?:api|access|secret) key)\b[^.!\n]{0,80}$/i;

function pronounced(text: string, at: number): Secret | null {
  const found = saidIn(text, at, PRONOUN, "password");
  return found && NAMED_BEFORE.test(text.slice(Math.max(0, at - 110), at)) ? found : null;
}

const KEY_FOR_WORDS = ["key", "Key", "token", "Token", "secret", "Secret"].flatMap((word) =>
  ["for", "of", "to", "from", "in", "you"].map((link) => `${word} ${link} `),
);

/** The words that ask for a secret, within a sentence and at its start. */
const PROMPT_WORDS = SAID_WORDS.split("|").flatMap((word) => [
  `${word} `,
  `${word[0]?.toUpperCase()}${word.slice(1)} `,
]);

export const SENTENCE_FINDERS: readonly Finder[] = [
  {
    words: PROMPT_WORDS,
    find: (text, at) => changedFrom(text, at) ?? askedFor(text, at) ?? phraseFor(text, at),
  },
  { words: ["token ", "Token ", "pw ", "PW "], find: changedFrom },
  {
    words: [
      ...[
        "it's ",
        "It's ",
        "it’s ",
        "it is ",
        "half is ",
        "half: ",
        "part is ",
        "It is ",
        "es ist ",
        "er ist ",
        "es lautet ",
        "c'est ",
        "C'est ",
        "c’est ",
      ],
      ...["ahora es ", "ora è ", "adesso è ", "agora é "],
    ],
    find: pronounced,
  },
  { words: ["[redacted:password]"], find: changedTo },
  { words: KEY_FOR_WORDS, find: keyFor },
];
