import { SECRET_RULES, type SecretRule } from "./secret-rules.ts";

/** Words after which a credential may follow that no form gives away. */
const ANNOUNCERS = ["authorization", "Authorization", "AUTHORIZATION", "bearer ", "Bearer ", "BEARER "]
  .concat(["curl ", "sshpass ", "login ", "x-api", "X-Api", "X-API", "x-auth", "X-Auth", "X-AUTH"])
  .concat(["private-token", "Private-Token", "PRIVATE-TOKEN", "api-key", "Api-Key", "API-KEY"]);

interface Trigger {
  text: string;
  /** Null for a word that announces a credential. */
  rule: SecretRule | null;
}

const SLOTS = 1 << 16;

/** Where a word may go on after a trigger of three characters. */
const FOURTH = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));

/** Finds triggers by the first four characters of a word. */
export class SecretTriggers {
  readonly #filter = new Uint8Array(SLOTS);
  readonly #bySlot = new Map<number, Trigger[]>();

  constructor() {
    for (const rule of SECRET_RULES) for (const text of rule.triggers) this.#add(text, rule);
    for (const text of ANNOUNCERS) this.#add(text, null);
  }

  #add(text: string, rule: SecretRule | null): void {
    for (const word of text.length > 3 ? [text] : FOURTH.map((fourth) => text + fourth)) {
      const slot = slotAt(word, 0);
      this.#filter[slot] = 1;
      this.#bySlot.set(slot, [...(this.#bySlot.get(slot) ?? []), { text, rule }]);
    }
  }

  /** False when no trigger stands at a place with at least four characters; true now and then when none does either. */
  mayStand(text: string, at: number): boolean {
    return this.#filter[slotAt(text, at)] === 1;
  }

  /** The triggers that stand at a place, but for those whose secret is not there. */
  standingAt(text: string, at: number): Trigger[] {
    return (this.#bySlot.get(slotAt(text, at)) ?? []).filter(({ text: trigger, rule }) => {
      if (!text.startsWith(trigger, at)) return false;
      if (!rule?.whole) return true;
      rule.whole.lastIndex = at;
      return rule.whole.test(text);
    });
  }
}

function slotAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31_337 + text.charCodeAt(at + 1) * 1_021;
  return (first + text.charCodeAt(at + 2) * 131 + text.charCodeAt(at + 3)) & (SLOTS - 1);
}
