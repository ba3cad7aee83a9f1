import type { Connection } from "./connection.ts";

type Method = (...args: never[]) => Promise<unknown>;

/** What a method of the store does on a connection: its arguments and result are written once, in the interface. */
export type Query<Of extends Method> = (
  connection: Connection,
  ...args: Parameters<Of>
) => Awaited<ReturnType<Of>>;

/**
 * Makes methods of queries. Each query sees one unchanging view of the data, and its code is loaded by the first call:
 * a hook makes one or two of twenty.
 */
export function onSnapshot<Store extends { [Name in keyof Store]: Method }>(
  connection: Connection,
  queries: { [Name in keyof Store]: () => Promise<Query<Store[Name]>> },
): Store {
  const method =
    <Of extends Method>(load: () => Promise<Query<Of>>) =>
    async (...args: Parameters<Of>) => {
      const query = await load();
      return connection.snapshot(() => query(connection, ...args));
    };
  const names = Object.keys(queries) as (keyof Store)[];
  return Object.fromEntries(names.map((name) => [name, method(queries[name])])) as Store;
}

/**
 * Runs transactions that change many rows each. SQLite notes what each of their statements may have to take back, and
 * writes it to temporary files unless told otherwise: a fifth of the time that it takes to store turns that arrive.
 */
export function withJournalInMemory<Result>(connection: Connection, work: () => Result): Result {
  connection.exec("PRAGMA temp_store = MEMORY");
  try {
    return work();
  } finally {
    connection.exec("PRAGMA temp_store = DEFAULT");
  }
}
