import type { SQL, TransactionSQL } from "bun";
import { MementorError } from "../../../errors.ts";
import { isTransient, mapServerError } from "./errors.ts";
import { nameOf, type Target } from "./target.ts";

/** What can be asked to stop. */
interface Stoppable {
  cancel(): unknown;
}

/** How long a server may take to obey, ms, before its connection is given up. */
const GRACE_MS = 2000;

/**
 * Keeps a transaction from waiting for ever on a connection that gives no answer. `enter` and `leave` stand around each
 * wait for the server; a wait over the limit calls `giveUp`.
 */
class Watch {
  readonly #limitMs: number;
  readonly #giveUp: () => void;
  readonly #running = new Set<Stoppable>();
  #waits = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isStopping = false;

  constructor(limitMs: number, giveUp: () => void) {
    this.#limitMs = limitMs;
    this.#giveUp = giveUp;
  }

  /** Waits for the server's answer to one statement. */
  async answer<T>(statement: Promise<T> & Stoppable): Promise<T> {
    this.#running.add(statement);
    this.enter();
    if (this.#isStopping) statement.cancel();
    try {
      return await statement;
    } finally {
      this.#running.delete(statement);
      this.leave();
    }
  }

  enter(): void {
    this.#waits++;
    this.#arm();
  }

  leave(): void {
    this.#waits--;
    this.#arm();
  }

  /** Cancels what runs and what comes. */
  stop(): void {
    this.#isStopping = true;
    for (const statement of this.#running) statement.cancel();
    this.#arm();
  }

  end(): void {
    this.#waits = 0;
    this.#arm();
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waits > 0)
      this.#timer = setTimeout(this.#giveUp, this.#isStopping ? GRACE_MS : this.#limitMs + GRACE_MS);
  }
}

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
function statementsOf(transaction: TransactionSQL, watch: Watch): Statements {
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

export interface TransactionOptions {
  readonly isReadOnly?: boolean;
  /** `read committed` unless it is given. */
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  /** The longest that one statement may take, ms. */
  readonly timeoutMs?: number | undefined;
  /** Cancels the statement that runs; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A database of a server, for transactions and nothing else: a pooler may give each to another session. */
export interface Database extends AsyncDisposable {
  readonly target: Target;
  /**
   * Runs `work` in a transaction, and again when the server asks for that or the connection broke, five times at most.
   * The connection may break after the commit, so `work` must have the same effect when it runs twice.
   * Throws a `MementorError` for whatever server or network did; other errors of `work` pass. Either way nothing stays.
   */
  transaction<T>(work: (sql: Statements) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs a statement that cannot be in a transaction, such as `CREATE INDEX CONCURRENTLY`, for as long as it takes. */
  statement(text: string): Promise<void>;
  /** Cuts what runs and closes all connections. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 5;
/** The longest pause before the second attempt, ms; it doubles with each. */
const FIRST_PAUSE_MS = 50;

/** Connections to a server. */
interface Pool {
  readonly sql: SQL;
  /** What kept the last connection from being made, where the driver's own error says less. */
  failure(): unknown;
  close(): Promise<void>;
}

/**
 * Opens connections when they are needed. Methods reject with `timeout` when the server does not answer, and with the
 * errors of `errors.ts`.
 */
export function databaseOf(
  target: Target,
  open: () => Promise<Pool>,
  pause: (ms: number) => Promise<void> = Bun.sleep,
): Database {
  let pool: Promise<Pool> | null = null;
  let safe: Pool | null = null;
  const opened = () => {
    pool ??= open();
    return pool;
  };
  const drop = async () => {
    const dropped = pool;
    pool = null;
    // One that could not be opened has told so where it was needed.
    await (await dropped?.catch(() => null))?.close();
  };
  const once = async <T>(work: (sql: Statements) => Promise<T>, how: TransactionOptions) => {
    const connected = await opened();
    const { sql, failure } = connected;
    const limitMs = how.timeoutMs ?? TIMEOUT_MS;
    let isGivenUp = false;
    const watch = new Watch(limitMs, () => {
      isGivenUp = true;
      void drop();
    });
    const stop = () => watch.stop();
    how.signal?.addEventListener("abort", stop, { once: true });
    watch.enter();
    try {
      const run = async (transaction: TransactionSQL) => {
        const limit = watch.answer(transaction.unsafe(`SET LOCAL statement_timeout = ${Math.ceil(limitMs)}`));
        watch.leave();
        const statements = statementsOf(transaction, watch);
        if (safe !== connected) await refuseOthersFunctions(statements, target);
        safe = connected;
        const [, result] = await Promise.all([limit, work(statements)]);
        watch.enter();
        return result;
      };
      return (await sql.begin(modesOf(how), run)) as T;
    } catch (error) {
      how.signal?.throwIfAborted();
      if (isGivenUp) throw silent(target, error);
      throw mapServerError(failure() ?? error, target);
    } finally {
      watch.end();
      how.signal?.removeEventListener("abort", stop);
    }
  };
  const transaction = <T>(work: (sql: Statements) => Promise<T>, how: TransactionOptions = {}) =>
    repeated(() => once(work, how), how.signal, pause);
  const statement = async (text: string) => {
    const { sql, failure } = await opened();
    try {
      await sql.unsafe(text);
    } catch (error) {
      throw mapServerError(failure() ?? error, target);
    }
  };
  return { target, transaction, statement, close: drop, [Symbol.asyncDispose]: drop };
}

/**
 * Where a name without schema is looked for and a member of the team may make functions, or has made one. Who may change the
 * schema can take that right away, and is not kept from it.
 */
const OTHERS_FUNCTIONS = `
  WITH team AS (SELECT pg_catalog.to_regrole('mementor_member')::oid AS member, pg_catalog.to_regrole('mementor_owner')::oid AS owner)
  SELECT n.nspname AS schema FROM team, pg_catalog.pg_roles r, pg_catalog.pg_namespace n
  WHERE pg_catalog.pg_has_role(r.oid, team.member, 'MEMBER') AND r.rolname <> current_user AND NOT r.rolsuper
    AND NOT pg_catalog.pg_has_role(r.oid, team.owner, 'MEMBER') AND NOT pg_catalog.pg_has_role(team.owner, 'MEMBER')
    AND n.nspname = ANY (pg_catalog.current_schemas(false)) AND n.nspname <> 'mementor'
    AND (pg_catalog.has_schema_privilege(r.oid, n.oid, 'CREATE')
      OR EXISTS (SELECT FROM pg_catalog.pg_proc f WHERE f.pronamespace = n.oid AND f.proowner = r.oid)
      OR EXISTS (SELECT FROM pg_catalog.pg_operator o WHERE o.oprnamespace = n.oid AND o.oprowner = r.oid)) LIMIT 1`;

/** Throws `server_untrusted` where another member's function could run as the user of this connection. */
async function refuseOthersFunctions(sql: Statements, target: Target): Promise<void> {
  const [found] = await sql.query<{ schema: string }>(OTHERS_FUNCTIONS);
  if (found === undefined) return;
  throw new MementorError(
    "server_untrusted",
    `members of the team may make functions in the schema ${found.schema} of ${nameOf(target)}, which would run as you`,
    {
      hint: `An administrator runs \`REVOKE CREATE ON SCHEMA ${found.schema} FROM PUBLIC\` there, and drops what members made in it.`,
    },
  );
}

/** Repeats what failed for a moment only, with longer and longer pauses. */
async function repeated<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal | undefined,
  pause: (ms: number) => Promise<void>,
): Promise<T> {
  for (let done = 1; ; done++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (done === ATTEMPTS || !isTransient(error)) throw error;
      await pause(FIRST_PAUSE_MS * 2 ** (done - 1) * (0.5 + Math.random() / 2));
    }
  }
}

/** Says nothing of writing: a provider that makes a database read-only, as when its disk is full, does so by a default. */
function modesOf({ isolation = "read committed", isReadOnly = false }: TransactionOptions): string {
  return `isolation level ${isolation}${isReadOnly ? ", read only" : ""}`;
}

function silent(target: Target, cause: unknown): MementorError {
  return new MementorError("timeout", `the server does not answer: ${nameOf(target)}`, {
    hint: "Check the network.",
    cause: cause instanceof Error && "code" in cause ? new Error(String(cause.code)) : undefined,
  });
}
