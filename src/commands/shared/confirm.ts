import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";
import { ask, canAsk } from "./ask.ts";
import { INTERRUPTED } from "./interrupted.ts";

/**
 * Asks the person at the terminal. Resolves to true for "yes". Throws `usage`, or `nobody`, when stdin is not a
 * terminal.
 */
export async function confirm(host: Host, question: string, nobody?: MementorError): Promise<boolean> {
  if (!canAsk(host))
    throw (
      nobody ??
      new MementorError("usage", "Nothing was removed: there is no terminal to confirm on.", {
        hint: 'Add "--yes".',
      })
    );
  return (await ask(host, question, "no")) === "yes";
}

/** Says that nothing was done, and returns the exit code: 130 after Ctrl-C. */
export function declined({ stdout, interrupted }: Host, message: string): number {
  stdout.write(`${message}\n`);
  return interrupted().aborted ? INTERRUPTED : 0;
}
