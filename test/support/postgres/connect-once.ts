import { toMementorError } from "../../../src/errors.ts";
import { connect } from "../../../src/store/postgres/client/connect.ts";

/**
 * `bun connect-once.ts URL...` runs a statement at each URL, with `localhost` as if it were another machine; prints `ok` or
 * the error's code for each. A process of its own, for variables of the environment that a runtime reads once.
 */
for (const url of process.argv.slice(2)) {
  const answer = connect(url, {
    env: process.env,
    home: "/nonexistent",
    resolve: async () => ["192.0.2.1"],
  }).then(async (database) => {
    await using open = database;
    await open.transaction((sql) => sql`SELECT 1`);
    return "ok";
  });
  process.stdout.write(`${await answer.catch((error: unknown) => toMementorError(error).code)}\n`);
}
