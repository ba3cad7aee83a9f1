import { MCP_LIMITS } from "../constants.ts";
import { type LazyEmbedder, lazyEmbedder } from "../embed/optional.ts";
import type { Filter, TypedFilter } from "../filter/filter.ts";
import type { Runtime } from "../runtime.ts";
import { readFilterFor } from "../search/read-filter.ts";
import type { Store } from "../store/store.ts";

/** The memory as tools use it. */
export interface Memory {
  /**
   * Opens the memory for reading, calls `look`, and closes it. Between calls, the memory may be created, forgotten or
   * replaced.
   */
  read<T>(look: (store: Store) => Promise<T>): Promise<T>;
  /** Embeds with the store's model. Resolves to null when the model cannot be loaded. */
  embed(text: string, store: Store): Promise<Float32Array | null>;
  /** Reads the filters among a tool's arguments. */
  filter(args: TypedFilter, store: Store): Promise<Filter>;
  /** Where paths in arguments start from. */
  cwd: string;
}

/**
 * Returns the memory of a runtime's project; `cwd` is where paths in arguments start from. Loads the model when it is first needed, and unloads it when it is
 * unused for a while.
 */
export function openMemory(runtime: Runtime, cwd: string): Memory {
  const model = idleModel(runtime);
  return {
    async read(look) {
      const store = await runtime.renewed().openStore("readonly");
      return look(store).finally(() => store.close());
    },
    embed: model,
    filter: (args, { browse }) => readFilterFor(args, { browse, cwd, now: runtime.host.now() }),
    cwd,
  };
}

function idleModel(runtime: Runtime): Memory["embed"] {
  let loaded: LazyEmbedder | null = null;
  let loadedId: string | undefined;
  let users = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = (id: string | undefined) =>
    lazyEmbedder(
      () => runtime.openEmbedder("prompt", id),
      async (error) => (await runtime.log()).warn("mcp: searching by words alone", { error: error.message }),
    );
  const release = async () => {
    const unused = loaded;
    loaded = null;
    await unused?.close();
  };
  return async (text, { models }) => {
    clearTimeout(timer);
    users++;
    try {
      const id = (await models.active())?.id;
      if (id !== loadedId && users === 1) await release();
      if (id !== loadedId && loaded !== null) return null;
      loadedId = id;
      loaded ??= load(id);
      return await loaded.embed(text);
    } finally {
      users--;
      if (users === 0) timer = setTimeout(release, MCP_LIMITS.modelIdleMs).unref();
    }
  };
}
