import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type RecordingServer, startRecordingServer } from "../support/postgres/tls-server.ts";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.create();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** An address that leads here, and that counts as beyond loopback, since it is none of 127.0.0.0/8. */
const urlOf = ({ port }: RecordingServer, query = "") => `postgres://ada@0.0.0.0:${port}/memory${query}`;

/** What the server says when the login was taken: it has no rows. */
const REACHED = 'You are not a member of "shop" on this server.';

describe.each([
  ["recent", ["--db"]],
  ["team", ["join"]],
] as const)("%s %p beyond loopback", (name, before) => {
  const run = async (url: string, ...more: string[]) => {
    await sandbox.nameServers(url);
    return sandbox.run([name, ...before, url, "--project", "shop", ...more]);
  };

  test.each([
    ["self-signed", "", "The server signed its certificate itself, so nothing was sent"],
    ["expired", "", "The certificate of the server has expired, so nothing was sent"],
    [null, "", "The server has no TLS, so nothing was sent"],
    [null, "?sslmode=disable", "sslmode=disable would send everything in plain text"],
  ])("a server with %p and %p is refused, and gets nothing", async (certificate, query, message) => {
    await using server = await startRecordingServer(certificate);
    const { exitCode, stderr } = await run(urlOf(server, query));
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(message) });
    expect(server.received.length).toBe(0);
  });

  test.each([
    ["self-signed", ""],
    ["expired", ""],
    [null, "?sslmode=disable"],
  ])("a server with %p and %p is used with --insecure, and only then", async (certificate, query) => {
    await using server = await startRecordingServer(certificate);
    const { stderr } = await run(urlOf(server, query), "--insecure");
    expect(stderr).toContain(REACHED);
    expect(server.received.toString("latin1")).toContain("ada");
    const before = server.received.length;
    expect((await run(urlOf(server, query))).stderr).not.toContain(REACHED);
    expect(server.received.length).toBe(before);
  });

  test("plain text needs sslmode=disable, too", async () => {
    await using server = await startRecordingServer(null);
    const { stderr } = await run(urlOf(server), "--insecure");
    expect(stderr).toContain("The server has no TLS, so nothing was sent");
    expect(server.received.length).toBe(0);
  });
});

test("--insecure without a server is a mistake", async () => {
  const { exitCode, stderr } = await sandbox.run(["recent", "--insecure"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 64,
    stderr:
      "mementor: --insecure is for a team's server, and the command line names none.\n  Leave it out, or name one: --db postgres://user@host/name\n",
  });
});
