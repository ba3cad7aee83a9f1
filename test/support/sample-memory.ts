import { join } from "node:path";
import { runIngest } from "../../src/ingest/run.ts";
import { cleanText } from "../../src/redact/clean.ts";
import { connect } from "../../src/store/postgres/client/connect.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres.ts";
import type { Store } from "../../src/store/store.ts";
import { NOW, openStore } from "../store/builders.ts";
import { createHashEmbedder } from "./hash-embedder.ts";
import type { TestTeam } from "./postgres/team.ts";

const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample/projects/-home-dev-tidemark");

/** Reads the sample conversations as an ingest does, with vectors, into a file and into a project of a team's database. */
export async function fillBoth(file: string, team: TestTeam, name: string, role: string): Promise<void> {
  const embedder = createHashEmbedder();
  const model = { id: embedder.model.id, dimensions: embedder.model.dimensions };
  const project = await team.addProject(name, [], [role]);
  const server = await connect(team.urlOf(role), { env: {}, home: "/nowhere" });
  const shared = openPostgresStore({ server, project, now: () => NOW });
  await shared.models.add(model);
  for (const store of [await openStore(file, { model }), shared]) {
    await readSample(store, embedder);
    await store.close();
  }
}

/** Reads the sample as an ingest does, with vectors. */
export async function readSample(
  store: Store,
  embedder: ReturnType<typeof createHashEmbedder>,
): Promise<void> {
  const paths = await Array.fromAsync(new Bun.Glob("**/*.jsonl").scan({ cwd: SAMPLE, absolute: true }));
  await runIngest(
    paths.sort(),
    {
      store: store.ingest,
      models: store.models,
      lock: async () => ({ release() {} }),
      openTokenizer: async () => embedder.tokenizer,
      openEmbedder: async () => embedder,
      rootsOf: (cwd) => [cwd],
      redact: cleanText,
      excludes: { paths: [], projects: [] },
      elapsedMs: () => 0,
    },
    { textOnly: false },
  );
}
