import type { Finder, Secret } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { isAlgorithm, isCamelPhrase, isCoupled, isJoined, isMadeUp } from "./made-up.ts";
import { PASSWORD, SECRET } from "./names.ts";
import { answerTo, nearbySecret, phraseBehind } from "./nearby.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import { recoveryCodes } from "./second-factors.ts";
import { spokenBefore } from "./value-before.ts";
import { isSecretValue } from "./values.ts";

/** Non-ASCII words for a password, a key or a token. */
const WORDS = [
  ..."пароль,Пароль,ПАРОЛЬ,паролем,пароля,пароли,hasłem,hasła,ключ,Ключ,Schlüssel,schlüssel,clé,Clé,키".split(
    ",",
  ),
  ..."패스워드,暗証コード,暗証番号,アクセスキー,暗号化キー,秘密キー,секрет,Секрет,токен,Токен,パスワード,秘密鍵,シークレット,トークン,APIキー,密码,密碼,口令".split(
    ",",
  ),
  ..."密钥,令牌,비밀번호,비번,ログイン,암호,토큰,סיסמה,كلمة المرور,contraseña,Contraseña,hasło,Hasło,lösenord,Lösenord".split(
    ",",
  ),
  ..."şifre,Şifre,jelszó,Jelszó,كلمة السر,पासवर्ड,mật khẩu,Mật khẩu,รหัสผ่าน,κωδικός,Κωδικός,lösen".split(","),
  ..."Lösen,lösenfras,Lösenfras,løsen,фраза,фразу,Фраза,фразой,паролю,ключа,ключи,токена,jelszót".split(","),
  ..."κωδικό,şifresi,Şifresi,parolă,Parolă,ключ доступа,暗证".split(","),
];
/** Non-ASCII words for an access code. */
const CODES =
  "код от,Код от,код доступа,Код доступа,код входа,Код входа,пин-код,ПИН-код,kódja,バックアップコード,認証コード,인증 코드,确认码,验证码,备用码".split(
    ",",
  );

/** The words by their first non-ASCII letter. */
const BY_LETTER = new Map<number, { word: string; offset: number }[]>();
for (const word of [...WORDS, ...CODES]) {
  const offset = word.search(/[^ -~]/);
  const letter = word.charCodeAt(offset);
  BY_LETTER.set(letter, [...(BY_LETTER.get(letter) ?? []), { word, offset }]);
}

/** First non-ASCII letters of these words. */
export const SPOKEN_LETTERS: readonly number[] = [...BY_LETTER.keys()];

/** Endings, a linking word, and possible characters around the value. */
const MARKS =
  "は(?:これ|以下|次)(?:です|の通り(?:です)?)?[:：→]|は|を|를|을|已?(?:改为|改成|换成|设为|设置为|更新为)了?|是|为|為|：|:|=|—|–|->|-|는|은|คือ|là";
const NOW =
  "jetzt|nun|now|maintenant|désormais|ahora|ora|adesso|agora|nu|nå|teraz|most|теперь|сейчас|тепер|şimdi|今|現在|이제|지금|现在|現在";
const LINKS =
  "meg|pedig|on|är|som är|était|era|war|was|был|był|is|ist|lautet|heißt|c['’]será|sarà|wird|lesz|lett|est|es|é|è|est|er|är|on|je|to|jest|e|este|це|это|είναι|هي|هو|היא|הוא|है|adalah|bedeutet";
/** Words between the name and its link to the value: the owner, and a specification. */
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
/** The new value of a changed name. The words in between are common, so the value must look random. */
const CHANGED = new RegExp(
  `${ENDING}(?:${WHOSE})?\\s(?:a|à|para|por|pour|en|em|na|naar|auf|to|till|til|in|на|con|com|som)(?=[ \\t])${REST}`,
  "y",
);
/** The old value of a changed name. */
const FROM = new RegExp(
  `${ENDING}(?:${WHOSE})?\\s(?:de|von|da|van|z|с)(?=[ \\t])${REST}(?= (?:a|à|en|para|por|auf|naar|na|на) )`,
  "y",
);
/** A long random value with at most an adjective before it, or alone on the line below the name's. */
const NEXT = /[^\s:：]{0,3}(?:\s(?!\d)[^\s.,;:!?()=]{1,20}){0,2}\s([\w+/=.~-]{20,400})(?=[\s,.]|$)/y;
/** A shorter value that cannot pass for a word. */
const NEAR = /[^\s:：]{0,3}(?:\s(?!\d)[^\s.,;:!?()=]{1,20}){0,2}\s([!-~À-ԯ]{8,100}?)(?=[,.。，]?(?:\s|$))/y;
/** A made-up value right after the name. */
const AT_ONCE = /[^\s:：]{0,3}\s([!-~À-ԯ]{6,100}?)(?=[.,;]?(?:\s|$)|[。，])/y;
const BELOW = /[^\n:：]{0,20}[:：][ \t]*\r?\n[ \t]*([\w+/=.~-]{16,4000})[ \t]*(?=\r?\n|$)/y;
/** A sentence that refers back to the name: `…, er ist jetzt V`. */
const LATER =
  /[^.\n]{0,50}?\s(?:(?:ist|lautet|is|est|es|è|é) (?:jetzt|nun|now|maintenant|désormais|ahora|ora|adesso|agora|nu)|(?:agora|ahora|ora) (?:é|es|è)):?\s{1,3}["'`«„“]?\s?([!-~]{6,200}?)["'`»“”]?(?=[\s,.]|$)/y;

/** Returns the value after a word for a password in another language, given the offset of one of its letters. */
export function spokenSecret(text: string, at: number): Secret | null {
  for (const { word, offset } of BY_LETTER.get(text.charCodeAt(at)) ?? []) {
    if (!text.startsWith(word, at - offset)) continue;
    const secret = secretOf(text, word, at - offset);
    if (secret) return secret;
  }
  return null;
}

/** Returns the value after a word, before it, or farther behind. */
function secretOf(text: string, word: string, start: number): Secret | null {
  if (CODES.includes(word)) return recoveryCodes(text, start);
  const [end, isKey] = [start + word.length, KEYS.has(word)];
  return (
    linkedValue(text, end, isKey) ??
    answerTo(text, end) ??
    phraseBehind(text, end) ??
    valueLeading(text, start) ??
    nearbySecret(text, end, isKey ? "api-key" : "password")
  );
}

/** Returns the value before a word for a password. */
function valueLeading(text: string, wordStart: number): Secret | null {
  const place = spokenBefore(text, wordStart);
  const value = place === null ? "" : text.slice(place.start, place.end);
  return place && (looksChosen(value) || isTelling(value) || isCoupled(value))
    ? { ...place, kind: "password" }
    : null;
}

/** Returns a word without its sentence's final punctuation. */
function ended(value: string): string {
  return value.replace(/[.,;!?)]+$/, "");
}

/** Tells whether a value has letters of both cases, digits and symbols, unlike a word of a sentence. */
function looksChosen(value: string): boolean {
  return /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value) && /[^\w./:,-]/.test(value);
}

const MAX_JUDGED = 100;

/**
 * Returns the value after a name that ends at an offset. In scripts without spaces, a word may follow at once. The value of a key
 * must look random, because tables have keys, too.
 */
function linkedValue(text: string, at: number, isKey: boolean): Secret | null {
  for (const [pattern, mayBe] of FORMS) {
    pattern.lastIndex = at;
    const value = pattern.exec(text)?.[1];
    if (value === undefined || value.endsWith("?") || !mayBe(value)) continue;
    const secret = valueAt(value, text.lastIndexOf(value, pattern.lastIndex), isKey);
    if (secret) return secret;
  }
  return null;
}

/** Positions of a value after its name, each with its required form. */
const FORMS: readonly (readonly [pattern: RegExp, mayBe: (value: string) => boolean])[] = [
  ...VALUES.map((pattern) => [pattern, () => true] as const),
  ...[NEXT, BELOW, LATER].map((pattern) => [pattern, looksRandom] as const),
  [NEAR, (value) => looksChosen(value) || isCoupled(value) || (isMadeUp(value) && /\p{L}\d\d/u.test(value))],
  [AT_ONCE, (value) => isMadeUp(value) || isCoupled(value) || isCamelPhrase(value)],
  [FROM, isTelling],
  [
    CHANGED,
    (value) => looksMixed(value) || isMadeUp(ended(value)) || isJoined(ended(value)) || isCoupled(value),
  ],
];

/**
 * Returns the ASCII letters, digits and symbols that start a value. Final punctuation belongs to the sentence, except after two
 * words.
 */
function asciiOf(value: string): string {
  const word = /^[!-~À-ԯ]*/.exec(value)?.[0].replace(/[.;:)]+$/, "") ?? "";
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
  if (!(isKey ? isKeyValue(judged) : isPasswordValue(judged))) return null;
  return { start, end: start + value.length, kind: isKey ? "api-key" : "password" };
}

function isKeyValue(value: string): boolean {
  const isChosen = isMadeUp(value) && /\d\d|[#!*&@]/.test(value);
  return isChosen ? isSecretValue(value, PASSWORD, "setting") : isSecretValue(value, SECRET, "sentence");
}

function isPasswordValue(value: string): boolean {
  if (isOfWords(value) || (/[Ͱ-ԯ]{3}.*\d/.test(value) && isMadeUp(value))) return true;
  return isSecretValue(value, PASSWORD, "setting") || isSecretValue(value, PASSWORD, "statement");
}

/** ASCII words for a key. */
const ASCII_KEYS = [
  ..."clave,Clave,llave,Llave,chiave,Chiave,chave,Chave,klucz,Klucz,sleutel,Sleutel,jeton,Jeton".split(","),
  ..."secreto,Secreto,segreto,Segreto,segredo,Segredo,sekret,Sekret,Geheimnis,hemlighet,kulcs,Kulcs,kulcsa,Kulcsa,kulcsunk".split(
    ",",
  ),
  ..."nyckel,Nyckel,nyckeln,nøkkel,avain,avaimen,anahtar,kljuc".split(","),
  ..."toegangssleutel,Toegangssleutel,token segreto,token secreto,token d'acc".split(","),
];
const KEYS = new Set([..."Schlüssel,schlüssel,clé,Clé,키,アクセスキー".split(","), ...ASCII_KEYS]);

/** Finder for ASCII words for a password that do not occur as names in code. */
export const SPOKEN_FINDER: Finder = {
  words: [
    ...ASCII_KEYS,
    ..."Zugangscode,zugangscode,Zugangsdaten,zugangsdaten,jelmondat,Jelmondat,hasłem,geslo,lozinka".split(
      ",",
    ),
    ..."losen,palavra-passe,Palavra-passe,haslo,Haslo,adgangskode,Adgangskode,passord,Passord".split(","),
    ..."salasana,jelszavam,jelszavunk,jelszava,Jelszavam,Jelszavunk,Jelszava,Salasana,heslo,Heslo".split(","),
    ..."kata sandi,Kata sandi,wachtwoord,Wachtwoord,parola d'ordine,parola,Parola,senha,Senha".split(","),
  ],
  find: (text, at) => {
    for (const word of SPOKEN_FINDER.words) {
      const secret = text.startsWith(word, at) ? secretOf(text, word, at) : null;
      if (secret) return secret;
    }
    return null;
  },
};
