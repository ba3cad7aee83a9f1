import type { Connection } from "./connection.ts";

type Method = (...args: never[]) => Promise<unknown>;

/** What a method of the store does on a connection: its arguments and result are written once, in the interface. */
export type Query<Of extends Method> = (
  connection: Connection,
  ...args: Parameters<Of>
) => Awaited<ReturnType<Of>>;

/** Makes methods of queries: each sees one unchanging view of the data. */
export function onSnapshot<Store extends { [Name in keyof Store]: Method }>(
  connection: Connection,
  queries: { [Name in keyof Store]: Query<Store[Name]> },
): Store {
  const method =
    <Of extends Method>(query: Query<Of>) =>
    async (...args: Parameters<Of>) =>
      connection.snapshot(() => query(connection, ...args));
  const names = Object.keys(queries) as (keyof Store)[];
  return Object.fromEntries(names.map((name) => [name, method(queries[name])])) as Store;
}
