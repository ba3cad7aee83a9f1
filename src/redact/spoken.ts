import { type Finder, finder, firstGroup, type Secret } from "./finder.ts";
import { isAlgorithm, isMadeUp } from "./made-up.ts";
import { PASSWORD, SECRET } from "./names.ts";
import { nearbySecret } from "./nearby.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import { spokenBefore } from "./value-before.ts";
import { isSecretValue } from "./values.ts";

/** Words for a password, a key or a token that are not of ASCII, and how far into the word its first such letter is. */
const WORDS: readonly (readonly [word: string, offset: number])[] = [
  ["пароль", 0],
  ["Пароль", 0],
  ["ПАРОЛЬ", 0],
  ["паролем", 0],
  ["пароля", 0],
  ["пароли", 0],
  ["hasłem", 3],
  ["hasła", 3],
  ["ключ", 0],
  ["Ключ", 0],
  ["Schlüssel", 4],
  ["schlüssel", 4],
  ["clé", 2],
  ["Clé", 2],
  ["키", 0],
  ["패스워드", 0],
  ["暗証コード", 0],
  ["暗証番号", 0],
  ["アクセスキー", 0],
  ["秘密キー", 0],
  ["секрет", 0],
  ["Секрет", 0],
  ["токен", 0],
  ["Токен", 0],
  ["パスワード", 0],
  ["秘密鍵", 0],
  ["シークレット", 0],
  ["トークン", 0],
  ["APIキー", 3],
  ["密码", 0],
  ["密碼", 0],
  ["口令", 0],
  ["密钥", 0],
  ["令牌", 0],
  ["비밀번호", 0],
  ["비번", 0],
  ["ログイン", 0],
  ["암호", 0],
  ["토큰", 0],
  ["סיסמה", 0],
  ["كلمة المرور", 0],
  ["contraseña", 8],
  ["Contraseña", 8],
  ["hasło", 3],
  ["Hasło", 3],
  ["lösenord", 1],
  ["Lösenord", 1],
  ["şifre", 0],
  ["Şifre", 0],
  ["jelszó", 5],
  ["Jelszó", 5],
  ["كلمة السر", 0],
  ["पासवर्ड", 0],
  ["mật khẩu", 1],
  ["Mật khẩu", 1],
  ["รหัสผ่าน", 0],
  ["κωδικός", 0],
  ["Κωδικός", 0],
];

const BY_LETTER = new Map<number, { word: string; offset: number }[]>();
for (const [word, offset] of WORDS) {
  const letter = word.charCodeAt(offset);
  BY_LETTER.set(letter, [...(BY_LETTER.get(letter) ?? []), { word, offset }]);
}

/** The first letters of such words that are not of ASCII. */
export const SPOKEN_LETTERS: readonly number[] = [...BY_LETTER.keys()];

/** Endings, a word that links, and what may stand around the value. */
const MARKS =
  "は(?:これ|以下|次)(?:です|の通り(?:です)?)?[:：]|は|を|를|을|已?(?:改为|改成|换成|设为|设置为|更新为)了?|是|为|為|：|:|=|—|–|->|-|는|은|คือ|là";
const NOW =
  "jetzt|nun|now|maintenant|désormais|ahora|ora|adesso|agora|nu|nå|teraz|теперь|сейчас|тепер|şimdi|今|現在|이제|지금|现在|現在";
const LINKS =
  "était|era|war|was|был|był|is|ist|lautet|heißt|c['’]est|es|é|è|est|er|är|on|je|to|jest|e|este|це|это|είναι|هي|هو|היא|הוא|है|adalah|bedeutet";
/** Words between the name and what links it to the value: whose it is, and which one. */
const WHOSE = "(?: (?![:=—–-])[^\\s.,;:!?()=]{1,24}){1,7}?";
const REST = `\\s{0,3}[「『"'\`«„“]?\\s?([^\\s"'\`」』»,，。]{5,200})`;
const ENDING = "(?:et|en|si|s|n|eta|는|은|i|키)?";
/** A value after its name, and a value after its owner. */
const VALUES = [
  new RegExp(`${ENDING}(?:\\s?(?:${MARKS}|(?:${LINKS}|${NOW})(?=[ \\t:]))){0,3}${REST}`, "y"),
  new RegExp(
    `${ENDING}${WHOSE}(?:\\s?(?:${MARKS})|\\s(?:${LINKS}|${NOW})(?=[ \\t:]):?)(?: (?:${NOW})(?= ))?${REST}`,
    "y",
  ),
];
/** The value that a name was changed to. The words between are common, so that the value has to look random. */
const CHANGED = new RegExp(
  `${ENDING}(?:${WHOSE})?\\s(?:a|à|para|por|en|em|na|naar|auf|to|in|на|con|com|som)(?=[ \\t])${REST}`,
  "y",
);
/** A long random value with no more than an adjective before it, or alone on the line below the name's. */
const NEXT = /[^\s:：]{0,3}(?:\s(?!\d)[^\s.,;:!?()=]{1,20}){0,2}\s([\w+/=.~-]{20,400})(?=[\s,.]|$)/y;
/** A shorter one that nobody takes for a word. */
const NEAR = /[^\s:：]{0,3}(?:\s(?!\d)[^\s.,;:!?()=]{1,20}){0,2}\s([!-~]{8,100})(?=[\s,.。，]|$)/y;
/** A value that people make up, right behind the name. */
const AT_ONCE = /[^\s:：]{0,3}\s([!-~]{8,100}?)(?=[.,;]?(?:\s|$)|[。，])/y;
const BELOW = /[^\n:：]{0,20}[:：][ \t]*\r?\n[ \t]*([\w+/=.~-]{16,4000})[ \t]*(?=\r?\n|$)/y;
/** A sentence that comes back to the name: `…, er ist jetzt V`. */
const LATER =
  /[^.\n]{0,50}?\s(?:(?:ist|lautet|is|est|es|è|é) (?:jetzt|nun|now|maintenant|désormais|ahora|ora|adesso|agora|nu)|(?:agora|ahora|ora) (?:é|es|è)):?\s{1,3}["'`«„“]?\s?([!-~]{6,200}?)["'`»“”]?(?=[\s,.]|$)/y;

/** Returns the value after a word for a password in another language, given the position of one of its letters. */
export function spokenSecret(text: string, at: number): Secret | null {
  for (const { word, offset } of BY_LETTER.get(text.charCodeAt(at)) ?? []) {
    if (!text.startsWith(word, at - offset)) continue;
    const secret =
      linkedValue(text, at - offset + word.length, KEYS.has(word)) ??
      valueLeading(text, at - offset) ??
      nearbySecret(text, at - offset + word.length, KEYS.has(word) ? "api-key" : "password");
    if (secret) return secret;
  }
  return null;
}

/** The value before a word for a password. */
function valueLeading(text: string, wordStart: number): Secret | null {
  const place = spokenBefore(text, wordStart);
  const value = place === null ? "" : text.slice(place.start, place.end);
  return place && (looksChosen(value) || looksMixed(value)) ? { ...place, kind: "password" } : null;
}

/** Letters of both cases, digits and marks, as no word of a sentence has. */
function looksChosen(value: string): boolean {
  return /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value) && /[^\w./:,-]/.test(value);
}

const MAX_JUDGED = 100;

/**
 * The value behind a name that ends at a place. A word of another script that has no blanks may follow it at once. The value of a key
 * has to look random: there are keys of tables, too.
 */
function linkedValue(text: string, at: number, isKey: boolean): Secret | null {
  for (const [pattern, mayBe] of FORMS) {
    pattern.lastIndex = at;
    const value = pattern.exec(text)?.[1];
    if (value === undefined || !mayBe(value)) continue;
    const secret = valueAt(value, text.lastIndexOf(value, pattern.lastIndex), isKey);
    if (secret) return secret;
  }
  return null;
}

/** Where a value stands behind its name, and what it has to look like there. */
const FORMS: readonly (readonly [pattern: RegExp, mayBe: (value: string) => boolean])[] = [
  ...VALUES.map((pattern) => [pattern, () => true] as const),
  ...[NEXT, BELOW, LATER].map((pattern) => [pattern, looksRandom] as const),
  [NEAR, looksChosen],
  [AT_ONCE, isMadeUp],
  [CHANGED, (value) => looksMixed(value) || isMadeUp(value.replace(/[.,;!?)]+$/, ""))],
];

function valueAt(value: string, start: number, isKey: boolean): Secret | null {
  const ascii = /^[!-~]*/.exec(value)?.[0].replace(/[.!?;:)]+$/, "") ?? "";
  if (ascii.length < 5 || !/\d/.test(ascii) || isAlgorithm(ascii)) return null;
  const judged = ascii.slice(0, MAX_JUDGED);
  const isChosen = isMadeUp(judged) && /\d\d|[#!*&@]/.test(judged);
  const isSecret =
    isKey && !isChosen
      ? isSecretValue(judged, SECRET, "sentence")
      : isSecretValue(judged, PASSWORD, "setting") ||
        (!isKey && isSecretValue(judged, PASSWORD, "statement"));
  return isSecret ? { start, end: start + value.length, kind: isKey ? "api-key" : "password" } : null;
}

/** Words for a key of ASCII. */
const ASCII_KEYS = [
  ..."clave,Clave,llave,Llave,chiave,Chiave,chave,Chave,klucz,Klucz,sleutel,Sleutel,jeton,Jeton".split(","),
  ..."secreto,Secreto,segreto,Segreto,segredo,Segredo,sekret,Sekret,Geheimnis,hemlighet".split(","),
  ..."toegangssleutel,Toegangssleutel,token segreto,token secreto,token d'acc".split(","),
];
const KEYS = new Set([..."Schlüssel,schlüssel,clé,Clé,키,アクセスキー".split(","), ...ASCII_KEYS]);

/** Words for a password of ASCII that no name in code is. */
export const SPOKEN_FINDER: Finder = {
  words: [
    ...ASCII_KEYS,
    ..."Zugangscode,zugangscode,Zugangsdaten,zugangsdaten".split(","),
    "palavra-passe",
    "Palavra-passe",
    "haslo",
    "Haslo",
    "adgangskode",
    "Adgangskode",
    "passord",
    "Passord",
    "salasana",
    ..."jelszavam,jelszavunk,jelszava,Jelszavam,Jelszavunk,Jelszava".split(","),
    "Salasana",
    "heslo",
    "Heslo",
    "kata sandi",
    "Kata sandi",
    "wachtwoord",
    "Wachtwoord",
    "parola d'ordine",
    "parola",
    "Parola",
    "senha",
    "Senha",
  ],
  find: (text, at) => {
    for (const word of SPOKEN_FINDER.words) {
      if (!text.startsWith(word, at)) continue;
      const secret =
        linkedValue(text, at + word.length, KEYS.has(word)) ??
        valueLeading(text, at) ??
        nearbySecret(text, at + word.length, KEYS.has(word) ? "api-key" : "password");
      if (secret) return secret;
    }
    return null;
  },
};

/** Words between the name of a password and its value: `for ada`, `für den Server`, `do serwera`. */
const SAID_WHOSE =
  "(?:for|of|on|to|at|from|für|von|vom|der|des|zu|zur|zum|pour|du|de|del|della|dell'|di|dei|degli|nel|para|do|da|em|en|el|la|van|voor|dla|od|til|för)";
const SAID_NOW =
  "(?:still|now|jetzt|nun|ab heute|ab jetzt|maintenant|désormais|ahora|ora|adesso|agora|nu|teraz|nå)";
const VERB = `(?:(?:is|ist|lautet|heißt|heisst|est|es|è|é|to|jest|c['’]est|är|er)(?: ${SAID_NOW})?|(?:ahora|ora|adesso|agora) (?:es|è|é))(?=[\\s:]):?`;
const LINK = `(?:\\s?[:=]|\\s${VERB})`;
const VALUE = "\\s{0,3}[\"'`«„“]?\\s?([^\\s\"'`»“”]{5,200})";
const SAID_WORDS =
  "password|passphrase|passcode|passwort|kennwort|zugangscode|mot de passe|phrase de passe|phrase secrète|frase segreta|frase secreta|frase de contraseña|frase de paso|frase-senha|wachtzin|senha|wachtwoord|haslo|parola d'ordine|code d'accès|código de acceso|codice di accesso|código de acesso|toegangscode";

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
  const value = text.slice(place.start, place.end).replace(/[.,;!?)]+$/, "");
  if (!isSecretValue(value, STRENGTHS[kind], "statement")) return null;
  return { start: place.start, end: place.start + value.length, kind };
}

const STRENGTHS = { password: PASSWORD, secret: SECRET } as const;

/** `API key for the weather service: value`, and the like of tokens. */
const KEY_FOR = new RegExp(
  `(?:(?<=\\b(?:api|access|secret|private|service|auth|account|signing|encryption|admin|master|deploy|webhook|app|application|client|license|licence)[ -])key|(?<!\\b(?:next|page|sync|continuation|device|push|id|design|cancel|cancellation)[ -])(?:token|secret))\\s(?:for|of|to|from)\\s[^\\n:=]{1,80}?${LINK}${VALUE}`,
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
  /\[redacted:password\]["'»”]?\s(?:to|auf|zu|à|a|en|para|naar|na|на|in)\s["'«„“]?([^\s"'`»“”]{6,100})/iuy;

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
  ["for", "of", "to", "from"].map((link) => `${word} ${link} `),
);

/** The words that ask for a secret, within a sentence and at its start. */
const PROMPT_WORDS = SAID_WORDS.split("|").flatMap((word) => [
  `${word} `,
  `${word[0]?.toUpperCase()}${word.slice(1)} `,
]);

export const ANSWER_FINDERS: readonly Finder[] = [
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
  finder(["secret value:"], "secret", /secret value:\s{0,3}(?:[….*›>]{1,3}\s)?(\S{8,400})/y, true),
];
