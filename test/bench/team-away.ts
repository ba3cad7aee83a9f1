import { workerDone } from "../e2e/client.ts";
import { startPglite } from "../support/postgres/pglite.ts";
import { git } from "../support/projects.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { inTurn, type Row, SAMPLE, scratchDir } from "./measure.ts";
import { type Case, casesOf, copied, launch, succeed } from "./start.ts";

/** Fewer than for a start: some calls leave a worker behind, which is waited for. */
const RUNS = 15;
const PROJECT = "github.com/acme/shop";

const COMMANDS: readonly Case[] = [
  { what: "mementor search", args: ["search", "how is the rate of the link checker limited"] },
  { what: "mementor status", args: ["status"] },
  { what: "mementor show", args: ["show", "1"] },
];

/**
 * Measures hooks and local commands on a memory whose team's server cannot be reached, with changes that wait to be sent,
 * each against the same on a memory without a team.
 */
export async function measureTeamAway(corpus: string = SAMPLE): Promise<Row[]> {
  using scratch = scratchDir();
  const program = copied(BINARY, scratch.path);
  await using alone = await Sandbox.create();
  await using member = await Sandbox.create();
  for (const sandbox of [alone, member]) {
    await git(sandbox.project, "init", "-q");
    await git(sandbox.project, "remote", "add", "origin", "git@github.com:acme/shop.git");
    await succeed(sandbox, ["enable", "--no-history"]);
  }
  await joinTeam(member);
  for (const sandbox of [alone, member]) await succeed(sandbox, ["ingest", corpus]);
  const pairs = [alone, member].map((sandbox) => [...casesOf(sandbox), ...COMMANDS]);
  const [cases = []] = pairs;
  // A command comes right after the same one without a team, so that a busy moment hits both.
  const runs = cases.flatMap((_, i) =>
    [alone, member].map((sandbox, k) => async () => {
      const { args, input, before, works } = pairs[k]?.[i] ?? { what: "", args: [] };
      before?.();
      const sample = await launch(sandbox, [program, ...args], input?.() ?? {});
      if (works) await workerDone(sandbox);
      return sample;
    }),
  );
  const samples = await inTurn(runs, RUNS);
  return cases.map(({ what }, i) => ({
    what,
    ms: samples[2 * i + 1]?.ms ?? Number.NaN,
    maxRss: samples[2 * i + 1]?.maxRss ?? null,
    baseline: "without a team",
    baselineMs: samples[2 * i]?.ms ?? Number.NaN,
  }));
}

/** Joins a team that shares all of the memory, whose server then goes away. */
async function joinTeam(sandbox: Sandbox): Promise<void> {
  await using server = await startPglite();
  await succeed(sandbox, ["team", "init", server.url]);
  const { stdout } = await sandbox.run(["team", "add", "ada", "--project", PROJECT, "--json"]);
  const joined = await sandbox.run(["team", "join", server.urlOf("ada"), "--password-stdin"], {
    stdin: `${JSON.parse(stdout).password}\n`,
  });
  if (joined.exitCode !== 0) throw new Error(joined.stderr);
  await succeed(sandbox, ["team", "share", "on", "--yes"]);
}
