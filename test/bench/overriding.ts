/** Returns a store with some methods replaced. The parts of a store have no properties to copy. */
export function overriding<Store extends object>(store: Store, methods: Partial<Store>): Store {
  return Object.assign(Object.create(store), methods);
}
