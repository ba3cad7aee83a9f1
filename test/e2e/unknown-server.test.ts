import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let server: Server;
let url = "";
let connections = 0;
let heard = "";

/** A server that asks every login for its password in clear text, and keeps what it gets. */
beforeAll(async () => {
  sandbox = await Sandbox.create();
  await sandbox.run(["enable", "--no-history"]);
  server = createServer((socket) => {
    connections++;
    socket.on("error", () => socket.destroy());
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      const isTlsRequest = data.length === 8;
      socket.write(isTlsRequest ? "N" : Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `postgres://data@127.0.0.1:${typeof address === "object" ? address?.port : 0}/data?sslmode=disable`;
  const file = join(sandbox.home, ".pgpass");
  writeFileSync(file, "*:*:*:*:of-everywhere\n");
  chmodSync(file, 0o600);
});
afterAll(async () => {
  server.close();
  await sandbox[Symbol.asyncDispose]();
});

const READING = [
  ["search", "x"],
  ["query", "x"],
  ["recent"],
  ["show", "1"],
  ["sessions"],
  ["files"],
  ["report", "--text"],
];

test.each([...READING, ["export"], ["commits"]].map((args) => [args]))(
  "%p with --db and a server that nobody named connects to none",
  async (args) => {
    const options = { env: { PGPASSWORD: "of-the-environment", MEMENTOR_TEAM_URL: url }, timeoutMs: 20_000 };
    const { exitCode, stderr } = await sandbox.run([...args, "--db", url], options);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining("You have neither joined nor named this server"),
    });
    expect([connections, heard]).toEqual([0, ""]);
  },
);

test("one that is named is asked, and does not get the password either", async () => {
  await sandbox.nameServers(url);
  const { exitCode, stderr } = await sandbox.run(["recent", "--db", url], { timeoutMs: 20_000 });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining("The server asked for the password in a way that gives it away"),
  });
  expect(connections).toBeGreaterThan(0);
  expect(heard).toContain("data");
  expect(heard).not.toContain("of-everywhere");
});
