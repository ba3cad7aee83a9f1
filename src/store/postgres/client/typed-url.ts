import { MementorError } from "../../../errors.ts";
import { nameOf, parseTarget } from "./target.ts";

/** Returns a URL that was typed. Throws `usage` when it holds a password: other programs can read command lines. */
export function withoutPassword(url: string): string {
  const target = parseTarget(url);
  if (target.password === null) return url;
  throw new MementorError("usage", "A password on the command line can be read by others on this machine.", {
    hint: `Use ${nameOf(target)}, and give the password in PGPASSWORD, ~/.pgpass or MEMENTOR_TEAM_URL, or when "mementor team" asks for it.`,
  });
}
