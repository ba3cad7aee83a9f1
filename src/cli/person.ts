import { MementorError } from "../errors.ts";
import { isRunByAgent } from "../recall/across/asker.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Rejects agents: adopted text counts as the user's own words, and an agent may have been tricked into adopting it.
 *
 * @param what what would be taken over, at the start of a sentence
 * @throws `usage` when an agent runs this command
 */
export async function requirePerson(runtime: Runtime, what: string, command: string): Promise<void> {
  if (!(await isRunByAgent(runtime))) return;
  throw new MementorError(
    "usage",
    `${what} would become your own words, and an agent cannot vouch for that.`,
    {
      hint: `If you want it, run it in a terminal of your own, opened before the agent started or after it has ended: ${command}`,
    },
  );
}
