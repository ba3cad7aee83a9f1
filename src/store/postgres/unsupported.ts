import { MementorError } from "../../errors.ts";

/** A part of the store that a team's database does not have: all methods but those that are given reject. */
export function unsupported<Part extends object>(what: string, given: Partial<Part> = {}): Part {
  const reject = async () => {
    throw new MementorError("usage", `A team's database has no ${what}.`, {
      hint: "Leave out --db: this works on the local memory.",
    });
  };
  return new Proxy(given as Part, {
    // `await` asks every value for this method, and would wait for ever for a part that seemed to have it.
    get: (known, name) => (name === "then" ? undefined : (Reflect.get(known, name) ?? reject)),
  });
}
