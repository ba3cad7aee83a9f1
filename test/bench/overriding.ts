import type { SearchStore } from "../../src/store/store.ts";

/** Returns a store with some methods replaced. The parts of a store have no properties to copy. */
export function overriding<Store extends object>(store: Store, methods: Partial<Store>): Store {
  return Object.assign(Object.create(store), methods);
}

/** The same for what a search reads: every view of it has the methods. */
export function overridingSearch<Store extends SearchStore>(store: Store, methods: Partial<Store>): Store {
  const overridden: Store = overriding<Store>(store, {
    snapshot: (work) => store.snapshot((_, browse) => work(overridden, browse)),
    ...methods,
  });
  return overridden;
}
