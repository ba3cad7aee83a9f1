import { search } from "../../../src/recall/search.ts";
import type { Statements } from "../../../src/store/postgres/client/database.ts";
import { memberProjects, openPostgresStore } from "../../../src/store/postgres/postgres.ts";
import { vectorLiteral } from "../../../src/store/postgres/vectors.ts";
import { keywordText } from "../../../src/text/keywords.ts";
import { open } from "../search.ts";
import { randomText, randomVector } from "../synthetic.ts";
import { MODEL } from "./made-turns.ts";
import type { Member } from "./member.ts";
import type { Report } from "./report.ts";
import { timeOf } from "./report.ts";

interface Query {
  text: string;
  meaning: Float32Array;
}

/** Plain SQL is asked every fifth question: in a large project it takes seconds. */
const PLAIN_STEP = 5;
const PLAIN_TIMEOUT_MS = 120_000;

/** Asks each question in both ways, and some in plain SQL, so that a busy moment hits all of them. */
export async function measureSearches(
  report: Report,
  what: string,
  member: Member,
  queries: number,
): Promise<void> {
  const times: [number[], number[], number[]] = [[], [], []];
  for (let i = -2; i < queries; i++)
    for (const [way, ask] of [searchTeam, searchLocally, searchPlainly].entries()) {
      if (ask === searchPlainly && i % PLAIN_STEP !== 0) continue;
      const query = madeQuery(member, i);
      const ms = await timeOf(() => ask(member, query));
      if (i >= 0) times[way]?.push(ms);
    }
  report.searches(what, times);
}

function madeQuery({ project }: Member, index: number): Query {
  const seed = project.seed + 4_000_003 + index;
  return { text: randomText(seed, 8), meaning: randomVector(seed, MODEL.dimensions) };
}

async function searchTeam(member: Member, { text, meaning }: Query): Promise<void> {
  const server = await member.connect();
  const place = (await memberProjects(server)).find(({ id }) => id === member.project.id);
  if (place === undefined) throw new Error("the member sees no project");
  const store = openPostgresStore(server, place.id);
  await search({ query: text, limit: 8 }, { store: store.search, embed: async () => meaning });
  await store.close();
}

async function searchLocally({ file }: Member, { text, meaning }: Query): Promise<void> {
  const store = await open(file, "readonly");
  await search({ query: text, limit: 8 }, { store: store.search, embed: async () => meaning });
  await store.close();
}

/** The same question as a superuser would ask it who knows no policies: the nearest 200, and the 200 with these words. */
async function searchPlainly(member: Member, { text, meaning }: Query): Promise<void> {
  const { id } = member.project;
  const words = [...new Set(keywordText(text).split(" "))].map((word) => `'${id}:${word}'`).join(" | ");
  await using server = await member.connectAsSuperuser();
  const ask = (sql: Statements) =>
    sql.query(
      `(SELECT chunk_id, embedding <=> $1::text::halfvec AS score FROM mementor.chunk_vectors
         WHERE project_id = $2 AND model_id = 1 ORDER BY 2 LIMIT 200)
       UNION ALL (SELECT chunk_id, -ts_rank(words, $3::text::tsquery) FROM mementor.chunks
         WHERE words @@ $3::text::tsquery ORDER BY 2 LIMIT 200)`,
      [vectorLiteral(meaning), id, words],
    );
  await server.transaction(ask, { timeoutMs: PLAIN_TIMEOUT_MS });
}
