import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";

/**
 * Asks the person at the terminal. Resolves to true for "yes". Throws `usage`, or `nobody`, when stdin is not a
 * terminal.
 */
export async function confirm(
  { stdin, stderr }: Host,
  question: string,
  nobody?: MementorError,
): Promise<boolean> {
  if (!stdin.isTerminal || !stderr.isTerminal)
    throw (
      nobody ??
      new MementorError("usage", "Nothing was removed: there is no terminal to confirm on.", {
        hint: 'Preview with "--dry-run", then add "--yes".',
      })
    );
  stderr.write(`${question} [y/N] `);
  return /^y(?:es)?$/i.test((await stdin.readLine())?.trim() ?? "");
}
