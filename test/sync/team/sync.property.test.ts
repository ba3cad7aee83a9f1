import { expect, test } from "bun:test";
import fc from "fast-check";
import { tempDir } from "../../store/builders.ts";
import { fcOptions } from "../../support/fast-check.ts";
import { Machine } from "./machine.ts";
import { MemoryServer } from "./memory-server.ts";

const MACHINES = [
  { name: "ada-1", author: "ada" },
  { name: "ada-2", author: "ada" },
  { name: "bob", author: "bob" },
  { name: "grace", author: "grace" },
] as const;
const ADMIN = "grace";

const machine = fc.nat(MACHINES.length - 1);
const pick = fc.nat(1000);
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), machine }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rewrite" as const), machine, pick }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("sync" as const), machine }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("crash" as const), machine, at: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("backUp" as const), machine }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("restore" as const), machine }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("copy" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), machine }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("join" as const), machine }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("forget" as const), machine, pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("unshare" as const), machine, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hide" as const), machine, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("adminRemove" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("backUpServer" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restoreServer" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fill" as const), isFull: fc.boolean() }) },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

interface Removal {
  id: string;
  by: Machine;
  /** How often the memory that knows of it had been replaced then. */
  replaced: number;
  /** How often the server that got it had been restored then; null for a removal that was not sent. */
  restored: number | null;
}

/** Plays actions on four machines of three members, and keeps what must come of them. */
class Play {
  readonly server = new MemoryServer([ADMIN], 2);
  readonly machines: Machine[];
  /** Turns that somebody unshared, hid or forgot. Where they still may be is left open, but for `gone`. */
  readonly touched = new Set<string>();
  /** Removals, and what each needs to hold. */
  readonly gone: Removal[] = [];
  #count = 0;

  constructor(directory: string) {
    this.machines = MACHINES.map(
      ({ name, author }) => new Machine(directory, name, author, this.server.as(author)),
    );
  }

  at(index: number): Machine {
    const found = this.machines[index];
    if (found === undefined) throw new Error(`there is no machine ${index}`);
    return found;
  }

  async act(step: Action): Promise<void> {
    switch (step.kind) {
      case "write":
        return this.at(step.machine).write(`p${this.#count++}`, "tea");
      case "rewrite": {
        const id = chosen(this.at(step.machine).ids, step.pick);
        return id === undefined
          ? undefined
          : this.at(step.machine).write(id, `${this.at(step.machine).textOf(id)} milk`);
      }
      case "sync":
        return this.sync(this.at(step.machine));
      case "crash":
        return this.sync(this.at(step.machine), step.at);
      case "backUp":
        return this.at(step.machine).backUp();
      case "restore":
        return this.at(step.machine).restore();
      case "copy":
        return this.at(1).takeOver(this.at(0));
      case "leave":
        return this.at(step.machine).leave();
      case "join":
        return this.at(step.machine).join();
      case "forget":
        return this.#remove(step, (row, author) => row.author === author, "forget");
      case "unshare":
        return this.#remove(step, (row, author) => row.author === author, "unshare");
      case "hide":
        return this.#remove(step, (row, author) => row.author !== author, "forget");
      case "adminRemove":
        return this.#remove({ machine: 3, pick: step.pick }, (row) => row.author !== ADMIN, "unshare");
      case "backUpServer":
        return this.server.backUp();
      case "restoreServer":
        return this.server.restore();
      case "fill":
        this.server.isFull = step.isFull;
    }
  }

  async sync(machine: Machine, crashAt?: number): Promise<void> {
    // Removals are sent before what a full server refuses.
    if ((await machine.sync(crashAt)) === "crashed" || machine.isOut) return;
    for (const removal of this.gone)
      if (removal.by === machine && removal.replaced === machine.replaced)
        removal.restored ??= this.server.restored;
  }

  /** Removals that neither a restored memory nor a restored server may have lost. */
  kept(): string[] {
    return this.gone
      .filter(({ by, replaced, restored }) => by.replaced === replaced || restored === this.server.restored)
      .map(({ id }) => id);
  }

  async #remove(
    step: { machine: number; pick: number },
    fits: (row: { author: string }, author: string) => boolean,
    how: "forget" | "unshare",
  ): Promise<void> {
    const by = this.at(step.machine);
    // Who left still forgets what the team may have.
    const rows = by.rows().filter((row) => (row.shared || by.isOut) && fits(row, by.author));
    const row = chosen(rows, step.pick);
    if (row === undefined) return;
    const isForAll = how === "unshare" || row.author === by.author;
    this.touched.add(row.id);
    if (isForAll) this.gone.push({ id: row.id, by, replaced: by.replaced, restored: null });
    await by[how](row.id);
  }
}

function chosen<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)];
}

test("after any pushes, pulls, crashes, restores and removals, all members hold the same turns", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
      using dir = tempDir();
      const play = new Play(dir.path);
      for (const each of play.machines) await each.start();
      for (const step of actions) await play.act(step);
      play.server.isFull = false;
      for (const each of play.machines) await each.join();
      for (let round = 0; round < 4; round++) for (const each of play.machines) await play.sync(each);

      const written = new Map(
        play.machines.flatMap((each) =>
          each.ids.map((id) => [`${each.author}/${id}`, each.textOf(id)] as const),
        ),
      );
      const isOpen = (name: string) => play.touched.has(name.split("/")[1] ?? "");
      const expected = [...written].filter(([name]) => !isOpen(name)).sort(byName);
      const held = play.machines.map((each) =>
        each
          .rows()
          .filter(({ shared }) => shared)
          .map(({ author, id, text }) => [`${author}/${id}`, text.split("[Assistant] ")[1]] as const)
          .filter(([name]) => !isOpen(name))
          .sort(byName),
      );
      expect(held).toEqual(play.machines.map(() => expected));

      const removed = play.kept();
      const shown = play.machines.flatMap((each) =>
        each
          .rows()
          .flatMap(({ id, author, shared }) => (shared && removed.includes(id) ? [`${author}/${id}`] : [])),
      );
      expect(shown).toEqual([]);
    }),
    fcOptions(0.05),
  );
}, 600_000);

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}
