/** Sentences that name a secret some words before its value, and users with their passwords. */
import { atWordStarts, type Finder, firstGroup, found, isPlausible, type Secret } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { isCamelPhrase, isCoupled } from "./made-up.ts";
import { PASSWORD, SECRET } from "./names.ts";
import { phraseBehind } from "./nearby.ts";
import { isCommit } from "./randomness.ts";
import { isTellingOrCoupled, isTellingOrJoined, judged } from "./rules.ts";
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

/** A specification between the name and a colon. */
const STATE =
  "now|again|today|temporary|new|old|neu|alt|jetzt|provisoire|temporaire|actuel|nouveau|provvisoria|temporanea|attuale|nuova|temporal|provisional|actual|nueva|temporária|provisória|atual|nova|tijdelijk|nieuw|tymczasowe|nowe";
/** Words after the name that show that the sentence is about passwords but contains none. */
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

/** Returns the value that a pattern matches in a sentence, without the sentence's final punctuation. */
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

/** Tells whether a terminal prompt asked for words in camel case. */
function isPrompted(text: string, start: number, value: string): boolean {
  return (
    isCamelPhrase(value) &&
    /(?:\[sudo\] password|assword for user|assword for \S+@\S+)[^\n:]{0,40}: $/i.test(
      text.slice(Math.max(0, start - 90), start),
    )
  );
}

const STRENGTHS = { password: PASSWORD, secret: SECRET } as const;

/** `API key for the weather service: value`, and similar sentences about tokens. */
const KEY_FOR = new RegExp(
  `(?:(?<=\\b(?:api|access|secret|private|service|auth|account|signing|encryption|admin|master|deploy|webhook|app|application|client|license|licence)[ -])key|(?<!\\b(?:next|page|sync|continuation|device|push|id|design|cancel|cancellation)[ -])(?:token|secret))\\s(?:for|of|to|from|in|you)\\s[^\\n:=→]{1,80}?${LINK}${VALUE}`,
  "iuy",
);

function keyFor(text: string, at: number): Secret | null {
  return saidIn(text, at, KEY_FOR, "secret");
}

/** The old value of a changed password or token. */
const SAID_CHANGED = new RegExp(
  `(?:${SAID_WORDS}|pw|token|secret|contraseña|clave|hasło|пароль)\\s(?:[^\\s.:;=]{1,20}\\s){0,5}?(?:from|von|de|da|van|z|с)\\s["'\`«„“]?([^\\s"'\`»“”]{6,200})["'\`»“”]?\\s(?:to|auf|zu|à|a|en|para|naar|na|на|in)\\s`,
  "iuy",
);

function changedFrom(text: string, at: number): Secret | null {
  return found(text, at, SAID_CHANGED, "password", (value) => isSecretValue(value, PASSWORD, "statement"));
}

const KEY_FOR_WORDS = ["key", "Key", "token", "Token", "secret", "Secret"].flatMap((word) =>
  ["for", "of", "to", "from", "in", "you"].map((link) => `${word} ${link} `),
);

/** Words of a prompt for a secret, within a sentence and at its start. */
const PROMPT_WORDS = SAID_WORDS.split("|").flatMap((word) => [
  `${word} `,
  `${word[0]?.toUpperCase()}${word.slice(1)} `,
]);

/** Returns a finder for a self-evident password near a word of `near`. */
function telling(words: readonly string[], pattern: RegExp, near: RegExp, isValue = isTelling): Finder {
  return {
    words,
    find: (text, at) => {
      const secret = judged(text, at, pattern, { kind: "password", isValue });
      return secret && near.test(text.slice(Math.max(0, at - 80), secret.end + 80)) ? secret : null;
    },
  };
}

const LINES_END =
  /([\w.$-]{1,60}):(?:\d{1,10}:([0-9a-fA-F]{32}):([0-9a-fA-F]{32})|([./A-Za-z0-9]{13}|\$[^:\s]{8,200}|[^:\s]{6,60}):\d{4,6}:\d{0,6}:\d{0,6}:\d{0,6})$/;

/** Returns the hashes in a line of `/etc/shadow` or of a domain controller's dump; `at` is the offset of its last colons. */
export function hashesBefore(text: string, at: number): Secret | null {
  const before = text.slice(Math.max(0, at - 300), at);
  const match = LINES_END.exec(before);
  if (match === null) return null;
  const start = at - match[0].length + (match[1]?.length ?? 0) + 1;
  return { start, end: at, kind: "password-hash" };
}

/** A word up to its end, or to the end of its sentence. */
const PASSWORD_WORD = "([^\\s\"'`/()[\\]{}]{8,64}?)(?=[.,;!?]?(?:[\\s\"'`)]|$))";
/** Words for things that a password opens. */
const NEAR_DOOR =
  /page|door|router|safe|vault|portal|panel|box|account|login|console|locker|archive|zip|pdf|\bbmc\b|\bi?lo\b|blade|connect|root|admin/i;

const CHANGED =
  /(?<=(?:chang|rotat|reset|switch|updat)\w{0,4} )\w{2,4} from ["'`]?([^\s"'`]{7,64})["'`]? to ["'`]?([^\s"'`]{7,64}?)["'`]?(?=[.,;!?]?(?:\s|$))/y;

/** Returns the values of a changed login, if only their form shows that they are passwords. */
function loginChanged(text: string, at: number): Secret | null {
  CHANGED.lastIndex = at;
  const [, value = "", next = ""] = CHANGED.exec(text) ?? [];
  if (
    ![value, next].every(
      (word) => /[a-z][^a-z]*[A-Z].*\d\d|[-_.]\w*\d\d|[!#$%&*]/.test(word) && isTelling(word),
    )
  )
    return null;
  const start = text.indexOf(value, at);
  return { start, end: start + value.length, kind: "password" };
}

const ASKED =
  /(?:then|use|enter|type|try|give it|with|utilise|nimm|usa|is|and|just|,) ["'`]?([^\s"'`]{8,100}?)["'`]?,?(?: to)? $/i;

/**
 * Returns the value that a sentence says to type, which precedes the request for it: `use x to log in`, `… then x when it
 * prompts`.
 */
function saidBefore(text: string, at: number): Secret | null {
  const value = ASKED.exec(text.slice(Math.max(0, at - 130), at))?.[1];
  if (value === undefined || !isTellingOrCoupled(value)) return null;
  const start = text.lastIndexOf(value, at);
  return { start, end: start + value.length, kind: "password" };
}

/** Finders for passwords that sentences name, or that follow the name of a user. */
export const SENTENCE_FINDERS: readonly Finder[] = [
  ...atWordStarts([
    {
      words: PROMPT_WORDS,
      find: (text, at) => changedFrom(text, at) ?? askedFor(text, at) ?? phraseBehind(text, at),
    },
    { words: ["token ", "Token ", "pw ", "PW "], find: changedFrom },
    { words: KEY_FOR_WORDS, find: keyFor },
  ]),
  {
    words: "log in|sign in|when it prompts|when it asks|when prompted|when asked|if it asks".split("|"),
    find: saidBefore,
  },
  telling(
    [" / "],
    /(?<=(?:^|[\n(«"'`:>!]\s?|<!-- |(?:is|are|was|still|now|as|with|use|auth|mit|avec|con|は|を) )[\w.@+-]{2,40}) \/ ["'`]?([^\s"'`/()[\]{}]{8,64})["'`]?(?=\s?(?:-->|\(|[で、。])|[\s,.;!?)]|$)/y,
    /logg?(?:ing|ed)? ?in|connect|connexion|wi-?fi|wlan|ssid|ログイン|cred|user|auth|pass|zugang|anmeld|root|admin|ssh|console|account|identif|usuario|bel[ée]p|acceso|acc[eè]s/i,
    isTellingOrJoined,
  ),
  telling(
    ["admin/", "root/", "administrator/", "demo/", "guest/", "ops/"],
    new RegExp(`(?<![\\w./-])[a-z]{3,13}/["'\`]?(?![^\\s.]*[.:])${PASSWORD_WORD}`, "y"),
    /log|cred|panel|zugang|anmeld|acc[eè]s|identif|pass|sign/i,
  ),
  { words: ["it from "], find: loginChanged },
  telling(
    [" it to "],
    new RegExp(`(?<=\\b(?:re)?set| changed) it to ["'\`]?${PASSWORD_WORD}`, "y"),
    /account|log ?in|passw/i,
  ),
  telling(
    ["oot with ", "min with ", "ens with ", "cks with ", "s in with ", " using ", " USING "],
    new RegExp(
      `(?:[a-z ]{2,5}with|(?<=\\b(?:user|USER) [\\w.@-]{2,40}) (?:using|USING)) (?!the |an? )["'\`]?${PASSWORD_WORD}`,
      "y",
    ),
    NEAR_DOOR,
    isTellingOrJoined,
  ),
];

const PGPASS = /[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?!\/)([^\s:"']{5,200})/y;
/** Returns the password in a line of .pgpass, `host:port:database:user:password`; `colon` is the first of the line. */
export function pgpassSecret(text: string, colon: number): Secret | null {
  let at = colon;
  while (at > 0 && colon - at < 100 && /[\w.*-]/.test(text[at - 1] ?? "")) at--;
  return found(text, at, PGPASS, "password", isPlausible);
}
