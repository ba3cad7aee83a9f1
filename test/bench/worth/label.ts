import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as v from "valibot";
import type { StoredTurn } from "../../../src/store/stored.ts";
import { freshBinary } from "../../support/binary.ts";
import { Disk } from "../life/disk.ts";
import { readHistory } from "../life/history.ts";
import { rewriterTo, rootsOfSessions } from "../life/roots.ts";
import { Stage } from "../life/stage.ts";
import { openBenchStore } from "../memory.ts";
import { findQuote } from "./quotes.ts";
import { halfOf, portableOffset } from "./said.ts";

/**
 * `bun test/bench/worth/label.ts --corpus DIR JUDGED` prints labels for `fixtures/worth` from what a reader judged: lines of
 * labels without `half`, in which a candidate has the reader's `quote` in place of `say`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { corpus: { type: "string" } },
});
const [judged] = positionals;
if (values.corpus === undefined || judged === undefined) throw new Error("--corpus DIR JUDGED");

/** From this grade on a turn is worth telling. */
const WORTH = 2;
const CANDIDATE = v.object({
  session: v.string(),
  line: v.number(),
  turn: v.number(),
  quote: v.optional(v.string()),
});
const JUDGED = v.looseObject({
  corpus: v.string(),
  session: v.string(),
  line: v.number(),
  time: v.optional(v.string()),
  need: v.number(),
  by: v.string(),
  candidates: v.array(CANDIDATE),
});

const { corpus, sessions } = await readHistory(values.corpus);
await using stage = await Stage.open(process.env.MEMENTOR_TEST_BINARY ?? freshBinary(), []);
const rewrite = rewriterTo(stage.project, rootsOfSessions(sessions));
const disk = new Disk(stage.transcripts, sessions, rewrite);
for (const session of sessions) disk.advance(session, session.rows.length, "");
await stage.ingest(disk.takeChanged(), "", ["--text-only"]);
const store = await openBenchStore(stage.database);

for (const line of readFileSync(judged, "utf8").split("\n")) {
  if (line.trim() === "") continue;
  const { candidates, ...prompt } = v.parse(JUDGED, JSON.parse(line));
  if (prompt.corpus !== corpus) continue;
  const { session, line: at, time, need, by } = prompt;
  const label = { corpus, session, line: at, time, half: halfOf(session), need, by };
  console.log(JSON.stringify({ ...label, candidates: await Promise.all(candidates.map(withPlaces)) }));
}
await store.close();

async function withPlaces({ quote, ...candidate }: v.InferOutput<typeof CANDIDATE>) {
  const turn = quote === undefined || candidate.turn < WORTH ? undefined : await turnAt(candidate);
  if (turn === undefined || quote === undefined) return candidate;
  const at = (offset: number) => portableOffset(turn.text, offset, stage.project);
  const say = findQuote(turn, quote).map(([start, end]) => [at(start), at(end)]);
  return say.length === 0 ? candidate : { ...candidate, say };
}

/** A subagent's turn may begin at the same line: the session's own is meant. */
async function turnAt({ session, line }: { session: string; line: number }): Promise<StoredTurn | undefined> {
  const ids = (await store.browse.turnsOf(session))
    .filter(({ agentId }) => agentId === null)
    .map(({ turnId }) => turnId);
  return (await store.search.turns(ids)).find(({ lineIndex }) => lineIndex === line);
}
