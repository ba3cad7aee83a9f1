import { SECRET_RULES, type SecretRule } from "./secret-rules.ts";

/** What a first pass over a text found: where secrets may be. */
export interface SecretSigns {
  /** Rules whose trigger is in the text, in the order of the table. */
  rules: SecretRule[];
  /** Indices of `=` and `:` after a word that may be a credential's name. */
  assignments: number[];
  /** A word that announces a credential (`Bearer`, `curl`, ...), or an address with a user. */
  announced: boolean;
}

const ANNOUNCERS = ["authorization", "Authorization", "AUTHORIZATION", "bearer ", "Bearer ", "BEARER "]
  .concat(["curl ", "sshpass ", "login ", "x-api", "X-Api", "X-API", "x-auth", "X-Auth", "X-AUTH"])
  .concat(["private-token", "Private-Token", "PRIVATE-TOKEN", "api-key", "Api-Key", "API-KEY"]);

interface Trigger {
  text: string;
  /** Null for a word that announces a credential. */
  rule: SecretRule | null;
}

const FILTER_BITS = 13;
const filter = new Uint8Array(1 << FILTER_BITS);
const triggers = new Map<number, Trigger[]>();

/** Triggers are looked up by their first three characters. */
function slot(a: number, b: number, c: number): number {
  return (a * 1_021 + b * 131 + c) & ((1 << FILTER_BITS) - 1);
}

function addTrigger(text: string, rule: SecretRule | null): void {
  const key = slot(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2));
  filter[key] = 1;
  triggers.set(key, [...(triggers.get(key) ?? []), { text, rule }]);
}

for (const rule of SECRET_RULES) for (const text of rule.triggers) addTrigger(text, rule);
for (const text of ANNOUNCERS) addTrigger(text, null);

const untriggered = (kind: string) => SECRET_RULES.filter((rule) => rule.kind === kind);
const DISCORD = untriggered("discord-token");
const TELEGRAM = untriggered("telegram-token");
const AZURE = untriggered("azure-client-secret");

/** 1 letters and digits, 2 `_` and `-`, 3 marks that are looked at, 0 others. */
const CLASS = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
  CLASS[char.charCodeAt(0)] = 1;
for (const char of "_-") CLASS[char.charCodeAt(0)] = 2;
for (const char of "=:.~@") CLASS[char.charCodeAt(0)] = 3;

/** The last two letters of the words that name a credential: passwo-rd, passphra-se, secr-et, tok-en, k-ey, ... */
const NAME_ENDS = new Set(["rd", "wd", "se", "et", "en", "ey", "al", "ls", "th"]);

/** Looks for signs of secrets in one pass, at about the cost of reading the text; null when there are none. */
export function secretSigns(text: string): SecretSigns | null {
  const found = new Set<SecretRule>();
  const assignments: number[] = [];
  let announced = false;
  let run = 0;
  let inWord = false;
  const { length } = text;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? CLASS[code] : 0;
    if (kind === 1) {
      const startsWord = !inWord && i + 2 < length;
      if (startsWord && filter[slot(code, text.charCodeAt(i + 1), text.charCodeAt(i + 2))] === 1) {
        for (const trigger of triggersAt(text, i)) {
          if (trigger.rule) found.add(trigger.rule);
          else announced = true;
        }
      }
      inWord = true;
      run++;
      continue;
    }
    inWord = false;
    if (kind === 2) {
      run++;
      continue;
    }
    if (kind === 3) {
      if (code === 61 || code === 58) {
        if (namesCredential(text, i)) assignments.push(i);
        if (code === 58 && run >= 8 && text.startsWith("AA", i + 1))
          for (const rule of TELEGRAM) found.add(rule);
      } else if (code === 46) {
        if (run >= 23 && run <= 28) for (const rule of DISCORD) found.add(rule);
      } else if (code === 126) {
        if (text[i - 1] === "Q") for (const rule of AZURE) found.add(rule);
      } else if (!announced && text.includes("://")) announced = true;
    }
    run = 0;
  }
  announced ||= text.includes(" --") || text.includes(" -p");
  if (found.size === 0 && assignments.length === 0 && !announced) return null;
  return { rules: SECRET_RULES.filter((rule) => found.has(rule)), assignments, announced };
}

function triggersAt(text: string, at: number): Trigger[] {
  const candidates =
    triggers.get(slot(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2))) ?? [];
  return candidates.filter(({ text: trigger, rule }) => {
    if (!text.startsWith(trigger, at)) return false;
    if (!rule?.whole) return true;
    rule.whole.lastIndex = at;
    return rule.whole.test(text);
  });
}

/** Whether the word before a `=` or `:`, behind blanks and quotes, ends like a credential's name. */
function namesCredential(text: string, mark: number): boolean {
  let end = mark;
  while (end > 0 && mark - end < 6 && isFiller(text.charCodeAt(end - 1))) end--;
  let letters = end;
  while (letters > 0 && end - letters < 3 && isDigit(text.charCodeAt(letters - 1))) letters--;
  if (letters > 0 && text.charCodeAt(letters - 1) === 95) letters--;
  return letters >= 2 && NAME_ENDS.has(text.slice(letters - 2, letters).toLowerCase());
}

function isFiller(code: number): boolean {
  return code === 32 || code === 34 || code === 39 || code === 92 || code === 96;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
