import { HOOK_LIMITS } from "../constants.ts";
import { parsePayload } from "../hooks/payload.ts";
import type { Input } from "../host.ts";
import { within } from "../io/within.ts";

/**
 * Whether the input is that of a hook: one JSON object. A client that does not know `args` starts the bare program, and
 * would take whatever it prints for the answer to a prompt.
 */
export async function isHookInput(stdin: Input): Promise<boolean> {
  if (stdin.isTerminal) return false;
  const bytes = await within(HOOK_LIMITS.inputMs, stdin.read(HOOK_LIMITS.inputBytes)).catch(() => null);
  return bytes !== null && parsePayload(bytes) !== null;
}
