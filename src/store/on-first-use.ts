type Method = (...args: never[]) => Promise<unknown>;

/**
 * Methods that the language itself looks up. If a part seemed to have `then`, `await` would never end; if it seemed to have
 * `toJSON`, printing it would fail. The same holds for symbols.
 */
const OF_THE_LANGUAGE: ReadonlySet<string> = new Set([
  "then",
  "toJSON",
  "toString",
  "valueOf",
  "constructor",
]);

/**
 * Returns a part of the store that loads its code at the first method call, because a hook calls only two of the parts. Its
 * methods can be neither listed nor copied. Calling a missing method rejects with `TypeError`.
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
