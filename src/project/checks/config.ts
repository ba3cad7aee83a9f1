import type { ConfigProblem } from "../../config/config.ts";
import { exclusionProblem } from "../../config/exclusions.ts";
import { type Check, failure, ok, warning } from "../doctor.ts";

export interface ConfigContext {
  /** Settings that were ignored. */
  problems: () => Promise<readonly ConfigProblem[]>;
}

/** Checks that every configured setting can be used. */
export function configChecks({ problems }: ConfigContext): Check[] {
  const run = async () => {
    const found = await problems();
    const unknown = exclusionProblem({ problems: [...found] });
    if (unknown !== null)
      return failure(
        `Nothing new is read, since it is not known what to leave out: ${wordsOf(unknown)}.`,
        "Correct the settings. What waits is read then.",
      );
    const [first] = found;
    if (!first) return ok("The configuration has no mistakes.");
    const more = found.length > 1 ? `, and ${found.length - 1} more` : "";
    return warning(
      `A setting is not used: ${wordsOf(first)}${more}.`,
      'See "mementor config", and correct it.',
    );
  };
  return [{ name: "config", run }];
}

function wordsOf({ where, key, message }: ConfigProblem): string {
  return [where, key, message].filter((part) => part !== "").join(": ");
}
