import type { Host } from "../../host.ts";

/** How a person answered. `quit` is a q, Ctrl-C or the end of the input. */
export type Decision = "yes" | "no" | "quit";

/** Whether there is a person to ask. */
export function canAsk({ stdin, stderr }: Host): boolean {
  return stdin.isTerminal && stderr.isTerminal;
}

/** Asks the person at the terminal until the answer is one of them. `byDefault` is what Enter alone means. */
export async function ask(host: Host, question: string, byDefault: "yes" | "no"): Promise<Decision> {
  const choices = byDefault === "yes" ? "[Y/n/q]" : "[y/N/q]";
  for (;;) {
    host.stderr.write(`${question} ${choices} `);
    const answer = await lineOrInterrupt(host);
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
    host.stderr.write(`${question} [1-${count}/q] `);
    const answer = await lineOrInterrupt(host);
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

/** Ctrl-C only aborts a signal here, so a line that is waited for would still be waited for. */
async function lineOrInterrupt({ stdin, interrupted }: Host): Promise<string | null> {
  const signal = interrupted();
  if (signal.aborted) return null;
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = () => resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([stdin.readLine(), promise]).finally(() => signal.removeEventListener("abort", stop));
}
