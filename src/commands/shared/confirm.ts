import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";

/** Asks a person, who has to say yes; throws `usage`, or `nobody`, where there is nobody to ask. */
export async function confirm(
  { stdin, stderr }: Host,
  question: string,
  nobody?: MementorError,
): Promise<boolean> {
  if (!stdin.isTerminal || !stderr.isTerminal)
    throw (
      nobody ??
      new MementorError("usage", "There is nobody to ask, so nothing was removed.", {
        hint: 'Look at it with "--dry-run", then say "--yes".',
      })
    );
  stderr.write(`${question} [y/N] `);
  return /^y(?:es)?$/i.test((await stdin.readLine())?.trim() ?? "");
}
