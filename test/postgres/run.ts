import { readdirSync } from "node:fs";
import { postgresPrograms } from "../support/postgres/wheel.ts";

/**
 * `bun run test:postgres [FILE...]` runs the tests that need a real PostgreSQL: `*.postgres.ts` in this folder. The server
 * is the one that `MEMENTOR_TEST_POSTGRES` names, or one from a package for Python. Says so and ends with 0 where
 * there is neither.
 */
const files = process.argv.slice(2);
const all = readdirSync(import.meta.dir).filter((name) => name.endsWith(".postgres.ts"));
const paths = files.length > 0 ? files : all.map((name) => `./test/postgres/${name}`);

const programs = process.env.MEMENTOR_TEST_POSTGRES ? null : await postgresPrograms();
if (typeof programs === "string") {
  console.log(`skip  tests with a real PostgreSQL: ${programs}`);
  console.log("      MEMENTOR_TEST_POSTGRES=postgres://… names a server with pgvector for them");
  process.exit(0);
}
/** Files share the server that is named, and its roles; otherwise each has one of its own. */
const parallel = programs === null ? [] : ["--parallel=3"];
const tests = Bun.spawn([process.execPath, "test", ...parallel, "--timeout", "120000", ...paths], {
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await tests.exited);
