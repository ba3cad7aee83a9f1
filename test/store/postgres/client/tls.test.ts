import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../../src/store/postgres/client/connect.ts";
import { AUTHORITY, CERTIFICATES, startRecordingServer } from "../../../support/postgres/tls-server.ts";

/** `localhost` counts as another machine, so what holds beyond loopback holds here. */
const REMOTE = { env: {}, home: "/nonexistent", resolve: async () => ["192.0.2.1"] };
const LOCAL = { env: {}, home: "/nonexistent", resolve: async () => ["127.0.0.1"] };

const MODES = ["", "allow", "prefer", "require", "verify-ca", "verify-full"];

function urlOf(port: number, mode: string, ca = AUTHORITY): string {
  const parameters = new URLSearchParams({ ...(mode === "" ? {} : { sslmode: mode }), sslrootcert: ca });
  return `postgres://ada:hunter2@localhost:${port}/memory?${parameters}`;
}

async function refusal(url: string, options: Parameters<typeof connect>[1] = REMOTE): Promise<unknown> {
  try {
    await using database = await connect(url, options);
    return await database.transaction((sql) => sql`SELECT ${"a value"}::text`);
  } catch (error) {
    return error;
  }
}

test.each(MODES)("a good certificate is taken, and all is encrypted (sslmode %p)", async (mode) => {
  await using server = await startRecordingServer("good");
  expect(await refusal(urlOf(server.port, mode))).toEqual([]);
  expect(server.asked).toBe(1);
  expect(server.received.toString("latin1")).toContain("ada");
});

const BAD = [
  ["self-signed", "the server signed its certificate itself"],
  ["other-host", "the certificate of the server is for another host"],
  ["expired", "the certificate of the server has expired"],
  [null, "the server has no TLS"],
] as const;

test.each(BAD.flatMap((bad) => MODES.map((mode) => [...bad, mode] as const)))(
  "certificate %p: %s; nothing is sent (sslmode %p)",
  async (certificate, message, mode) => {
    await using server = await startRecordingServer(certificate);
    const error = await refusal(urlOf(server.port, mode));
    expect(error).toMatchObject({
      code: "server_untrusted",
      message: `${message}, so nothing was sent: postgres://ada@localhost:${server.port}/memory`,
    });
    expect(server.received.toString("latin1")).toBe("");
  },
);

test("an authority that the machine does not trust is refused", async () => {
  await using server = await startRecordingServer("good");
  const url = `postgres://ada:hunter2@localhost:${server.port}/memory`;
  expect(await refusal(url)).toMatchObject({ code: "server_untrusted" });
  expect(server.received.length).toBe(0);
});

test("an address must be in the certificate, too", async () => {
  await using server = await startRecordingServer("other-host");
  const url = `postgres://ada:hunter2@127.0.0.1:${server.port}/memory?sslmode=verify-full&sslrootcert=${AUTHORITY}`;
  expect(await refusal(url)).toMatchObject({ code: "server_untrusted" });
  expect(server.received.length).toBe(0);
});

test("PGSSLROOTCERT names the authority as well", async () => {
  await using server = await startRecordingServer("good");
  const url = `postgres://ada:hunter2@localhost:${server.port}/memory`;
  expect(await refusal(url, { ...REMOTE, env: { PGSSLROOTCERT: AUTHORITY } })).toEqual([]);
});

test("sslmode=disable beyond loopback is refused before a connection is made", async () => {
  await using server = await startRecordingServer("good");
  expect(await refusal(urlOf(server.port, "disable"))).toMatchObject({ code: "server_untrusted" });
  expect([server.asked, server.received.length]).toEqual([0, 0]);
});

test("nothing of the environment weakens this", async () => {
  const names = [...BAD.map(([certificate]) => certificate), "good"];
  const servers = await Promise.all(names.map(startRecordingServer));
  const urls = servers.flatMap(({ port }) => ["", "require"].map((mode) => urlOf(port, mode)));
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "../../../support/postgres/connect-once.ts"), ...urls],
    {
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0", PGSSLMODE: "disable", DATABASE_URL: urls[0] },
      stderr: "ignore",
    },
  );
  const answers = (await child.stdout.text()).trim().split("\n");
  expect(answers).toEqual([...Array.from({ length: 8 }, () => "server_untrusted"), "ok", "ok"]);
  expect(servers.slice(0, 4).map(({ received }) => received.length)).toEqual([0, 0, 0, 0]);
  for (const server of servers) await server[Symbol.asyncDispose]();
});

test.each(["POSTGRES_URL", "DATABASE_URL", "PGURL", "PG_URL", "TLS_DATABASE_URL"])(
  "%s of a project leads to no other server, and adds nothing to what is said",
  async (variable) => {
    await using server = await startRecordingServer("good");
    const socket = join(tmpdir(), `mementor-${process.pid}-${variable}.sock`);
    let connections = 0;
    using _elsewhere = Bun.listen({ unix: socket, socket: { open: () => void connections++, data() {} } });
    for (const url of [`unix://${socket}`, `postgres://app:word@db/app?path=${socket}&schema=public`]) {
      const child = Bun.spawn(
        [
          process.execPath,
          join(import.meta.dir, "../../../support/postgres/connect-once.ts"),
          urlOf(server.port, ""),
        ],
        { env: { ...process.env, [variable]: url }, stderr: "ignore" },
      );
      expect((await child.stdout.text()).trim()).toBe("ok");
    }
    expect(connections).toBe(0);
    expect(server.received.toString("latin1")).not.toMatch(/schema=|\bword\b/);
  },
  20_000,
);

test("with isInsecure any certificate is taken, but plain text only with sslmode=disable", async () => {
  const insecure = { ...REMOTE, isInsecure: true };
  await using expired = await startRecordingServer("expired");
  expect(await refusal(urlOf(expired.port, "verify-full"), insecure)).toEqual([]);
  await using plain = await startRecordingServer(null);
  expect(await refusal(urlOf(plain.port, "prefer"), insecure)).toMatchObject({ code: "server_untrusted" });
  expect(plain.received.length).toBe(0);
  expect(await refusal(urlOf(plain.port, "disable"), insecure)).toEqual([]);
});

test("on loopback TLS is what the URL says", async () => {
  await using plain = await startRecordingServer(null);
  for (const mode of ["", "disable", "allow", "prefer"])
    expect(await refusal(urlOf(plain.port, mode), LOCAL)).toEqual([]);
  expect(plain.asked).toBe(0);
  expect(await refusal(urlOf(plain.port, "require"), LOCAL)).toMatchObject({ code: "server_untrusted" });
  await using expired = await startRecordingServer("expired");
  expect(await refusal(urlOf(expired.port, "require"), LOCAL)).toEqual([]);
  expect(await refusal(urlOf(expired.port, "verify-full"), LOCAL)).toMatchObject({
    code: "server_untrusted",
  });
});

test.each([
  [join(CERTIFICATES, "missing.pem"), "cannot be read"],
  [join(CERTIFICATES, "make.sh"), "no certificate"],
])("sslrootcert=%s is a mistake of the configuration", async (ca, message) => {
  const error = await refusal(urlOf(1, "", ca));
  expect(error).toMatchObject({ code: "config_invalid" });
  expect(String(error)).toContain(message);
});
