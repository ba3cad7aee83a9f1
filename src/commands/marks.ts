import { defineCommand } from "../command/command.ts";
import { viewOptions } from "../command/common-options.ts";
import { compareTimes } from "../text/times.ts";
import { viewLocal } from "./shared/view.ts";

export const command = defineCommand({
  name: "marks",
  help: { group: "Teach", position: 6 },
  summary: "List what is marked: good and bad answers, muted and pinned turns",
  arguments: {},
  options: viewOptions,
  examples: ["mementor marks", "mementor marks --json"],
  async run({ options }, runtime) {
    const { markJson, renderMarks } = await import("../render/marks.ts");
    return viewLocal(runtime, options, async ({ marks, search }) => {
      const found = [...(await marks.turnMarks()), ...(await marks.answerMarks())];
      found.sort((a, b) => compareTimes(b.time, a.time));
      const ids = [...new Set(found.map(({ turnId }) => turnId))];
      const turns = new Map((await search.turns(ids)).map((turn) => [turn.turnId, turn]));
      return {
        json: () => ({ marks: found.map((mark) => markJson(mark, turns)) }),
        text: (screen) => renderMarks(found, turns, screen),
      };
    });
  },
});
