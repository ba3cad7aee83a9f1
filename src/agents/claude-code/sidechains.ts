import type { Entry } from "./entry.ts";

/** How many entries are remembered by their chain; a chain's entries follow closely on one another. */
const MAX_REMEMBERED = 20_000;

/**
 * Gives inline sidechains, which old versions wrote into the main transcript without an agent's id, a stable one: that
 * of their first entry.
 */
export class Sidechains {
  readonly #chainOf = new Map<string, string>();
  latest: string | null;

  constructor(latest: string | null) {
    this.latest = latest;
  }

  idOf(entry: Entry, lineIndex: number): string {
    const known = entry.parentUuid === null ? null : (this.#chainOf.get(entry.parentUuid) ?? this.latest);
    const id = known ?? `sidechain-${entry.uuid?.slice(0, 8) ?? lineIndex}`;
    this.latest = id;
    if (this.#chainOf.size >= MAX_REMEMBERED) this.#chainOf.clear();
    if (entry.uuid !== null) this.#chainOf.set(entry.uuid, id);
    return id;
  }

  forget(): void {
    this.#chainOf.clear();
    this.latest = null;
  }
}
