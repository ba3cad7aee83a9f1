import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/store/postgres/client/connect.ts";
import { teamServer } from "../../src/store/postgres/postgres.ts";
import { teamProject } from "../../src/store/postgres/query.ts";
import { preparePush } from "../../src/store/postgres/team/push.ts";
import type { OutgoingChange } from "../../src/store/team.ts";
import { tempDir } from "../store/builders.ts";
import { startRealServer } from "../support/postgres/real-server.ts";
import { startTeam, type TestTeam } from "../support/postgres/team.ts";
import { Machine } from "../sync/team/machine.ts";

const started = await startRealServer();
if (typeof started === "string") throw new Error(started);
/** The user whom `startRealServer` gives the server when it is root itself. */
const SERVER_USER = "65534:65534";
const canMount = started.control !== null && process.getuid?.() === 0 && Bun.which("mount") !== null;

let team: TestTeam;
beforeAll(async () => {
  team = await startTeam(started);
});
afterAll(() => team[Symbol.asyncDispose]());

/** Machines of ada and bob in a project of their own, each with a connection that is made again when it is needed. */
async function pairIn(directory: string, name: string) {
  const project = await team.addProject(name, ["ada", "bob"]);
  const servers = await Promise.all(
    ["ada", "bob"].map(async (role) =>
      teamServer({
        server: await connect(team.urlOf(role), { env: {}, home: "/nowhere" }),
        project,
        model: null,
      }),
    ),
  );
  const [ada, bob] = servers.map((server, i) => {
    const role = ["ada", "bob"][i] ?? "";
    return new Machine(directory, role, role, server);
  });
  if (ada === undefined || bob === undefined) throw new Error("two machines");
  for (const each of [ada, bob]) await each.start();
  const disconnect = async () => void (await Promise.all(servers.map((server) => server.close())));
  return { ada, bob, disconnect, [Symbol.asyncDispose]: disconnect };
}

const ids = (machine: Machine) => machine.rows().map(({ id }) => id);

test("a server that becomes read-only refuses a push by name, is read on, and takes it later", async () => {
  using dir = tempDir();
  const [{ name }] = await team.admin.unsafe("SELECT quote_ident(current_database()) AS name");
  await team.admin.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await using pair = await pairIn(dir.path, "read-only");
  const { ada, bob } = pair;
  await ada.write("p1", "tea");
  await expect(ada.sync()).rejects.toMatchObject({ code: "server_read_only" });
  await bob.sync();
  expect(ids(bob)).toEqual([]);

  await team.admin.unsafe(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  await pair.disconnect();
  for (const each of [ada, bob]) expect(await each.sync()).toBe("done");
  expect(ids(bob)).toEqual(["p1"]);
});

test.skipIf(!canMount)(
  "a full disk refuses new turns by name, takes removals, and new turns later",
  async () => {
    using dir = tempDir();
    await using disk = await smallDisk();
    await team.admin.unsafe(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
    await team.admin.unsafe("ALTER TABLE mementor.turns SET TABLESPACE small");
    await using pair = await pairIn(dir.path, "full");
    const { ada, bob } = pair;
    await ada.write("p1", "tea");
    for (const each of [ada, bob]) await each.sync();
    expect(ids(bob)).toEqual(["p1"]);

    await team.admin.unsafe("CREATE TABLE public.filler (bytes text) TABLESPACE small");
    const fill = () =>
      team.admin.unsafe(
        "INSERT INTO public.filler SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 2000)",
      );
    let isFull = false;
    while (!isFull)
      await fill().catch((error: { errno: string }) => {
        expect(error.errno).toBe("53100");
        isFull = true;
      });
    const random = Array.from({ length: 10_000 }, () => crypto.randomUUID()).join(" ");
    await ada.write("p2", random);
    await ada.unshare("p1");
    expect(await ada.sync()).toBe("full");
    await bob.sync();
    expect(ids(bob)).toEqual([]);

    await team.admin.unsafe("DROP TABLE public.filler");
    for (const each of [ada, bob]) expect(await each.sync()).toBe("done");
    expect(ids(bob)).toEqual(["p2"]);
    await team.admin.unsafe("ALTER TABLE mementor.turns SET TABLESPACE pg_default");
    await team.admin.unsafe("DROP TABLESPACE small");
  },
);

test("a member's lock keeps a sync of colleagues waiting for seconds, and says so; what waited comes later", async () => {
  using dir = tempDir();
  await using pair = await pairIn(dir.path, "locked");
  const { ada, bob } = pair;
  await ada.write("p1", "tea");
  const eve = team.as("bob");
  await eve.unsafe("BEGIN; LOCK TABLE mementor.turns IN ACCESS EXCLUSIVE MODE");
  const outcome = await ada.sync().catch((error: unknown) => error);
  await eve.unsafe("ROLLBACK");
  expect(outcome).toMatchObject({ code: "server_busy", hint: expect.stringContaining("Nothing is lost") });
  for (const each of [ada, bob]) expect(await each.sync()).toBe("done");
  expect(ids(bob)).toEqual(["p1"]);
});

test("a push does not wait for one of a colleague that is not done", async () => {
  const project = await team.addProject("large", ["ada", "bob"]);
  const model = { id: "small", dimensions: 3 };
  const push = async () => {
    await using server = await connect(team.urlOf("ada"), { env: {}, home: "/nowhere" });
    const changes = [
      { kind: "put", turn: { vectorModel: model, chunks: [] } },
    ] as unknown as OutgoingChange[];
    return teamProject(server, project).write((database) => preparePush(database, changes), {
      timeoutMs: 5_000,
    });
  };
  expect((await push()).models).toEqual(new Map([["small", 1]]));
  const bob = team.as("bob");
  await bob.unsafe("BEGIN");
  await bob.unsafe(
    "INSERT INTO mementor.devices (project_id, author, device_id) VALUES ($1, current_user, gen_random_uuid())",
    [project],
  );
  expect((await push()).models).toEqual(new Map([["small", 1]]));
  await bob.unsafe("ROLLBACK");
});

/** A file system in memory with room for a few turns. */
async function smallDisk() {
  const path = mkdtempSync(join(tmpdir(), "mementor-disk-"));
  await Bun.$`mount -t tmpfs -o size=8m tmpfs ${path} && chown ${SERVER_USER} ${path} && chmod 700 ${path}`.quiet();
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await Bun.$`umount -l ${path}`.quiet();
      rmSync(path, { recursive: true, force: true });
    },
  };
}
