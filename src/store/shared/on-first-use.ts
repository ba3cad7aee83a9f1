type Method = (...args: never[]) => Promise<unknown>;

/**
 * Returns a part of the store whose code is loaded by the first call of one of its methods: a hook calls two of them.
 * The methods are not properties that can be listed or copied.
 */
export function onFirstUse<Part extends { [Name in keyof Part]: Method }>(load: () => Promise<Part>): Part {
  let loading: Promise<Part> | undefined;
  const methods = new Map<PropertyKey, (...args: never[]) => Promise<unknown>>();
  const method =
    (name: PropertyKey) =>
    async (...args: never[]) => {
      loading ??= load();
      return Reflect.get(await loading, name)(...args);
    };
  return new Proxy({} as Part, {
    get(_none, name) {
      // `await` asks every value for this method, and would wait for ever for a part that seemed to have it.
      if (name === "then") return undefined;
      const known = methods.get(name) ?? method(name);
      methods.set(name, known);
      return known;
    },
  });
}
