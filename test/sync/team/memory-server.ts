import { MementorError } from "../../../src/errors.ts";
import { sameBytes } from "../../../src/store/identity.ts";
import type { TeamServer } from "../../../src/store/team.ts";
import {
  type DeviceName,
  type IncomingChange,
  type OutgoingChange,
  type Position,
  START,
  type TeamTurn,
} from "../../../src/store/team.ts";

interface Row extends Position {
  kind: OutgoingChange["kind"];
  target: string;
  key: string;
}

/** The rows of a team's database that sync uses. */
interface State {
  devices: Map<string, DeviceName & Position>;
  changes: Map<string, Row[]>;
  turns: Map<string, TeamTurn>;
  tombstones: Set<string>;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const nameOf = ({ author, deviceId }: DeviceName) => `${author}/${deviceId}`;

/** A team's database in memory, with backups. */
export class MemoryServer {
  #state: State = { devices: new Map(), changes: new Map(), turns: new Map(), tombstones: new Set() };
  readonly admins: ReadonlySet<string>;
  /** Changes of one answer. */
  readonly #page: number;
  readonly #backups: State[] = [];
  /** Whether new turns are refused. */
  isFull = false;
  /** Authors who are no longer members. */
  readonly former = new Set<string>();
  /** How often it was restored. */
  restored = 0;

  constructor(admins: readonly string[], page: number) {
    this.admins = new Set(admins);
    this.#page = page;
  }

  backUp(): void {
    this.#backups.push(structuredClone(this.#state));
  }

  restore(): void {
    const backup = this.#backups.pop();
    if (backup === undefined) return;
    this.#state = structuredClone(backup);
    this.restored++;
  }

  /** The turns that the team has, as `author/key`. */
  turns(): string[] {
    return [...this.#state.turns.keys()].sort();
  }

  /** The server as one of its members sees it. */
  as(author: string): TeamServer {
    return {
      devices: async () =>
        [...this.#state.devices.values()].map((device) => ({
          ...device,
          isMember: !this.former.has(device.author),
        })),
      push: async (deviceId, from, changes) => this.#push({ author, deviceId }, from, changes),
      pull: async (device, from) => this.#pull(device, from),
      close: async () => undefined,
    };
  }

  #push(device: DeviceName, from: Position, changes: readonly OutgoingChange[]): boolean {
    const { devices } = this.#state;
    const at = devices.get(nameOf(device)) ?? START;
    if (at.number !== from.number || !sameBytes(at.chain, from.chain)) return false;
    if (this.isFull && changes.some((change) => this.#isNew(device, change)))
      throw new MementorError("server_full", "the quota is used up");
    for (const change of changes) this.#store(device, change);
    const last = changes.at(-1);
    if (last !== undefined)
      devices.set(nameOf(device), { ...device, number: last.number, chain: last.chain });
    return true;
  }

  #isNew({ author }: DeviceName, { turn, turnKey }: OutgoingChange): boolean {
    return turn !== null && !this.#state.turns.has(`${author}/${hex(turnKey)}`);
  }

  #store(device: DeviceName, { kind, target, turnKey, number, chain, turn }: OutgoingChange): void {
    const { changes, turns, tombstones } = this.#state;
    const whose = target ?? device.author;
    if (whose !== device.author && !this.admins.has(device.author))
      throw new Error("only an admin removes turns of others");
    const rows = changes.get(nameOf(device)) ?? [];
    changes.set(nameOf(device), [...rows, { kind, target: whose, key: hex(turnKey), number, chain }]);
    const key = `${whose}/${hex(turnKey)}`;
    if (kind === "remove") {
      tombstones.add(key);
      turns.delete(key);
    }
    if (turn !== null && !tombstones.has(key)) turns.set(key, structuredClone(turn));
  }

  #pull(device: DeviceName, from: Position): IncomingChange[] | null {
    const rows = this.#state.changes.get(nameOf(device)) ?? [];
    if (from.number > 0) {
      const known = rows.find(({ number }) => number === from.number);
      if (known === undefined || !sameBytes(known.chain, from.chain)) return null;
    }
    return rows
      .filter(({ number }) => number > from.number)
      .slice(0, this.#page)
      .map(({ kind, target, key, number, chain }) => ({
        kind,
        target,
        number,
        chain,
        turnKey: Buffer.from(key, "hex"),
        turn: kind === "put" ? (this.#state.turns.get(`${target}/${key}`) ?? null) : null,
      }));
  }
}
