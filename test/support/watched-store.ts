import { join } from "node:path";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { Host } from "../../src/host.ts";
import { Runtime, type RuntimeOptions } from "../../src/runtime.ts";
import type { ReadStore } from "../../src/store/store.ts";
import { createHashEmbedder } from "./hash-embedder.ts";

/** A memory on this machine that notes what of a team's database is asked. */
export class Watched extends Runtime {
  readonly #asked: Set<string>;

  /** @param asked gets the methods that are called, as `browse.sessions`. */
  constructor(host: Host, options: RuntimeOptions, asked: Set<string>) {
    super(host, options);
    this.#asked = asked;
  }

  override async openTeam(request: Parameters<Runtime["openTeam"]>[0]) {
    const reading = await super.openTeam(request);
    return { ...reading, store: watched(reading.store, this.#asked) };
  }

  override async openEmbedder(): Promise<Embedder> {
    return createHashEmbedder();
  }

  override renewed(): Runtime {
    return this;
  }
}

/** A store that notes the methods that are called, as `browse.sessions`. */
function watched(store: ReadStore, asked: Set<string>): ReadStore {
  const part = <Part extends object>(name: string, given: Part): Part =>
    new Proxy(given, {
      get(target, method) {
        const called: unknown = Reflect.get(target, method);
        if (typeof called !== "function") return called;
        return (...args: unknown[]) => {
          asked.add(`${name}.${String(method)}`);
          if (method !== "snapshot") return Reflect.apply(called, target, args);
          const [work] = args as [(view: object, browse: object) => unknown];
          const noted = (view: object, browse: object) => work(part(name, view), part("browse", browse));
          return Reflect.apply(called, target, [noted]);
        };
      },
    });
  return {
    ...store,
    browse: part("browse", store.browse),
    search: part("search", store.search),
    exports: part("exports", store.exports),
    models: part("models", store.models),
  };
}

/** The methods of the parts of a store that is read, as the contract says. */
async function methodsIn(part: string, name: string, file: string): Promise<string[]> {
  const source = await Bun.file(join(import.meta.dir, "../../src/store", file)).text();
  const [, body = ""] =
    source.match(new RegExp(`^(?:export )?interface ${name} \\{\\n([\\s\\S]*?)^\\}`, "m")) ?? [];
  return [...body.matchAll(/^ {2}(\w+)(?:<\w+>)?\(/gm)].map(([, method]) => `${part}.${method}`);
}

/** All methods of a store that is read, as `Watched` notes them. */
export async function readMethods(): Promise<string[]> {
  const contract = await Promise.all([
    methodsIn("browse", "BrowseStore", "browse.ts"),
    methodsIn("search", "SearchStore", "store.ts"),
    methodsIn("exports", "ExportStore", "store.ts"),
    methodsIn("models", "ActiveModelStore", "store.ts"),
  ]);
  return contract.flat().sort();
}
