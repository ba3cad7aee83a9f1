import { redactAnnounced, redactAssignments } from "./credentials.ts";
import { secretSigns } from "./secret-signs.ts";

/**
 * Returns the text with secrets replaced by `[redacted:<kind>]`: keys and tokens of known services, private keys, JWTs,
 * passwords in addresses, and the values of assignments whose name says what they are. What was redacted stays as it is.
 */
export function redact(text: string): string {
  const signs = secretSigns(text);
  if (signs === null) return text;
  let result = text;
  for (const { kind, pattern } of signs.rules) result = result.replace(pattern, `[redacted:${kind}]`);
  if (signs.announced) result = redactAnnounced(result);
  if (signs.assignments.length === 0) return result;
  return redactAssignments(
    result,
    result === text ? signs.assignments : (secretSigns(result)?.assignments ?? []),
  );
}
