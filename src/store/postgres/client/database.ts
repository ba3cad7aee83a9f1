import type { SQL, TransactionSQL } from "bun";
import { MementorError } from "../../../errors.ts";
import { isTransient, mapServerError } from "./errors.ts";
import { nameOf, type Target } from "./target.ts";

/** A running statement that can be cancelled. */
interface Stoppable {
  cancel(): unknown;
}

/** Time in ms for a server to obey a cancellation before its connection is dropped. */
const GRACE_MS = 2000;

/**
 * Keeps a transaction from waiting forever on an unresponsive connection. `enter` and `leave` surround each wait for the server;
 * a wait over the limit calls `giveUp`.
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

  /** Cancels the running statement and all later ones. */
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
 * The statements of a transaction. Values are always parameters: `Uint8Array` (bytea), `Date`, bigint, and arrays of texts or
 * numbers are passed as they are, vectors as text (`HalfTexts`), other arrays as `arrayText`. In results, `bigint` is a number,
 * and throws beyond 2^53; `numeric` and vectors are text.
 */
export interface Statements {
  /** Returns the rows of a template statement with its values as parameters. */
  <Row = unknown>(texts: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]>;
  /** Returns the rows of a statement with `$1`, `$2`, … */
  query<Row = unknown>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a statement with `$1`, `$2`, …, and returns the number of written rows. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
  /** Runs several statements without values, such as a migration. */
  script(text: string): Promise<void>;
}

/** Returns the statements of an open transaction. */
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
  throw new MementorError("internal", "a number from the server is too large for this program");
}

export interface TransactionOptions {
  readonly isReadOnly?: boolean;
  /** `read committed` by default. */
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  /** Maximum time of one statement, in ms. */
  readonly timeoutMs?: number | undefined;
  /** Cancels the running statement. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A database on a server. It runs only transactions, because a pooler may give each to another session. */
export interface Database extends AsyncDisposable {
  readonly target: Target;
  /**
   * Runs `work` in a transaction, and repeats it up to five times in total when the server asks for it or the connection breaks.
   * The connection may break after the commit, so running `work` twice must have the same effect as once. Throws a
   * `MementorError` for failures of server or network; other errors of `work` pass through. A failed transaction leaves no
   * changes.
   */
  transaction<T>(work: (sql: Statements) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Aborts running statements and closes all connections. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/**
 * How long a statement waits for a lock. A member may hold any lock for hours. Normal work takes no conflicting locks; an
 * administrator's change or the member's push from another machine does, and then this sync is retried later.
 */
const LOCK_MS = 10_000;
const ATTEMPTS = 5;
/** Maximum pause before the second attempt, in ms. It doubles with each attempt. */
const FIRST_PAUSE_MS = 50;

/** A pool of connections to a server. */
interface Pool {
  readonly sql: SQL;
  /** Returns the reason why the last connection failed, for when the driver's error says less. */
  failure(): unknown;
  close(): Promise<void>;
}

/**
 * Opens connections on demand. Methods reject with `timeout` when the server does not respond, and with the errors of
 * `errors.ts`.
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
    // A pool that failed to open has already reported its error.
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
        const limits = `SET LOCAL statement_timeout = ${Math.ceil(limitMs)}; SET LOCAL lock_timeout = ${LOCK_MS}`;
        const limit = watch.answer(transaction.unsafe(limits));
        watch.leave();
        const statements = statementsOf(transaction, watch);
        const guarded = async () => {
          if (safe !== connected) await refuseOthersFunctions(statements, target);
          safe = connected;
          return work(statements);
        };
        // Together: whichever fails first, the other's failure is heard.
        const [, result] = await Promise.all([limit, guarded()]);
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
  return { target, transaction, close: drop, [Symbol.asyncDispose]: drop };
}

/**
 * SQL of schemas that are searched for unqualified names and in which another team member can create functions, or has created
 * one. Members who may change a schema themselves do not count.
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

/** Throws `server_untrusted` if another member's function could run as the user of this connection. */
async function refuseOthersFunctions(sql: Statements, target: Target): Promise<void> {
  const [found] = await sql.query<{ schema: string }>(OTHERS_FUNCTIONS);
  if (found === undefined) return;
  throw new MementorError(
    "server_untrusted",
    `team members can create functions in the schema ${found.schema} of ${nameOf(target)}, which would run with your rights`,
    {
      hint: `An administrator runs \`REVOKE CREATE ON SCHEMA ${found.schema} FROM PUBLIC\` there, and drops what members made in it.`,
    },
  );
}

/** Repeats work after transient failures, with increasing pauses. */
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

/**
 * Returns the modes of a transaction. Does not mention write access: a provider makes a database read-only, e.g. on a full disk,
 * by a default that must stay in effect.
 */
function modesOf({ isolation = "read committed", isReadOnly = false }: TransactionOptions): string {
  return `isolation level ${isolation}${isReadOnly ? ", read only" : ""}`;
}

function silent(target: Target, cause: unknown): MementorError {
  return new MementorError("timeout", `the server does not answer: ${nameOf(target)}`, {
    hint: "Check the network.",
    cause: cause instanceof Error && "code" in cause ? new Error(String(cause.code)) : undefined,
  });
}
