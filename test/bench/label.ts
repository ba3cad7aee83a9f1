import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { openBenchMemory } from "./memory.ts";
import { type PooledSession, pooledSessions } from "./pooling.ts";
import { readQueries } from "./prompts.ts";
import { isInRepository, keepVerdict, readVerdicts, type Verdict } from "./verdicts.ts";

/**
 * `bun run bench:label --corpus DIR --queries FILE --labels FILE` shows, for each query, the sessions that several rankings
 * find, and asks whether each one answers it. Every answer is kept at once: started again, it goes on where it was left.
 * `bench:recall --labels FILE` counts with what was said.
 */
const { values: options } = parseArgs({
  options: {
    corpus: { type: "string" },
    queries: { type: "string" },
    labels: { type: "string" },
    /** How many turns of each ranking are shown. */
    depth: { type: "string", default: "5" },
  },
});

const VERDICTS: Record<string, Verdict["verdict"]> = { y: "yes", n: "no", s: "skip" };

const say = (line: string) => process.stdout.write(`${line}\n`);
const { corpus, queries, labels } = options;
if (corpus === undefined || queries === undefined || labels === undefined) {
  say("usage: bench:label --corpus DIR --queries FILE --labels FILE [--depth 5]");
  process.exit(1);
}
if (isInRepository(labels)) {
  say(`${labels} is in this repository: what you say of your own history belongs elsewhere`);
  process.exit(1);
}
const said = new Set(readVerdicts(labels).map(keyOf));
const memory = await openBenchMemory(corpus);
const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();
try {
  await labelAll(labels);
} finally {
  input.close();
  await memory.close();
}

async function labelAll(file: string): Promise<void> {
  const wanted = [...new Set(readQueries(queries ?? "").map(({ query }) => query))];
  let kept = 0;
  for (const [i, query] of wanted.entries()) {
    const open = (await pooledSessions(memory, query, Number(options.depth))).filter(
      ({ session }) => !said.has(keyOf({ query, session })),
    );
    for (const [k, found] of open.entries()) {
      show(`query ${i + 1} of ${wanted.length}, session ${k + 1} of ${open.length}`, query, found);
      const verdict = await askVerdict();
      if (verdict === null) {
        say(`\n${kept} kept in ${file}; start again to go on`);
        return;
      }
      keepVerdict(file, { query, session: found.session, verdict });
      kept++;
    }
  }
  say(`\n${kept} kept in ${file}; nothing is left to ask`);
}

function show(place: string, query: string, { session, turnId, createdAt, passage }: PooledSession): void {
  say(`\n--- ${place} (${session}, turn ${turnId}, ${createdAt ?? "no date"})\n`);
  say(`${passage}\n\nquery: ${query}`);
}

/** Returns null when the person stops, or the input ends. */
async function askVerdict(): Promise<Verdict["verdict"] | null> {
  for (;;) {
    process.stdout.write("Does this session answer it? y(es), n(o), s(kip), q(uit): ");
    const { value, done } = await lines.next();
    const answer = done ? "q" : value.trim().toLowerCase().slice(0, 1);
    if (answer === "q") return null;
    const verdict = VERDICTS[answer];
    if (verdict !== undefined) return verdict;
  }
}

function keyOf({ query, session }: Pick<Verdict, "query" | "session">): string {
  return `${session}\0${query}`;
}
