import { type Check, ok, warning } from "../doctor.ts";

export interface RelatedContext {
  /** The projects that the configuration relates to this one, each with what is wrong with its memory. */
  related: () => Promise<readonly { path: string; problem: string | null; isMissing: boolean }[]>;
}

/** Checks that the memories of related projects can be read. */
export function relatedChecks({ related }: RelatedContext): Check[] {
  const run = async () => {
    const states = await related();
    const wrong = states.filter(({ problem }) => problem !== null);
    if (wrong.length > 0)
      return warning(
        `Related projects that hooks cannot use: ${wrong.map(({ path, problem }) => `${path} (${problem})`).join(", ")}.`,
        [
          ...(wrong.some(({ isMissing }) => isMissing)
            ? [
                'Correct the path that does not exist: "mementor config" shows which file sets "recall.related".',
              ]
            : []),
          ...(wrong.every(({ isMissing }) => isMissing)
            ? []
            : ['Run "mementor doctor" in the project, or take it out of "recall.related".']),
        ].join(" "),
      );
    if (states.length === 0) return ok("No other projects are related to this one.");
    return ok(`Prompts also recall from ${states.map(({ path }) => path).join(", ")}.`);
  };
  return [{ name: "related", run }];
}
