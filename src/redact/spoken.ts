import type { Finder, Secret } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { isAlgorithm, isCamelPhrase, isCoupled, isJoined, isJoinedPhrase, isMadeUp } from "./made-up.ts";
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
  "jetzt|nun|now|maintenant|désormais|ahora|ora|adesso|agora|nu|nå|teraz|most|теперь|сейчас|тепер|şimdi|今|現在|이제|지금|现在|現在";
const LINKS =
  "était|era|war|was|был|był|is|ist|lautet|heißt|c['’]será|sarà|wird|lesz|lett|est|es|é|è|est|er|är|on|je|to|jest|e|este|це|это|είναι|هي|هو|היא|הוא|है|adalah|bedeutet";
/** Words between the name and what links it to the value: whose it is, and which one. */
const WHOSE = "(?: (?![:=—–-])[^\\s.,;:!?()=]{1,24}){1,7}?";
const REST = `\\s{0,3}[「『"'\`«„“]?\\s?([^\\s"'\`」』»,，。]{5,200})`;
const ENDING = "(?:et|en|si|s|n|d|eta|t|ként|val|ra|는|은|i|키)?";
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
  `${ENDING}(?:${WHOSE})?\\s(?:a|à|para|por|pour|en|em|na|naar|auf|to|till|til|in|на|con|com|som)(?=[ \\t])${REST}`,
  "y",
);
/** The value that a name was changed from. */
const FROM = new RegExp(
  `${ENDING}(?:${WHOSE})?\\s(?:de|von|da|van|z|с)(?=[ \\t])${REST}(?= (?:a|à|en|para|por|auf|naar|na|на) )`,
  "y",
);
/** A long random value with no more than an adjective before it, or alone on the line below the name's. */
const NEXT = /[^\s:：]{0,3}(?:\s(?!\d)[^\s.,;:!?()=]{1,20}){0,2}\s([\w+/=.~-]{20,400})(?=[\s,.]|$)/y;
/** A shorter one that nobody takes for a word. */
const NEAR = /[^\s:：]{0,3}(?:\s(?!\d)[^\s.,;:!?()=]{1,20}){0,2}\s([!-~]{8,100})(?=[\s,.。，]|$)/y;
/** A value that people make up, right behind the name. */
const AT_ONCE = /[^\s:：]{0,3}\s([!-~]{6,100}?)(?=[.,;]?(?:\s|$)|[。，])/y;
const BELOW = /[^\n:：]{0,20}[:：][ \t]*\r?\n[ \t]*([\w+/=.~-]{16,4000})[ \t]*(?=\r?\n|$)/y;
/** A sentence that comes back to the name: `…, er ist jetzt V`. */
const LATER =
  /[^.\n]{0,50}?\s(?:(?:ist|lautet|is|est|es|è|é) (?:jetzt|nun|now|maintenant|désormais|ahora|ora|adesso|agora|nu)|(?:agora|ahora|ora) (?:é|es|è)):?\s{1,3}["'`«„“]?\s?([!-~]{6,200}?)["'`»“”]?(?=[\s,.]|$)/y;

/** Returns the value after a word for a password in another language, given the position of one of its letters. */
export function spokenSecret(text: string, at: number): Secret | null {
  for (const { word, offset } of BY_LETTER.get(text.charCodeAt(at)) ?? []) {
    if (!text.startsWith(word, at - offset)) continue;
    const secret = secretOf(text, word, at - offset);
    if (secret) return secret;
  }
  return null;
}

/** The value behind a word, before it or farther behind. */
function secretOf(text: string, word: string, start: number): Secret | null {
  const [end, isKey] = [start + word.length, KEYS.has(word)];
  return (
    linkedValue(text, end, isKey) ??
    valueLeading(text, start) ??
    nearbySecret(text, end, isKey ? "api-key" : "password")
  );
}

/** The value before a word for a password. */
function valueLeading(text: string, wordStart: number): Secret | null {
  const place = spokenBefore(text, wordStart);
  const value = place === null ? "" : text.slice(place.start, place.end);
  return place && (looksChosen(value) || isTelling(value) || isCoupled(value))
    ? { ...place, kind: "password" }
    : null;
}

/** A word without the marks that end its sentence. */
function ended(value: string): string {
  return value.replace(/[.,;!?)]+$/, "");
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
  [NEAR, (value) => looksChosen(value) || isCoupled(value)],
  [AT_ONCE, (value) => isMadeUp(value) || isCoupled(value) || isCamelPhrase(value)],
  [FROM, isTelling],
  [
    CHANGED,
    (value) => looksMixed(value) || isMadeUp(ended(value)) || isJoined(ended(value)) || isCoupled(value),
  ],
];

/** The letters, digits and marks of ASCII that start a value. A mark at the end is that of the sentence, but for two words. */
function asciiOf(value: string): string {
  const word = /^[!-~À-ɏ]*/.exec(value)?.[0].replace(/[.;:)]+$/, "") ?? "";
  return isCoupled(word) ? word : word.replace(/[.!?;:)]+$/, "");
}

function isOfWords(value: string): boolean {
  return isJoined(value) || isCamelPhrase(value);
}

function valueAt(value: string, start: number, isKey: boolean): Secret | null {
  const ascii = asciiOf(value);
  if (ascii.length < 5 || isAlgorithm(ascii)) return null;
  if (!/\d/.test(ascii) && !isOfWords(ascii) && !looksRandom(ascii)) return null;
  const judged = ascii.slice(0, MAX_JUDGED);
  const isChosen = isMadeUp(judged) && /\d\d|[#!*&@]/.test(judged);
  if (!isKey && (isCamelPhrase(judged) || isJoinedPhrase(judged)))
    return { start, end: start + value.length, kind: "password" };
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
  ..."secreto,Secreto,segreto,Segreto,segredo,Segredo,sekret,Sekret,Geheimnis,hemlighet,kulcs,Kulcs,kulcsa,Kulcsa,kulcsunk".split(
    ",",
  ),
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
      const secret = text.startsWith(word, at) ? secretOf(text, word, at) : null;
      if (secret) return secret;
    }
    return null;
  },
};
