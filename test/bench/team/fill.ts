import type { SQL } from "bun";

/** Copies of a project, to fill a server faster than a client can. */
export interface Copies {
  /** The project that is copied, with its words, vectors and all else. */
  from: number;
  /** How many copies of it each project gets; the projects must be empty. */
  to: readonly { project: number; copies: number }[];
  author: string;
}

/** Columns that differ between the copies `n`, as expressions on the copied row `o`. */
const CHANGED: Record<string, string> = {
  turn_id: "o.turn_id + n * $3",
  chunk_id: "o.chunk_id + n * $4",
  source_id: "o.source_id + n * $5",
  session_id: "o.session_id || CASE n WHEN 0 THEN '' ELSE '-' || n END",
  path: "o.path || CASE n WHEN 0 THEN '' ELSE '-' || n END",
  uuid: "o.uuid || CASE n WHEN 0 THEN '' ELSE '-' || n END",
  turn_key: "CASE n WHEN 0 THEN o.turn_key END",
  words: `replace(o.words::text, '''' || $1 || ':', '''' || $2 || ':')::tsvector`,
  // Other vectors for each copy, or an index of them would have the same one many times.
  embedding: "(o.embedding::vector + shift.v)::halfvec",
};

const TABLES = [
  "models",
  "sources",
  "sessions",
  "turns",
  "entries",
  "chunks",
  "chunk_vectors",
  "file_mentions",
  "session_access_patterns",
];
const INDEXES = ["turns_by_words", "chunks_by_words"];

/** Fills projects with copies of one; needs the rights of a superuser. */
export async function fillWithCopies(admin: SQL, { from, to, author }: Copies): Promise<void> {
  await admin.unsafe("SET session_replication_role = replica");
  for (const index of INDEXES) await admin.unsafe(`DROP INDEX mementor.${index}`);
  const [last] = await admin.unsafe(
    "SELECT last_turn::int AS turn, last_chunk::int AS chunk, last_source::int AS source FROM mementor.projects WHERE project_id = $1",
    [from],
  );
  for (const { project, copies } of to) {
    for (const table of TABLES) await copyTable(admin, table, { from, project, copies, last });
    await admin.unsafe(
      `UPDATE mementor.projects p SET active_model = o.active_model, last_turn = o.last_turn * $3,
         last_chunk = o.last_chunk * $3, last_source = o.last_source * $3
       FROM mementor.projects o WHERE o.project_id = $1 AND p.project_id = $2`,
      [from, project, copies],
    );
    await admin.unsafe(
      `INSERT INTO mementor.usage (project_id, author, bytes, rows, turns, turn_words, chunks, chunk_words, vectors)
       SELECT $2, author, bytes * $3, rows * $3, turns * $3, turn_words * $3, chunks * $3, chunk_words * $3,
         vectors * $3
       FROM mementor.usage WHERE project_id = $1 AND author = $4`,
      [from, project, copies, author],
    );
  }
  await admin.unsafe("SET session_replication_role = origin");
  await admin.unsafe("SET maintenance_work_mem = '512MB'");
  await admin.unsafe("CREATE INDEX turns_by_words ON mementor.turns USING gin (words)");
  await admin.unsafe("CREATE INDEX chunks_by_words ON mementor.chunks USING gin (words)");
  await admin.unsafe("VACUUM ANALYZE");
}

async function copyTable(
  admin: SQL,
  table: string,
  given: {
    from: number;
    project: number;
    copies: number;
    last: { turn: number; chunk: number; source: number };
  },
): Promise<void> {
  const columns = await admin.unsafe(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attidentity = '' ORDER BY attnum`,
    [`mementor.${table}`],
  );
  const names: string[] = columns.map(({ name }: { name: string }) => name);
  const value = (name: string) => (name === "project_id" ? "$2" : (CHANGED[name] ?? `o."${name}"`));
  const { from, project, copies, last } = given;
  const isOnce = table === "models";
  const text = `INSERT INTO mementor.${table} (${names.map((name) => `"${name}"`).join(", ")})
    SELECT ${names.map(value).join(", ")} FROM generate_series(0, ${isOnce ? 0 : copies - 1}) AS n
    ${table === "chunk_vectors" ? "CROSS JOIN LATERAL (SELECT array_agg((random() - 0.5) * 0.03)::vector AS v FROM generate_series(1, 384) AS i WHERE i > n * 0) shift" : ""}
    JOIN mementor.${table} o ON o.project_id = $1`;
  const values: Record<string, number> = {
    $1: from,
    $2: project,
    $3: last.turn,
    $4: last.chunk,
    $5: last.source,
  };
  let numbered = text;
  for (const [place, number] of Object.entries(values)) numbered = numbered.replaceAll(place, String(number));
  await admin.unsafe(numbered);
}
