import type { Cure } from "../../../domain.ts";
import { type Clean, cleaned } from "../../../redact/gate.ts";
import type { TeamTurn } from "../../contract/types/team.ts";
import { digestOf } from "../../shared/digest.ts";
import type { Connection } from "../connection/connection.ts";
import { mayTravel } from "../team/arriving.ts";
import { curesIn } from "../turns/cures.ts";

/** Returns a turn's cures as they travel, by today's rules. */
export function travellingCures(connection: Connection, turnId: number): Clean<Cure>[] {
  return travelling(curesIn(connection, turnId));
}

/** Returns cures without what stays on the machine: as for files, paths outside of the project. */
export function travelling(cures: readonly Cure[]): Clean<Cure>[] {
  const within = cures.map(({ change, ...cure }) => ({
    ...cure,
    change: change !== null && mayTravel(change.path) ? change : null,
  }));
  // One of both says what to do.
  return cleaned({ cures: within.filter(({ call, change }) => call !== null || change !== null) }).cures;
}

/** Returns the hash of what a record says of a turn. */
export function recordDigest(turn: TeamTurn, cures: readonly Cure[]): string {
  const digest = Buffer.from(digestOf(turn)).toString("hex");
  if (cures.length === 0) return digest;
  return new Bun.CryptoHasher("sha256").update(`${digest}\n${JSON.stringify(cures)}`).digest("hex");
}
