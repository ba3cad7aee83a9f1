import type { SQL, TransactionSQL } from "bun";
import { MementorError } from "../../../errors.ts";
import type { Watch } from "./watch.ts";

/**
 * Statements in a transaction. Values are always parameters; `Uint8Array` (bytea), `Date`, bigint, and arrays of texts or
 * numbers are taken as they are, vectors as text (`HalfTexts`), other arrays as `arrayText`.
 * Of results, `bigint` comes as a number, and throws beyond 2^53; `numeric` and vectors come as text.
 */
export interface Statements {
  /** Rows of a statement whose values stand in the template. */
  <Row = unknown>(texts: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]>;
  /** Rows of a statement with `$1`, `$2`, … */
  query<Row = unknown>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a statement with `$1`, `$2`, …, and returns the number of rows that it wrote. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
  /** Runs several statements without values, such as a migration. */
  script(text: string): Promise<void>;
}

/** The statements of a transaction that is open. */
export function statementsOf(transaction: TransactionSQL, watch: Watch): Statements {
  const ask = (text: string, values: readonly unknown[]): Promise<Answer> =>
    watch.answer<Answer>(transaction.unsafe(text, [...values]) as SQL.Query<Answer>);
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const rows = await ask(text, values);
    for (const row of rows) numbersIn(row);
    return [...rows] as Row[];
  };
  const run = async (text: string, values: readonly unknown[] = []) => (await ask(text, values)).count;
  const script = async (text: string) => {
    await watch.answer(transaction.unsafe(text).simple());
  };
  const template = <Row>(texts: TemplateStringsArray, ...values: readonly unknown[]) =>
    query<Row>(
      texts.reduce((text, part, i) => `${text}$${i}${part}`),
      values,
    );
  return Object.assign(template, { query, run, script });
}

type Answer = Record<string, unknown>[] & { count: number };

function numbersIn(row: Record<string, unknown>): void {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "bigint") row[name] = numberOf(value);
    else if (Array.isArray(value) && typeof value[0] === "bigint") row[name] = value.map(numberOf);
  }
}

function numberOf(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new MementorError("internal", "a number of the server is larger than this program can hold");
}
