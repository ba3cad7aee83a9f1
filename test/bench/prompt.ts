import { basename, join } from "node:path";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { compileHello, inTurn, type Row, type Sample, scratchDir } from "./measure.ts";
import { launch, succeed } from "./start.ts";
import { randomText, SESSION, Synthetic } from "./synthetic.ts";

const SIZES = [1_000, 100_000];
const RUNS = 25;
const WORDS = 9;

/** Measures a prompt's hook from its start to its end, in memories of made-up chunks, against a compiled hello world. */
export async function measurePrompt(sizes: readonly number[] = SIZES): Promise<Row[]> {
  using scratch = scratchDir();
  await using stack = new AsyncDisposableStack();
  const hello = await compileHello(scratch.path);
  const runs: { what: string; run: () => Promise<Sample> }[] = [];
  let seed = 7_000_003;
  for (const chunks of sizes) {
    const sandbox = stack.use(await Sandbox.create());
    await fillMemory(sandbox, async (store) => void (await synthetic().fill(store, chunks)));
    // A new session has no files yet; the files of the other one enrich the prompt.
    const size = `${chunks.toLocaleString("en")} chunks`;
    runs.push({ what: `${size}, first prompt`, run: () => prompt(sandbox, crypto.randomUUID(), seed++) });
    runs.push({ what: `${size}, in a session with files`, run: () => prompt(sandbox, SESSION, seed++) });
  }
  await using quiet = await Sandbox.create();
  const [baseline, ...samples] = await inTurn(
    [() => launch(quiet, [hello], {}), ...runs.map(({ run }) => run)],
    RUNS,
  );
  return runs.map(({ what }, i) => ({
    what,
    ms: samples[i]?.ms ?? Number.NaN,
    maxRss: samples[i]?.maxRss ?? null,
    baseline: "hello world",
    baselineMs: baseline?.ms ?? Number.NaN,
  }));
}

function prompt(sandbox: Sandbox, sessionId: string, seed: number) {
  const { project: cwd, root } = sandbox;
  return launch(sandbox, [BINARY, "hook", "user-prompt-submit"], {
    session_id: sessionId,
    transcript_path: join(root, "quiet.jsonl"),
    cwd,
    prompt: randomText(seed, WORDS),
  });
}

/** Makes random words and vectors of the built-in model. */
export function synthetic(): Synthetic {
  return new Synthetic(BUILT_IN_MODEL.dimensions);
}

/** Enables the sandbox's project and fills its memory. */
export async function fillMemory(
  sandbox: Sandbox,
  fill: (store: SqliteStore) => Promise<void>,
): Promise<void> {
  await succeed(sandbox, ["enable", "--no-history"]);
  const memory = sandbox.memory();
  const store = await openSqliteStore({
    file: join(memory, "mementor.db"),
    mode: "create",
    vecLibrary: null,
    vectorBackend: "scan",
    busyTimeoutMs: 10_000,
    now: () => new Date().toISOString(),
    tombstoneKey: () => new Uint8Array(32),
    identity: { id: basename(memory), adopt: false },
  });
  await fill(store);
  await store.close();
}
