import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";

/** How a person answered. `quit` is a q, Ctrl-C or the end of the input. */
export type Decision = "yes" | "no" | "quit";

/** Tells whether there is a person to ask. */
export function canAsk({ stdin, stderr }: Host): boolean {
  return stdin.isTerminal && stderr.isTerminal;
}

/** Asks the person at the terminal until the answer is valid. `byDefault` is the meaning of Enter alone. */
export async function askUser(host: Host, question: string, byDefault: "yes" | "no"): Promise<Decision> {
  const choices = byDefault === "yes" ? "[Y/n/q]" : "[y/N/q]";
  for (;;) {
    const answer = await answerTo(`${question} ${choices} `, host);
    if (answer === null) {
      host.stderr.write("\n");
      return "quit";
    }
    const decision = decisionOf(answer.trim().toLowerCase(), byDefault);
    if (decision !== null) return decision;
    host.stderr.write("Please answer y for yes, n for no, or q to quit.\n");
  }
}

/** Asks for a number from 1 to `count`. Resolves to null when the person quits. */
export async function askNumber(host: Host, question: string, count: number): Promise<number | null> {
  for (;;) {
    const answer = await answerTo(`${question} [1-${count}/q] `, host);
    if (answer === null) host.stderr.write("\n");
    const word = answer?.trim().toLowerCase() ?? "q";
    const chosen = Number(/^\d$/.exec(word)?.[0] ?? 0);
    if (chosen >= 1 && chosen <= count) return chosen;
    if (word !== "" && "quit".startsWith(word)) return null;
    host.stderr.write("Please answer with a number, or q to quit.\n");
  }
}

function decisionOf(word: string, byDefault: "yes" | "no"): Decision | null {
  if (word === "") return byDefault;
  const decisions: readonly Decision[] = ["yes", "no", "quit"];
  return decisions.find((decision) => decision.startsWith(word)) ?? null;
}

/**
 * Writes a question and resolves to the line that answers it; null at the end of the input, and after Ctrl-C, which here only
 * aborts a signal.
 */
async function answerTo(question: string, { stdin, stderr, interrupted }: Host): Promise<string | null> {
  // Before the question, because the user may press Ctrl-C as soon as it appears.
  const signal = interrupted();
  stderr.write(question);
  if (signal.aborted) return null;
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = () => resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([stdin.readLine(), promise]).finally(() => signal.removeEventListener("abort", stop));
}

/** Exit code of a command that Ctrl-C stopped, as shells report it. */
export const INTERRUPTED = 130;

/**
 * Resolves like `work`, which waits for input. Rejects with `interrupted` at Ctrl-C or SIGTERM, because nothing else would end
 * the wait.
 */
export async function unlessInterrupted<T>(
  { interrupted }: Pick<Host, "interrupted">,
  work: Promise<T>,
): Promise<T> {
  const signal = interrupted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new MementorError("interrupted", "It was stopped."));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}

/** Asks the person at the terminal. Resolves to true for "yes". Throws `usage` with `hint` when stdin is not a terminal. */
export async function confirm(host: Host, question: string, hint = 'Add "--yes".'): Promise<boolean> {
  if (!canAsk(host))
    throw new MementorError("usage", "Nothing was changed: there is no terminal to confirm on.", { hint });
  return (await askUser(host, question, "no")) === "yes";
}

/** Says that nothing was done, and returns the exit code: 130 after Ctrl-C. */
export function declined({ stdout, interrupted }: Host, message: string): number {
  stdout.write(`${message}\n`);
  return interrupted().aborted ? INTERRUPTED : 0;
}

/** Runs another program on this terminal, and leaves Ctrl-C to it. Resolves to its exit code. */
export async function runOnTerminal(words: string[], options: { cwd?: string } = {}): Promise<number> {
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    return await Bun.spawn(words, { ...options, stdio: ["inherit", "inherit", "inherit"] }).exited;
  } finally {
    process.off("SIGINT", ignore);
  }
}
