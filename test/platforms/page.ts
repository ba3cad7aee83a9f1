import { join } from "node:path";
import { TARGETS } from "../../src/assets/target.ts";
import { type MadeTable, triedOn, writeRows } from "../support/made-table.ts";
import type { Outcome } from "./check.ts";
import type { System } from "./systems.ts";

export interface Result extends Pick<System, "name" | "target" | "how"> {
  outcomes: readonly Outcome[];
}

const TABLE: MadeTable = {
  start: "<!-- Made by bun run try:platforms --page. -->",
  head: ["system", "binary", "how", "tried", "checks that hold"],
  place: ([, binary]) => TARGETS.findIndex((target) => binary === `\`${target}\``),
};

/** Writes into the page what was tried now; what was not keeps its row. */
export async function writePage(results: readonly Result[], root: string): Promise<void> {
  const rows = results.map(({ name, target, how, outcomes }) => {
    return [name, `\`${target}\``, how, triedOn(), held(outcomes)];
  });
  await writeRows(join(root, ".github", "docs", "platforms.md"), TABLE, rows);
}

/** Says how many checks held, and names the others. */
export function held(outcomes: readonly Pick<Outcome, "name" | "problem">[]): string {
  const failed = outcomes.filter(({ problem }) => problem !== "").map(({ name }) => name);
  return [`${outcomes.length - failed.length} of ${outcomes.length}`, ...failed].join("; not: ");
}
