import { type Check, ok, warning } from "../doctor.ts";

export interface RelatedContext {
  /** The projects that the configuration relates to this one, each with what is wrong with its memory. */
  related: () => Promise<readonly { path: string; problem: string | null }[]>;
}

/** Checks that the memories of related projects can be read. */
export function relatedChecks({ related }: RelatedContext): Check[] {
  const run = async () => {
    const states = await related();
    const wrong = states.filter(({ problem }) => problem !== null);
    if (wrong.length > 0)
      return warning(
        `Related projects that hooks cannot use: ${wrong.map(({ path, problem }) => `${path} (${problem})`).join(", ")}.`,
        'Run "mementor doctor" there, or take it out of "recall.related".',
      );
    if (states.length === 0) return ok("No other projects are related to this one.");
    return ok(`Prompts also recall from ${states.map(({ path }) => path).join(", ")}.`);
  };
  return [{ name: "related", run }];
}
