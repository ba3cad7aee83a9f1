import type { SQL, TransactionSQL } from "bun";
import { MementorError } from "../../../errors.ts";
import { isTransient, mapServerError } from "./errors.ts";
import { type Statements, statementsOf } from "./statements.ts";
import { nameOf, type Target } from "./target.ts";
import { Watch } from "./watch.ts";

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
export interface Pool {
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
    const { sql, failure } = await opened();
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
        const [, result] = await Promise.all([limit, work(statementsOf(transaction, watch))]);
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
