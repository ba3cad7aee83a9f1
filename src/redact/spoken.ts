import { PASSWORD } from "./names.ts";
import type { Secret } from "./spans.ts";
import { isSecretValue } from "./values.ts";

/** Words for a password, a key or a token that are not of ASCII, and how far into the word its first such letter is. */
const WORDS: readonly (readonly [word: string, offset: number])[] = [
  ["пароль", 0],
  ["Пароль", 0],
  ["ПАРОЛЬ", 0],
  ["ключ", 0],
  ["Ключ", 0],
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
  ["κωδικός", 0],
  ["Κωδικός", 0],
];

const BY_LETTER = new Map<number, { word: string; offset: number }[]>();
for (const [word, offset] of WORDS) {
  const letter = word.charCodeAt(offset);
  BY_LETTER.set(letter, [...(BY_LETTER.get(letter) ?? []), { word, offset }]);
}

/** True for letters that such a word may start with: the first letter of it that is not of ASCII. */
export function startsSpoken(code: number): boolean {
  return BY_LETTER.has(code);
}

const VALUE = /(?:\s?(?:は|是|为|:|：|=|—|-|es)){1,2}\s{0,3}[「『"'`«]?([^\s"'`」』»,，。]{5,200})/y;

/** The value behind a word for a password in another language, whose letter stands at a place. */
export function spokenSecret(text: string, at: number): Secret | null {
  for (const { word, offset } of BY_LETTER.get(text.charCodeAt(at)) ?? []) {
    if (!text.startsWith(word, at - offset)) continue;
    VALUE.lastIndex = at - offset + word.length;
    const value = VALUE.exec(text)?.[1] ?? "";
    const end = VALUE.lastIndex;
    if (/[A-Za-z0-9]/.test(value) && isSecretValue(value, PASSWORD, "setting"))
      return { start: end - value.length, end, kind: "password" };
  }
  return null;
}
