import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type MadeTable, triedOn, writeRows } from "../support/made-table.ts";
import type { Plan } from "./plan.ts";
import { startRegistry } from "./registry.ts";
import { NOT_TRIED, type Shelf, WAYS, type Way } from "./ways.ts";

/** Tries each way of a plan, which `run.ts` made, with what is on this machine: nothing here needs a network. */
const TABLE: MadeTable = {
  start: "<!-- Made by bun run try:release --page. -->",
  head: ["way", "how", "tried", "what came of it"],
  place: ([name]) => [...WAYS.map((way) => way.name), ...NOT_TRIED.map(([way]) => way)].indexOf(name ?? ""),
};
const plan: Plan = await Bun.file(process.argv[2] ?? "").json();
await Bun.$`ip link set lo up`.quiet().nothrow();
const server = serveRelease(plan.release);
const work = join(plan.work, "homes");
mkdirSync(work);
using registry = plan.tools === null ? null : await startRegistry(work, plan.tools, packagesIn(plan.release));
const shelf: Shelf = {
  ...plan,
  work,
  tools: plan.tools ?? "",
  registry,
  url: `http://127.0.0.1:${server.port}`,
};

const rows: string[][] = [];
let bad = 0;
for (const way of WAYS.filter(({ name }) => plan.only?.includes(name) ?? true)) rows.push(await tryWay(way));
for (const [name, why] of NOT_TRIED) tell(name, `not tried: ${why}`);
rows.push(...NOT_TRIED.map(([name, why]) => [name, "", "not tried", why]));
if (plan.page !== null) await writeRows(plan.page, TABLE, rows);
server.stop(true);
process.exitCode = bad > 0 ? 1 : 0;

async function tryWay(way: Way): Promise<string[]> {
  const lack = way.lacks(shelf);
  if (lack !== null) {
    tell(way.name, `left out: ${lack}`);
    return [way.name, way.how, "not tried", lack];
  }
  const began = Bun.nanoseconds();
  try {
    const said = await way.tried(shelf);
    tell(way.name, `works in ${((Bun.nanoseconds() - began) / 1e9).toFixed(1)} s; ${said}`);
    return [way.name, way.how, triedOn(), said];
  } catch (error) {
    bad++;
    tell(way.name, `FAILED: ${error instanceof Error ? error.message : error}`);
    return [way.name, way.how, triedOn(), "failed"];
  }
}

function tell(name: string, said: string): void {
  process.stdout.write(`${name.padEnd(14)}${said}\n`);
}

function serveRelease(directory: string) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch({ url }) {
      const file = Bun.file(join(directory, new URL(url).pathname));
      return (await file.exists()) ? new Response(file) : new Response("", { status: 404 });
    },
  });
}

/** The packages in the order in which they are published: those of platforms first. */
function packagesIn(release: string): string[] {
  const names = readdirSync(join(release, "npm")).sort((one, other) => other.length - one.length);
  return names.map((name) => join(release, "npm", name));
}
