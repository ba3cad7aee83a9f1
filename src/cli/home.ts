import { basename } from "node:path";
import { NOTE } from "../constants.ts";
import { currentBranch } from "../git/project.ts";
import type { Host } from "../host.ts";
import { statIfExists } from "../io/read.ts";
import { refusalOf } from "../project/refusal.ts";
import { isTrusted } from "../project/trust.ts";
import type { Home } from "../render/home.ts";
import { Runtime } from "../runtime.ts";
import type { TurnSummary } from "../store/browse.ts";

/** Rows of each list, and the turns and answers among which they are looked for: no notes, and what told something. */
const ROWS = { recent: 3, turns: 100, told: 3, answers: 100 } as const;

/** Shows how things are in an enabled project; elsewhere a short help. `memoryOptions` are those that name the project. */
export async function showHome(host: Host, memoryOptions: readonly string[] = []): Promise<number> {
  const { programFor } = await import("../render/program.ts");
  const { renderHome, renderShortHelp } = await import("../render/home.ts");
  const { styleFor } = await import("../render/style.ts");
  const runtime = new Runtime(host);
  const home = await homeOf(runtime).catch(() => null);
  const screen = {
    style: styleFor(host.stdout, host.env),
    width: host.stdout.columns,
    now: host.now(),
    program: programFor(memoryOptions),
  };
  host.stdout.write(
    home === null
      ? renderShortHelp(screen, refusalOf(runtime.paths, runtime.project.root))
      : renderHome(home, screen),
  );
  return 0;
}

/** Returns what is to be shown; null where the project is not enabled, or has no memory yet. */
async function homeOf(runtime: Runtime): Promise<Home | null> {
  const { paths, project, memory } = runtime;
  if (!isTrusted(paths, project.root) || (await runtime.origin()) !== "own") return null;
  if (statIfExists(memory.databaseFile) === null) return null;
  await using store = await runtime.openStore("readonly");
  const answers = await store.journal.answers({ limit: ROWS.answers });
  return {
    name: basename(project.root),
    branch: currentBranch(project),
    totals: await store.search.totals(),
    related: await relatedTotals(runtime),
    recent: whereWorkStood(await store.browse.recent(ROWS.turns, {})),
    told: answers.filter(({ decision }) => decision === "told").slice(0, ROWS.told),
  };
}

/** Returns the latest turns: notes, which are no work, only where there is nothing else. */
function whereWorkStood(latest: readonly TurnSummary[]): TurnSummary[] {
  const turns = latest.filter(({ client }) => client !== NOTE.client);
  return (turns.length > 0 ? turns : latest).slice(0, ROWS.recent);
}

/** Counts the turns of related projects; a memory that cannot be read is left out, and "status" names it. */
async function relatedTotals(runtime: Runtime): Promise<Home["related"]> {
  const { relatedProjects } = await import("../across/related.ts");
  const { openMemory } = await import("../across/memories.ts");
  const total = { projects: 0, turns: 0, notes: 0 };
  for (const { memory } of await relatedProjects(runtime)) {
    const store = memory && (await openMemory(runtime, memory).catch(() => null));
    if (store === null) continue;
    const { turns, notes } = await store.search.totals().finally(() => store.close());
    total.turns += turns;
    total.notes += notes;
    total.projects += 1;
  }
  return total;
}
