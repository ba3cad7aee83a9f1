import type { LocalSearchStore } from "../../src/store/store.ts";

/** Adds up what each method of a store takes, ms; calls run one behind the other, so that none waits on another's time. */
export function traced(store: LocalSearchStore, times: Map<string, number>): LocalSearchStore {
  let last: Promise<unknown> = Promise.resolve();
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      if (name === "snapshot")
        return (work: (view: LocalSearchStore) => Promise<unknown>) => work(traced(target, times));
      return (...given: unknown[]) => {
        const run = last.then(async () => {
          const startedAt = performance.now();
          const result: unknown = await Reflect.apply(method, target, given);
          const step = String(name);
          times.set(step, (times.get(step) ?? 0) + performance.now() - startedAt);
          return result;
        });
        last = run.catch(() => null);
        return run;
      };
    },
  });
}
