import * as v from "valibot";
import { MementorError } from "../../../errors.ts";

const NAME = v.pipe(
  v.string(),
  v.regex(/^[a-z_][a-z0-9_.-]{0,62}$/),
  v.check((name) => !/^(?:pg_|mementor_)/.test(name) && name !== "public" && name !== "none"),
);

/** Checks the name of a member, which becomes a role of the database. Throws `usage`. */
export function roleName(typed: string): string {
  const parsed = v.safeParse(NAME, typed);
  if (parsed.success) return parsed.output;
  throw new MementorError("usage", `"${typed}" cannot be the name of a member.`, {
    hint: "Use small letters, digits, and . _ -, such as ada or ada.lovelace; not pg_… or mementor_….",
  });
}
