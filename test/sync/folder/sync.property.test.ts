import { expect, test } from "bun:test";
import fc from "fast-check";
import { newKey } from "../../../src/sync/folder/key.ts";
import { tempDir } from "../../store/builders.ts";
import { fcOptions } from "../../support/fast-check.ts";
import { Cloud } from "./cloud.ts";
import { Device } from "./device.ts";

const NAMES = ["laptop", "desk", "server"];

const device = fc.nat(NAMES.length - 1);
const pick = fc.nat(1000);
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("writeBoth" as const), device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("note" as const), device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rewrite" as const), device, pick }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("sync" as const), device }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("crash" as const), device, at: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("upload" as const), device, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("download" as const), device, pick, cut: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("forget" as const), device, pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("mark" as const), device, pick, isOn: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("backUp" as const), device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("restore" as const), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("copy" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("backUpFolder" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restoreFolder" as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/** Plays actions on three devices of one user, whose copies of the folder a synchroniser joins. */
class Play {
  readonly cloud = new Cloud();
  readonly devices: Device[];
  /** Turns that were forgotten somewhere, with what that needs to hold: that the memory was not replaced since. */
  readonly forgotten: { id: string; by: Device; replaced: number }[] = [];
  #count = 0;

  constructor(directory: string) {
    const key = newKey();
    this.devices = NAMES.map((name) => new Device(directory, name, key));
  }

  at(index: number): Device {
    const found = this.devices[index % this.devices.length];
    if (found === undefined) throw new Error(`there is no device ${index}`);
    return found;
  }

  async act(step: Action): Promise<unknown> {
    switch (step.kind) {
      case "write":
        return this.at(step.device).write(...this.#next());
      case "note": {
        const id = `n${this.#count++}`;
        return this.at(step.device).note(id, `tea-${id}-`);
      }
      case "writeBoth": {
        // A home that is itself synchronised: two machines read one transcript.
        const [id, text] = this.#next();
        for (const each of [this.at(step.device), this.at(step.device + 1)])
          await each.write(id, text, "both");
        return;
      }
      case "rewrite": {
        const { ids } = this.at(step.device);
        const id = ids[step.pick % Math.max(1, ids.length)];
        if (id === undefined) return;
        const text = `${this.at(step.device).textOf(id)} milk`;
        for (const each of this.devices) if (each.ids.includes(id)) await each.write(id, text);
        return;
      }
      case "sync":
        return this.at(step.device).sync();
      case "crash":
        return this.at(step.device).sync(step.at);
      case "upload":
        return this.cloud.upload(this.at(step.device).replica, step.pick);
      case "download":
        return this.cloud.download(this.at(step.device).replica, step.pick, step.cut);
      case "forget": {
        const by = this.at(step.device);
        const id = idOf(by, step.pick);
        if (id === undefined) return;
        this.forgotten.push({ id, by, replaced: by.replaced });
        return by.forget(id);
      }
      case "mark": {
        const id = idOf(this.at(step.device), step.pick);
        return id === undefined ? undefined : this.at(step.device).mark(id, "mute", step.isOn);
      }
      case "backUp":
        return this.at(step.device).backUp();
      case "restore":
        return this.at(step.device).restore();
      case "copy":
        return this.at(1).takeOver(this.at(0));
      case "backUpFolder":
        return this.cloud.backUp();
      case "restoreFolder":
        return this.cloud.restore();
    }
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 5; round++)
      for (const each of this.devices) {
        this.cloud.download(each.replica);
        await each.sync();
        this.cloud.upload(each.replica);
      }
  }

  /** What no restored memory may have lost. */
  get gone(): string[] {
    return this.forgotten.filter(({ by, replaced }) => by.replaced === replaced).map(({ id }) => id);
  }

  #next(): [id: string, text: string] {
    const id = `p${this.#count++}`;
    return [id, `tea-${id}-`];
  }
}

function idOf(by: Device, pick: number): string | undefined {
  const rows = by.rows();
  return rows[pick % Math.max(1, rows.length)]?.id;
}

test("after any syncs, crashes, restores and removals, all devices hold the same turns and nothing forgotten", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
      using dir = tempDir();
      const play = new Play(dir.path);
      for (const each of play.devices) await each.start();
      for (const step of actions) await play.act(step);
      await play.settle();

      const touched = new Set(play.forgotten.map(({ id }) => id));
      const written = [...new Set(play.devices.flatMap(({ ids }) => ids))]
        .filter((id) => !touched.has(id))
        .sort();
      const held = play.devices.map((each) =>
        each
          .rows()
          .filter(({ id }) => !touched.has(id))
          .map(({ id, text, marks }) => ({ id, text, marks })),
      );
      // A note is in no transcript: one that only a lost memory had is gone.
      const read = held.map((rows) => rows.map(({ id }) => id).filter((id) => id.startsWith("p")));
      expect(read).toEqual(held.map(() => written));
      expect(held).toEqual(held.map(() => held[0] ?? []));

      for (const each of play.devices) {
        const rest = `${await each.bytes()}${await each.put()}`;
        expect(play.gone.filter((id) => rest.includes(`tea-${id}-`))).toEqual([]);
        expect(each.rows().filter(({ id }) => play.gone.includes(id))).toEqual([]);
      }
    }),
    fcOptions(0.05),
  );
}, 7_200_000);
