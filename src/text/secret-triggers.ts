import { SECRET_RULES, type SecretRule } from "./secret-rules.ts";

/** Words after which a credential may follow that no form gives away. */
const ANNOUNCERS = ["authorization", "Authorization", "AUTHORIZATION", "bearer ", "Bearer ", "BEARER "]
  .concat(["curl ", "sshpass ", "login ", "x-api", "X-Api", "X-API", "x-auth", "X-Auth", "X-AUTH"])
  .concat(["private-token", "Private-Token", "PRIVATE-TOKEN", "api-key", "Api-Key", "API-KEY"]);

interface Trigger {
  text: string;
  /** Its last character: most words that start alike differ there, and one character is soon compared. */
  last: number;
  /** Null for a word that announces a credential. */
  rule: SecretRule | null;
}

/** A slot is the low five bits of three characters in a row: letters of both cases share one. */
export const SLOTS = 1 << 15;

/** The slot of three characters in a row, from that of the three before the last. */
export function nextSlot(slot: number, code: number): number {
  return ((slot << 5) | (code & 31)) & (SLOTS - 1);
}

/** What a byte can name. */
const MAX_GROUPS = 255;

/** Finds triggers by the first three characters of a word. */
export class SecretTriggers {
  /** By slot: which group of triggers starts with such characters; 0 for none, as nearly everywhere. */
  readonly groups = new Uint8Array(SLOTS);
  readonly #triggers: Trigger[][] = [[]];

  constructor() {
    for (const rule of SECRET_RULES) for (const text of rule.triggers) this.#add(text, rule);
    for (const text of ANNOUNCERS) this.#add(text, null);
  }

  #add(text: string, rule: SecretRule | null): void {
    const slot = slotAt(text, 0);
    const group = this.groups[slot] || this.#triggers.length;
    if (group > MAX_GROUPS) throw new Error("there are more groups of triggers than a byte can name");
    this.groups[slot] = group;
    this.#triggers[group] = [
      ...(this.#triggers[group] ?? []),
      { text, last: text.charCodeAt(text.length - 1), rule },
    ];
  }

  /** The triggers of a group that stand at a place, but for those whose secret is not there. */
  standingAt(text: string, at: number, group: number): readonly Trigger[] {
    let found = NONE;
    for (const trigger of this.#triggers[group] ?? NONE)
      if (stands(trigger, text, at)) found = [...found, trigger];
    return found;
  }
}

/** The slot of the three characters at a place. */
export function slotAt(text: string, at: number): number {
  return nextSlot(
    nextSlot(nextSlot(0, text.charCodeAt(at)), text.charCodeAt(at + 1)),
    text.charCodeAt(at + 2),
  );
}

const NONE: readonly Trigger[] = [];

function stands({ text: trigger, last, rule }: Trigger, text: string, at: number): boolean {
  if (text.charCodeAt(at + trigger.length - 1) !== last || !text.startsWith(trigger, at)) return false;
  if (!rule?.whole) return true;
  rule.whole.lastIndex = at;
  return rule.whole.test(text);
}
