import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { enabled } from "../support/enabled.ts";
import { makeRepository, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let project: string;

beforeAll(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  project = await makeRepository(sandbox, "gateway");
  await enabled(sandbox, project);
  const sessions = [
    ["How often do we retry the gateway?", "We retry the gateway three times, a second apart."],
    ["Retry the gateway five times from now on.", "The gateway is retried five times now."],
  ].map((turn, at) => writeSession(sandbox, project, [turn as [string, string]], { day: 3 + at }));
  await sandbox.run(["ingest", ...sessions], { cwd: project });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const asked = async (...command: string[]) =>
  JSON.parse((await sandbox.run([...command, "--json"], { cwd: project })).stdout);
const timesOf = ({ results }: { results: { time: string }[] }) =>
  results.map(({ time }) => time.slice(0, 10)).sort();

test.each(["recall", "search"])(
  "%s looks through the time that a question names, and says so",
  async (command) => {
    const any = await asked(command, "how often did we retry the gateway");
    expect(any.time).toBeUndefined();
    const found = await asked(command, "how often did we retry the gateway on 2026-11-03");
    expect(timesOf(found)).toEqual(["2026-11-03"]);
    expect(found.time.asked).toBe("2026-11-03");
  },
);

test("what is of no such time comes from any time, and the answer says so", async () => {
  const { stdout } = await sandbox.run(["recall", "how often did we retry the gateway in May 2025"], {
    cwd: project,
  });
  expect(stdout).toContain("Of that time (May 2025) nothing answers this; this is of any time.");
  expect(stdout).toContain("five times");
});

test("a question for a time alone lists its turns, and one for where the work was left its last ones", async () => {
  const day = await asked("recall", "what did we do on 2026-11-04?");
  expect(timesOf(day)).toEqual(["2026-11-04"]);
  const { stdout } = await sandbox.run(["recall", "where did we leave off?"], { cwd: project });
  expect(stdout).toContain("Where the work was left: the last turns of the last session, in order");
  expect(stdout).toContain("The gateway is retried five times now.");
});

test("search lists them, too", async () => {
  const search = async (query: string) => (await sandbox.run(["search", query], { cwd: project })).stdout;
  const day = await search("what did we do on 2026-11-04?");
  expect(day).toStartWith("What was said then: 2026-11-04.\n\n");
  expect(day).toContain("five times");
  expect(day).not.toContain("How often");
  const last = await search("where did we leave off?");
  expect(last).toStartWith("Where the work was left: the last turns.\n\n");
  expect(last.indexOf("five times")).toBeLessThan(last.indexOf("How often"));
});

/** A project with a session that went on the day after. */
async function enableDepot(): Promise<string> {
  const depot = await makeRepository(sandbox, "depot");
  await enabled(sandbox, depot);
  const file = writeSession(sandbox, depot, [
    ["Which pallet size does the depot take?", "The depot takes pallets of 120 centimetres."],
    ["No, the depot takes pallets of 80.", "The depot takes pallets of 80 centimetres now."],
  ]);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("2026-11-03T09:01", "2026-11-04T09:01"));
  await sandbox.run(["ingest", file], { cwd: depot });
  return depot;
}

test("what is quoted of a time was said by then; without a time the user's next words are quoted, too", async () => {
  const depot = await enableDepot();
  const limited = [
    ["recall", "which pallet size did the depot take on 2026-11-03"],
    ["search", "which pallet size did the depot take on 2026-11-03"],
    ["search", "pallet size of the depot", "--until", "2026-11-03"],
  ];
  for (const command of limited.flatMap((one) => [one, [...one, "--json"]])) {
    const { stdout } = await sandbox.run(command, { cwd: depot });
    expect(stdout).toContain("120 centimetres");
    expect(stdout).not.toMatch(/\b80\b/);
  }
  const { stdout } = await sandbox.run(["recall", "which pallet size does the depot take"], { cwd: depot });
  expect(stdout).toMatch(/\b80\b/);
});
