import * as v from "valibot";
import { MementorError } from "../../../errors.ts";
import { isReservedName } from "../../../text/names.ts";

const NAME = v.pipe(
  v.string(),
  v.regex(/^[a-z_][a-z0-9_.-]{0,62}$/),
  v.check((name) => !/^(?:pg_|mementor_)/.test(name) && name !== "public" && name !== "none"),
);

/** Checks the name of a new member, which is to mean nobody else in lists and filters. Throws `usage`. */
export function newRoleName(typed: string): string {
  const name = roleName(typed);
  if (!isReservedName(name)) return name;
  throw new MementorError(
    "usage",
    `"${name}" cannot be the name of a member: it means something else here.`,
    {
      hint: "Use the person's name, such as ada or ada.lovelace.",
    },
  );
}

/** Checks the name of a member, which becomes a role of the database. Throws `usage`. */
export function roleName(typed: string): string {
  const parsed = v.safeParse(NAME, typed);
  if (parsed.success) return parsed.output;
  throw new MementorError("usage", `"${typed}" cannot be the name of a member.`, {
    hint: "Use small letters, digits, and . _ -, such as ada or ada.lovelace; not pg_… or mementor_….",
  });
}
