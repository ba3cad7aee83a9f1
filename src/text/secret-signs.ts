import { SECRET_RULES, type SecretRule } from "./secret-rules.ts";
import { nextSlot, SecretTriggers, SLOTS, slotAt } from "./secret-triggers.ts";

/** What a first pass over a text found: where secrets may be. */
export interface SecretSigns {
  /** Rules whose trigger is in the text, in the order of the table. */
  rules: SecretRule[];
  /** Indices of `=` and `:` after a word that may be a credential's name. */
  assignments: number[];
  /** A word that announces a credential (`Bearer`, `curl`, ...), or an address with a user. */
  announced: boolean;
}

/** Made when first needed: most processes redact nothing. */
let triggers: SecretTriggers | undefined;

/** Rules that no trigger announces; the scan looks for what they have in their middle. */
function untriggered(kind: string): SecretRule {
  const rule = SECRET_RULES.find((candidate) => candidate.kind === kind);
  if (!rule) throw new Error(`no rule for ${kind}`);
  return rule;
}
const DISCORD = untriggered("discord-token");
const TELEGRAM = untriggered("telegram-token");
const AZURE = untriggered("azure-client-secret");
const AIRTABLE = untriggered("airtable-token");

/** Characters that are looked at wherever they stand. */
const MARKS = new Uint8Array(128);
for (const char of "=:.~@") MARKS[char.charCodeAt(0)] = 1;

const DOT = 46;
const COLON = 58;
const EQUALS = 61;
const AT = 64;
const LETTER_P = 112;
const TILDE = 126;

/** A flag that may be followed by a credential. */
const FLAG = / --?[a-z-]*(?:pass|token|secret|key)/i;

/** The last three letters of the words that name a credential: passw-ord, passphr-ase, sec-ret, to-ken, key, ... */
const NAME_ENDS = new Uint8Array(SLOTS);
for (const end of ["ord", "swd", "pwd", "ase", "ret", "ken", "key", "ial", "als", "uth"])
  NAME_ENDS[slotAt(end, 0)] = 1;

/** Looks for signs of secrets in one pass, at about the cost of reading the text; null when there are none. */
export function secretSigns(text: string): SecretSigns | null {
  triggers ??= new SecretTriggers();
  const { groups } = triggers;
  const signs = new Signs(text, triggers);
  for (let at = nextSign(text, 0, groups); at >= 0; at = nextSign(text, at + 1, groups)) {
    const code = text.charCodeAt(at);
    if (at > 1 && !isWordChar(text.charCodeAt(at - 3)))
      signs.addTriggers(at - 2, groups[slotAt(text, at - 2)] ?? 0);
    if (code < 128 && MARKS[code] === 1 && at < text.length - 3) signs.addMark(code, at);
  }
  return signs.result();
}

/**
 * The next mark, or third character of what may be a trigger, from `from` on; -1 when there is none. What a character
 * costs is one look into two tables: a branch at each word's start would cost more than the rest.
 */
function nextSign(text: string, from: number, groups: Uint8Array): number {
  // No secret is so short that its sign stands in the last three characters, nor a trigger's third one in the last.
  const end = text.length - 1;
  let slot = 0;
  for (let i = Math.max(0, from - 2); i < from; i++) slot = nextSlot(slot, text.charCodeAt(i));
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    slot = nextSlot(slot, code);
    if (((groups[slot] ?? 0) | (MARKS[code & 127] ?? 0)) !== 0) return i;
  }
  return -1;
}

class Signs {
  readonly #text: string;
  readonly #triggers: SecretTriggers;
  #rules: Set<SecretRule> | null = null;
  #assignments: number[] | null = null;
  #announced = false;
  #hasAt = false;

  constructor(text: string, secretTriggers: SecretTriggers) {
    this.#text = text;
    this.#triggers = secretTriggers;
  }

  /** Adds what stands at the start of a word. */
  addTriggers(at: number, group: number): void {
    for (const { rule } of this.#triggers.standingAt(this.#text, at, group)) {
      if (rule) this.#add(rule);
      else this.#announced = true;
    }
  }

  #add(rule: SecretRule): void {
    this.#rules = (this.#rules ?? new Set()).add(rule);
  }

  addMark(code: number, at: number): void {
    const text = this.#text;
    if (code === DOT) {
      // The second part of a Discord token has six characters.
      if (at + 7 < text.length && text.charCodeAt(at + 7) === DOT) this.#add(DISCORD);
      // An Airtable token is `pat`, fourteen characters, and a point.
      if (at >= 17 && text.charCodeAt(at - 17) === LETTER_P && text.startsWith("pat", at - 17))
        this.#add(AIRTABLE);
    } else if (code === EQUALS || code === COLON) {
      if (namesCredential(text, at)) {
        this.#assignments ??= [];
        this.#assignments.push(at);
      }
      if (code === COLON && text.startsWith("AA", at + 1)) this.#add(TELEGRAM);
    } else if (code === TILDE) {
      if (text[at - 1] === "Q") this.#add(AZURE);
    } else if (code === AT) this.#hasAt = true;
  }

  result(): SecretSigns | null {
    const rules = this.#rules;
    const text = this.#text;
    const hasAddress = this.#hasAt && text.includes("://");
    const announced = this.#announced || hasAddress || (text.includes(" -") && FLAG.test(text));
    if (rules === null && this.#assignments === null && !announced) return null;
    const found = rules === null ? [] : SECRET_RULES.filter((rule) => rules.has(rule));
    return { rules: found, assignments: this.#assignments ?? [], announced };
  }
}

/** Whether the word before a `=` or `:`, behind blanks and quotes, ends like a credential's name. */
function namesCredential(text: string, mark: number): boolean {
  let last = mark - 1;
  while (last > 0 && mark - last < 6 && isFiller(text.charCodeAt(last))) last--;
  const end = last;
  while (last > 0 && end - last < 3 && isDigit(text.charCodeAt(last))) last--;
  if (last > 0 && text.charCodeAt(last) === 95) last--;
  return last >= 2 && NAME_ENDS[slotAt(text, last - 2)] === 1;
}

function isFiller(code: number): boolean {
  return code === 32 || code === 34 || code === 39 || code === 92 || code === 96;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWordChar(code: number): boolean {
  const letter = code | 32;
  return isDigit(code) || (letter >= 97 && letter <= 122);
}
