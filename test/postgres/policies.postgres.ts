import { describe, expect, test } from "bun:test";
import { castOf, REFUSED, undone, usageOf, write } from "../store/postgres/policies/cast.ts";
import { policiesContract } from "../store/postgres/policies/policies.contract.ts";
import { startRealServer } from "../support/postgres/real-server.ts";
import { startTeam } from "../support/postgres/team.ts";

/** A team's database on a real server: its members log in with passwords. */
async function open() {
  const server = await startRealServer({ max_prepared_transactions: "10" });
  if (typeof server === "string") throw new Error(server);
  return startTeam(server);
}

policiesContract("a member who logged in", open);

describe("a session of a real server", () => {
  const cast = castOf(open);

  test("nobody logs in as another member", async () => {
    const { team } = cast();
    const url = new URL(team.urlOf("grace"));
    url.password = "of another";
    await using forged = new Bun.SQL(url.href, { max: 1, prepare: false });
    await expect(forged.unsafe("SELECT 1")).rejects.toThrow(/password authentication failed/);
  });

  test("a session stays that of the member who logged in", async () => {
    const { ada } = cast();
    for (const role of ["grace", "postgres", "mementor_owner"])
      await expect(ada.unsafe(`SET SESSION AUTHORIZATION ${role}`)).rejects.toMatchObject(REFUSED);
    const [session] = await ada.unsafe("SELECT session_user::text, current_user::text, mementor.caller()");
    expect(session).toEqual({ session_user: "ada", current_user: "ada", caller: "ada" });
  });

  test("settings that a member gives the own role change nothing in the functions of the schema", async () => {
    const { team, ada, eve, shop } = cast();
    await write(ada, shop, "a");
    await eve.unsafe("ALTER ROLE eve SET search_path = pg_temp, public, mementor");
    try {
      await using again = new Bun.SQL(team.urlOf("eve"), { max: 1, prepare: false });
      const search = again.unsafe("SELECT * FROM mementor.count_words($1, ARRAY['text'])", [shop]);
      await expect(search).rejects.toMatchObject(REFUSED);
      for (const setting of [
        "role = mementor_owner",
        "session_preload_libraries = 'x'",
        "log_statement = none",
      ])
        await expect(eve.unsafe(`ALTER ROLE grace SET ${setting}`)).rejects.toMatchObject(REFUSED);
    } finally {
      await eve.unsafe("ALTER ROLE eve RESET ALL");
    }
  });

  test("a prepared transaction is refused what its statements are, and is its author's", async () => {
    const { ada, eve, farm, shop } = cast();
    const forged = eve.unsafe(
      `BEGIN; INSERT INTO mementor.sessions (project_id, session_id) VALUES (${shop}, 's'); PREPARE TRANSACTION 'forged'`,
    );
    await expect(forged).rejects.toMatchObject(REFUSED);
    await eve.unsafe("ROLLBACK");
    await eve.unsafe(
      `BEGIN; INSERT INTO mementor.sessions (project_id, session_id) VALUES (${farm}, 's'); PREPARE TRANSACTION 'own'`,
    );
    await expect(ada.unsafe("COMMIT PREPARED 'own'")).rejects.toMatchObject(REFUSED);
    await eve.unsafe("ROLLBACK PREPARED 'own'");
  });

  test("writes at the same time do not exceed a quota together", async () => {
    const { team, ada, shop } = cast();
    await write(ada, shop, "a");
    const { bytes } = await usageOf(ada, shop, "ada");
    await team.admin.unsafe(
      "UPDATE mementor.members SET max_bytes = $1 WHERE project_id = $2 AND role = 'ada'",
      [bytes + 10_000, shop],
    );
    const many = team.as("ada", { max: 8 });
    const writes = Array.from({ length: 8 }, (_, i) =>
      many
        .unsafe(
          "INSERT INTO mementor.commits (project_id, turn_id, hash, message) SELECT $1, min(turn_id), $2, $3 FROM mementor.turns WHERE project_id = $1",
          [shop, `hash${i}`, "x".repeat(4_000)],
        )
        .then(
          () => "stored",
          (error: { errno: string }) => error.errno,
        ),
    );
    expect((await Promise.all(writes)).sort()).toEqual([...Array(6).fill("MM001"), "stored", "stored"]);
    expect((await usageOf(ada, shop, "ada")).bytes).toBeLessThanOrEqual(bytes + 10_000);
  });

  test("what others do is not seen in the server's own views", async () => {
    const { ada, eve, shop } = cast();
    await write(ada, shop, "a", { text: "secret" });
    const rows = await eve.unsafe("SELECT DISTINCT query FROM pg_stat_activity WHERE usename = 'ada'");
    expect([...rows]).toEqual([{ query: "<insufficient privilege>" }]);
    await expect(eve.unsafe("SELECT pg_read_file('postgresql.conf')")).rejects.toMatchObject(REFUSED);
    await expect(eve.unsafe("SELECT * FROM pg_ls_waldir()")).rejects.toMatchObject(REFUSED);
  });

  test("a large object of a member is not for others", async () => {
    const { ada, eve } = cast();
    const [{ id }] = await ada.unsafe("SELECT lo_from_bytea(0, 'secret')::int AS id");
    await expect(eve.unsafe("SELECT lo_get($1::int)", [id])).rejects.toMatchObject(REFUSED);
    await expect(eve.unsafe("SELECT lo_unlink($1::int)", [id])).rejects.toMatchObject(REFUSED);
    await ada.unsafe("SELECT lo_unlink($1::int)", [id]);
  });

  test("rows cannot be copied in", async () => {
    const { ada } = cast();
    await undone(ada, async (sql) => {
      await expect(sql.unsafe("COPY mementor.sessions FROM STDIN")).rejects.toMatchObject({ errno: "0A000" });
    });
  });
});
