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

/** Rules that no trigger announces; the scan looks for what they have in their middle. */
function untriggered(kind: string): SecretRule {
  const rule = SECRET_RULES.find((candidate) => candidate.kind === kind);
  if (!rule) throw new Error(`no rule for ${kind}`);
  return rule;
}
const DISCORD = untriggered("discord-token");
const TELEGRAM = untriggered("telegram-token");
const AZURE = untriggered("azure-client-secret");

/** 1 letters and digits, 2 marks that are looked at, 0 others. */
const CLASS = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
  CLASS[char.charCodeAt(0)] = 1;
for (const char of "=:.~@-") CLASS[char.charCodeAt(0)] = 2;

const SPACE = 32;
const DASH = 45;
const DOT = 46;
const COLON = 58;
const AT = 64;
const TILDE = 126;

/** A flag that may be followed by a credential. */
const FLAG = / --?[a-z-]*(?:pass|token|secret|key)/i;

/** The last two letters of the words that name a credential: passwo-rd, passphra-se, secr-et, tok-en, k-ey, ... */
const NAME_ENDS = new Uint8Array(1 << 10);
for (const pair of ["rd", "wd", "se", "et", "en", "ey", "al", "ls", "th"]) {
  NAME_ENDS[pairOf(pair.charCodeAt(0), pair.charCodeAt(1))] = 1;
}

/** Looks for signs of secrets in one pass, at about the cost of reading the text; null when there are none. */
export function secretSigns(text: string): SecretSigns | null {
  const signs = new Signs(text);
  const last = text.length - 2;
  let inWord = false;
  for (let i = 0; i < last; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? CLASS[code] : 0;
    if (kind === 1) {
      if (inWord) continue;
      inWord = true;
      if (filter[slot(code, text.charCodeAt(i + 1), text.charCodeAt(i + 2))] === 1) signs.addTriggers(i);
    } else {
      inWord = false;
      if (kind === 2) signs.addMark(code, i);
    }
  }
  return signs.result();
}

class Signs {
  readonly #text: string;
  #rules: Set<SecretRule> | null = null;
  #assignments: number[] | null = null;
  #announced = false;
  #hasFlag = false;
  #hasAt = false;

  constructor(text: string) {
    this.#text = text;
  }

  addTriggers(at: number): void {
    for (const { rule } of triggersAt(this.#text, at)) {
      if (rule) this.#add(rule);
      else this.#announced = true;
    }
  }

  #add(rule: SecretRule): void {
    this.#rules = (this.#rules ?? new Set()).add(rule);
  }

  addMark(code: number, at: number): void {
    const text = this.#text;
    if (code === DASH)
      this.#hasFlag ||= at > 0 && text.charCodeAt(at - 1) === SPACE && text.charCodeAt(at + 1) !== SPACE;
    else if (code === DOT) {
      // The second part of a Discord token has six characters.
      if (at + 7 < text.length && text.charCodeAt(at + 7) === DOT) this.#add(DISCORD);
    } else if (code === TILDE) {
      if (text[at - 1] === "Q") this.#add(AZURE);
    } else if (code === AT) this.#hasAt = true;
    else {
      if (namesCredential(text, at)) {
        this.#assignments ??= [];
        this.#assignments.push(at);
      }
      if (code === COLON && text.startsWith("AA", at + 1)) this.#add(TELEGRAM);
    }
  }

  result(): SecretSigns | null {
    const rules = this.#rules;
    const hasAddress = this.#hasAt && this.#text.includes("://");
    const announced = this.#announced || hasAddress || (this.#hasFlag && FLAG.test(this.#text));
    if (rules === null && this.#assignments === null && !announced) return null;
    const found = rules === null ? [] : SECRET_RULES.filter((rule) => rules.has(rule));
    return { rules: found, assignments: this.#assignments ?? [], announced };
  }
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
  let last = mark - 1;
  while (last > 0 && mark - last < 6 && isFiller(text.charCodeAt(last))) last--;
  const end = last;
  while (last > 0 && end - last < 3 && isDigit(text.charCodeAt(last))) last--;
  if (last > 0 && text.charCodeAt(last) === 95) last--;
  return last >= 1 && NAME_ENDS[pairOf(text.charCodeAt(last - 1) | 32, text.charCodeAt(last) | 32)] === 1;
}

function pairOf(a: number, b: number): number {
  return ((a & 31) << 5) | (b & 31);
}

function isFiller(code: number): boolean {
  return code === 32 || code === 34 || code === 39 || code === 92 || code === 96;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
