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
export class Watch {
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
