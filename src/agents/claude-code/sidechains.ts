import type { Entry } from "./entry.ts";

/** Number of entries whose chain is remembered. The entries of a chain are close together. */
const MAX_REMEMBERED = 20_000;

/**
 * Gives inline sidechains a stable agent id, the id of their first entry. Old versions of Claude Code wrote them into the
 * main transcript without an agent id.
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
