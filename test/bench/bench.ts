import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { MULTILINGUAL } from "../../src/constants.ts";
import { measureAllProjects } from "./all-projects.ts";
import { measureHuge } from "./huge.ts";
import { measureIngest } from "./ingest.ts";
import { measureLists } from "./lists.ts";
import { table } from "./measure.ts";
import { measureModels } from "./models.ts";
import { measurePrompt } from "./prompt.ts";
import { measureRead } from "./read.ts";
import { runCheck } from "./run-check.ts";
import { measureScan } from "./scan.ts";
import { measureSearch } from "./search.ts";
import { measureStart } from "./start.ts";
import { measureSync } from "./sync.ts";
import { FULL, measureTeam, SMALL, SUBJECTS, type Subject } from "./team.ts";
import { measureTeamAway } from "./team-away.ts";
import { measureTextStage } from "./text-stage.ts";

/**
 * `bun run bench [--corpus DIR] [part...]` prints each figure beside its baseline from the same run.
 * `bun run bench --check [--corpus DIR --queries FILE] [part...]` compares the ratios with those in `expected.json` and
 * fails when one became worse than noise allows; `--record` makes what it measures the new expectation.
 */
const { values, positionals } = parseArgs({
  options: {
    corpus: { type: "string" },
    queries: { type: "string" },
    gigabytes: { type: "string", default: "1" },
    /** The archive of the model for many languages. */
    archive: { type: "string", default: `dist/release/${MULTILINGUAL.archive}` },
    check: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    chunks: { type: "string" },
    projects: { type: "string" },
    only: { type: "string" },
    turns: { type: "string", default: "20000" },
  },
  allowPositionals: true,
});

const PARTS: Record<string, () => Promise<string>> = {
  start: async () => table("Start, on a small memory", await measureStart(values.corpus)),
  "team-away": async () =>
    table("Hooks and commands while a team's server is away", await measureTeamAway(values.corpus)),
  read: async () => table("Reading transcripts", await measureRead(values.corpus)),
  ingest: async () => table("Ingest", await measureIngest(values.corpus)),
  models: async () =>
    table("Processor time of two models", await measureModels(values.archive, values.corpus)),
  search: async () => table("Searching made-up memories", await measureSearch()),
  scan: async () => table("Searching vectors without sqlite-vec", await measureScan()),
  prompt: async () => table("A prompt's hook, on made-up memories", await measurePrompt()),
  "all-projects": async () => table("Searching all projects", await measureAllProjects()),
  lists: async () => table("Lists, in a memory of 20,000 turns", await measureLists()),
  million: async () => table("A prompt's hook, in a million chunks", await measurePrompt([1_000_000])),
  "text-stage": async () =>
    table("Text of a large history", await measureTextStage(values.corpus, Number(values.gigabytes))),
  team: () => measureTeam(teamSize(), teamSubjects()),
  sync: () => measureSync(Number(values.turns)),
  huge: async () => table("A transcript of 2 GB", await measureHuge(values.corpus)),
};

/**
 * `bun run bench team --chunks 1000000 --projects 200` is what is promised; without these, a small server. `--only push`,
 * `pull`, `search`, or several of these with commas, measures no more than that; a push needs no filled server.
 */
function teamSize(): typeof FULL {
  const { chunks, projects } = values;
  if (chunks === undefined && projects === undefined) return SMALL;
  const size = {
    ...FULL,
    chunks: Number(chunks ?? FULL.chunks),
    projects: Number(projects ?? FULL.projects),
  };
  if (!(size.chunks > 0 && size.projects > 1)) throw new Error("--chunks and --projects are numbers");
  return size;
}

function teamSubjects(): readonly Subject[] {
  const named = values.only?.split(",") ?? SUBJECTS;
  const known = SUBJECTS.filter((subject) => named.includes(subject));
  if (known.length !== named.length) throw new Error(`--only names some of ${SUBJECTS.join(", ")}`);
  return known;
}

/** What runs when nothing is named: all that takes minutes at most and little of the disk. */
const USUAL = Object.keys(PARTS).filter(
  (part) =>
    ![
      "huge",
      "million",
      "models",
      "sync",
      "team",
      "team-away",
      "text-stage",
      "all-projects",
      "scan",
    ].includes(part),
);

if (values.check || values.record) {
  const { corpus, queries, record } = values;
  if ((corpus === undefined) !== (queries === undefined))
    throw new Error("--corpus DIR and --queries FILE come together");
  for (const path of [corpus, queries])
    if (path !== undefined && !existsSync(path)) throw new Error(`there is nothing at ${path}`);
  const labelled = corpus && queries ? { directory: corpus, queries } : null;
  process.exit((await runCheck({ only: positionals, corpus: labelled, record })) ? 0 : 1);
}

for (const part of positionals.length > 0 ? positionals : USUAL) {
  const measure = PARTS[part];
  if (!measure) throw new Error(`there is no part "${part}"; there are ${Object.keys(PARTS).join(", ")}`);
  process.stdout.write(await measure());
}
