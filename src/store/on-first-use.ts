type Method = (...args: never[]) => Promise<unknown>;

/**
 * Methods that the language itself looks for. If a part seemed to have `then`, `await` would never end; if it seemed to have
 * `toJSON`, printing it would fail. The same is true of symbols.
 */
const OF_THE_LANGUAGE: ReadonlySet<string> = new Set([
  "then",
  "toJSON",
  "toString",
  "valueOf",
  "constructor",
]);

/**
 * Returns a part of the store whose code is loaded by the first call of one of its methods: a hook calls two of them.
 * The methods are not properties that can be listed or copied. One that the part has not rejects with `TypeError`.
 */
export function onFirstUse<Part extends { [Name in keyof Part]: Method }>(load: () => Promise<Part>): Part {
  let loading: Promise<Part> | undefined;
  const methods = new Map<PropertyKey, (...args: never[]) => Promise<unknown>>();
  const method =
    (name: string) =>
    async (...args: never[]) => {
      loading ??= load();
      const part = await loading;
      if (!(name in part)) throw new TypeError(`the store has no method ${name}`);
      return Reflect.get(part, name)(...args);
    };
  return new Proxy({} as Part, {
    get(_none, name) {
      if (typeof name === "symbol" || OF_THE_LANGUAGE.has(name)) return undefined;
      const known = methods.get(name) ?? method(name);
      methods.set(name, known);
      return known;
    },
  });
}
