import type { ConfigProblem } from "../../config/config.ts";
import { exclusionProblem } from "../../config/exclusions.ts";
import { type Check, failure, ok, warning } from "../doctor.ts";

export interface ConfigContext {
  /** Settings that were ignored. */
  problems: () => Promise<readonly ConfigProblem[]>;
  /** Variables that lead into the project, and so do not count. */
  refused: readonly string[];
}

/** Checks that every configured setting can be used. */
export function configChecks({ problems, refused }: ConfigContext): Check[] {
  const places = () =>
    warning(
      `${refused.join(", ")} ${refused.length === 1 ? "leads" : "lead"} into this project, and ${refused.length === 1 ? "does" : "do"} not count.`,
      "The project may have set that, such as in .claude/settings.json. What lies there is not yours: look at it before you set such a variable yourself.",
    );
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
  return [
    { name: "config", run },
    ...(refused.length > 0 ? [{ name: "variables", run: async () => places() }] : []),
  ];
}

function wordsOf({ where, key, message }: ConfigProblem): string {
  return [where, key, message].filter((part) => part !== "").join(": ");
}
