import { type Check, ok, warning } from "../doctor.ts";

export interface ConfigContext {
  /** Settings that were ignored. */
  problems: () => Promise<readonly { where: string; key: string; message: string }[]>;
}

/** Checks that every configured setting can be used. */
export function configChecks({ problems }: ConfigContext): Check[] {
  const run = async () => {
    const found = await problems();
    const [first] = found;
    if (!first) return ok("The configuration has no mistakes.");
    const what = [first.where, first.key, first.message].filter((part) => part !== "").join(": ");
    const more = found.length > 1 ? `, and ${found.length - 1} more` : "";
    return warning(`A setting is not used: ${what}${more}.`, 'See "mementor config", and correct it.');
  };
  return [{ name: "config", run }];
}
