import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { measured, type Row, SAMPLE } from "./measure.ts";

/** Measures an ingest from nothing, and its text stage, against the embedder alone on the same chunks. */
export async function measureIngest(corpus: string = SAMPLE): Promise<Row[]> {
  await using sandbox = await Sandbox.create();
  // What a first run extracts is not part of an ingest.
  await sandbox.run(["ingest", SAMPLE, "--db", join(sandbox.root, "warm.db")]);
  const database = join(sandbox.root, "bench.db");
  const textOnly = await measured(sandbox, [
    "ingest",
    corpus,
    "--db",
    join(sandbox.root, "text.db"),
    "--text-only",
  ]);
  const whole = await measured(sandbox, ["ingest", corpus, "--db", database]);
  const again = await measured(sandbox, ["ingest", corpus, "--db", database]);
  const alone = await embedAlone(sandbox, database);
  const baseline = {
    baseline: `embedder alone, ${alone.chunks.toLocaleString("en")} chunks`,
    baselineMs: alone.ms,
  };
  return [
    { what: "ingest from nothing", ...whole, ...baseline },
    { what: "ingest, text and keywords only", ...textOnly, ...baseline },
    { what: "ingest, nothing new", ...again, ...baseline },
  ];
}

async function embedAlone(sandbox: Sandbox, database: string): Promise<{ ms: number; chunks: number }> {
  const script = join(import.meta.dir, "embed-alone.ts");
  const child = Bun.spawn([process.execPath, script, database], {
    env: sandbox.env(),
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error("the embedder failed");
  return JSON.parse(output);
}
