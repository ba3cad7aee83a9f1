import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { runIngest } from "../../src/ingest/run.ts";
import { cleanText } from "../../src/redact/clean.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { mayTravel } from "../../src/store/sqlite/sync/rules.ts";
import type { WriteBatch } from "../../src/store/stored.ts";
import { withoutNarration } from "../../src/turn/parts.ts";
import { overriding } from "../bench/overriding.ts";
import { openStore } from "../store/builders.ts";
import { createHashEmbedder } from "./hash-embedder.ts";
import { pushAll } from "./postgres/pushed.ts";
import type { TestTeam } from "./postgres/team.ts";

const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample/projects/-home-dev-tidemark");

/**
 * Reads of the sample conversations what a member may share, as an ingest does, with vectors, into a file, and pushes a copy
 * of it to a project of a team's database. Returns the id of the project.
 */
export async function fillBoth(file: string, team: TestTeam, name: string, role: string): Promise<number> {
  const embedder = createHashEmbedder();
  const model = { id: embedder.model.id, dimensions: embedder.model.dimensions };
  const project = await team.addProject(name, [], [role]);
  const store = await openStore(file, { model });
  await readSample(store, embedder);
  await store.close();
  copyFileSync(file, `${file}.pushed`);
  const copy = await openStore(`${file}.pushed`, { model });
  await pushAll(copy, { team, project, role });
  await copy.close();
  return project;
}

/** No team gets summaries, nor paths outside of the project, nor what tells narration from the answer. */
function shareable(batch: WriteBatch): WriteBatch {
  const turns = batch.turns.filter(({ turn }) => turn.role === "turn");
  return {
    ...batch,
    turns: turns.map(({ turn, chunks }) => ({
      turn: {
        ...turn,
        mentions: turn.mentions.filter(({ filePath }) => mayTravel(filePath)),
        parts: withoutNarration(turn.parts),
      },
      chunks,
    })),
  };
}

/** Reads the sample as an ingest does, with vectors. */
async function readSample(
  store: SqliteStore,
  embedder: ReturnType<typeof createHashEmbedder>,
): Promise<void> {
  const paths = await Array.fromAsync(new Bun.Glob("**/*.jsonl").scan({ cwd: SAMPLE, absolute: true }));
  await runIngest(
    paths.sort(),
    {
      store: overriding(store.ingest, { write: (batch) => store.ingest.write(shareable(batch)) }),
      models: store.models,
      lock: async () => ({ [Symbol.dispose]() {} }),
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
