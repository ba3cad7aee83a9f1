import type { FolderFiles } from "../../../src/sync/folder/files.ts";

type Files = Map<string, Uint8Array>;

const nameOf = (path: readonly string[]) => path.join("/");
const same = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);

/** A device's copy of the folder, in memory. `files` sees it as a program does. */
export class Replica {
  content: Files = new Map();
  /** What it last had in common with the cloud. */
  base: Files = new Map();
  /** How much was read of it. */
  readBytes = 0;

  readonly files: FolderFiles = {
    list: async (path) => {
      const prefix = path.length === 0 ? "" : `${nameOf(path)}/`;
      const below = [...this.content.keys()].filter((name) => name.startsWith(prefix));
      return [...new Set(below.map((name) => name.slice(prefix.length).split("/")[0] ?? ""))].sort();
    },
    read: async (path, maxBytes) => {
      const bytes = this.content.get(nameOf(path)) ?? null;
      if (bytes === null || bytes.length > maxBytes) return null;
      this.readBytes += bytes.length;
      return bytes;
    },
    write: async (path, bytes) => void this.content.set(nameOf(path), bytes),
    remove: async (path) => void this.content.delete(nameOf(path)),
  };
}

/** What a synchroniser does with a folder, in any order, partly, late, with conflict copies, and from backups. */
export class Cloud {
  #files: Files = new Map();
  readonly #backups: Files[] = [];
  #conflicts = 0;

  get names(): string[] {
    return [...this.#files.keys()];
  }

  /** Sends what changed in a replica; `pick` chooses which files, all of them when it is 0. */
  upload(replica: Replica, pick = 0): void {
    for (const [index, name] of changed(replica.content, replica.base).entries()) {
      if (pick !== 0 && (index + pick) % 2 === 0) continue;
      const [mine, theirs] = [replica.content.get(name), this.#files.get(name)];
      if (
        !same(theirs, replica.base.get(name)) &&
        theirs !== undefined &&
        mine !== undefined &&
        !same(theirs, mine)
      ) {
        replica.content.set(`${name}.sync-conflict-${this.#conflicts++}`, mine);
        replica.content.set(name, theirs);
        replica.base.set(name, theirs);
        continue;
      }
      put(this.#files, name, mine);
      put(replica.base, name, mine);
    }
  }

  /** Brings what changed in the cloud to a replica, some of it, or the first bytes of a file where `cut` says so. */
  download(replica: Replica, pick = 0, cut = false): void {
    for (const [index, name] of changed(this.#files, replica.base).entries()) {
      if (pick !== 0 && (index + pick) % 2 === 0) continue;
      if (!same(replica.content.get(name), replica.base.get(name))) continue;
      const bytes = this.#files.get(name);
      if (cut && bytes !== undefined) {
        replica.content.set(name, bytes.subarray(0, Math.floor(bytes.length / 2)));
        replica.base.set(name, bytes.subarray(0, Math.floor(bytes.length / 2)));
        continue;
      }
      put(replica.content, name, bytes);
      put(replica.base, name, bytes);
    }
  }

  backUp(): void {
    this.#backups.push(new Map(this.#files));
  }

  restore(): void {
    const backup = this.#backups.pop();
    if (backup !== undefined) this.#files = new Map(backup);
  }
}

function changed(now: Files, before: Files): string[] {
  const names = new Set([...now.keys(), ...before.keys()]);
  return [...names].filter((name) => !same(now.get(name), before.get(name))).sort();
}

function put(files: Files, name: string, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) files.delete(name);
  else files.set(name, bytes);
}
