import { afterAll, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { createServer, connect as dial, type Socket } from "node:net";
import { dirname } from "node:path";
import { startRelay } from "../../../../src/store/postgres/client/relay.ts";
import { startPglite } from "../../../support/postgres/pglite.ts";
import { startProxy } from "../../../support/postgres/proxy.ts";
import { fatal, message, welcome } from "../../../support/postgres/wire.ts";
import { until } from "../../../support/wait.ts";
import { failure, open } from "./contract.ts";

const PASSWORD = "correct horse";
const ASKS = {
  clear: message("R", 3),
  md5: message("R", 5, Buffer.from("salt")),
  gss: message("R", 7),
  sasl: message("R", 10, "SCRAM-SHA-256", Buffer.alloc(1)),
  otherSasl: message("R", 10, "PLAIN", Buffer.alloc(1)),
};

/** What a server answers to each packet; it may use what the packet says. */
type Answer = Buffer | ((packet: Buffer) => Buffer);

/** A server that nobody vouches for, with an answer for each packet, and what it heard. */
async function startServer(answers: readonly Answer[]) {
  const heard: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let at = 0;
    socket.on("error", () => socket.destroy());
    socket.on("data", (packet: Buffer) => {
      heard.push(packet);
      const answer = answers[at++];
      if (answer !== undefined) socket.write(typeof answer === "function" ? answer(packet) : answer);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
  return { port, heard, sockets, [Symbol.asyncDispose]: stop };
}

/** Goes on where the client's nonce ends, as an honest server does. */
const challengeOf = (rounds: number | string) => (packet: Buffer) =>
  message(
    "R",
    11,
    Buffer.from(`r=${/r=([^,]+)$/.exec(packet.toString())?.[1]}more,s=c2FsdHNhbHQ=,i=${rounds}`),
  );

async function loginAt(port: number, query = "") {
  await using database = await open(
    `postgres://ada:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/memory${query}`,
  );
  return await failure(database.transaction((sql) => sql`SELECT 1`));
}

const ASKED = "the server asked for the password in a way that gives it away, and did not get it";
const UNKNOWN = "the server does not know the password of its own user";
const ODD = "what answers does not speak as a PostgreSQL server does";

test.each<[string, Answer[], string, number]>([
  ["clear text", [ASKS.clear], ASKED, 1],
  ["md5", [ASKS.md5], ASKED, 1],
  ["a kind that is not known", [ASKS.gss], ASKED, 1],
  ["a mechanism that sends it", [ASKS.otherSasl], ASKED, 1],
  ["clear text after the first step of SCRAM", [ASKS.sasl, ASKS.clear], ASKED, 2],
  ["so few rounds that words can be tried", [ASKS.sasl, challengeOf(1)], ASKED, 2],
  ["few rounds first, and then for enough", [ASKS.sasl, challengeOf("1,i=4096")], ASKED, 2],
  ["so many rounds that they take minutes", [ASKS.sasl, challengeOf(999_999_999)], ASKED, 2],
  [
    "a nonce that is not the client's",
    [ASKS.sasl, message("R", 11, Buffer.from("r=other,s=c2FsdA==,i=4096"))],
    ODD,
    2,
  ],
  ["a proof that it cannot check", [ASKS.sasl, challengeOf(4096), welcome("18.0")], ODD, 3],
  [
    "a proof that it cannot return",
    [ASKS.sasl, challengeOf(4096), Buffer.concat([message("R", 12, Buffer.from("v=AAAA")), welcome("18.0")])],
    UNKNOWN,
    3,
  ],
  ["nothing that is PostgreSQL's", [Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")], ODD, 1],
])("a server that asks for %s does not get the password", async (_, answers, why, packets) => {
  await using server = await startServer(answers);
  expect(await loginAt(server.port)).toMatchObject({
    code: "server_untrusted",
    message: `${why}: postgres://ada@127.0.0.1:${server.port}/memory`,
    hint: expect.stringMatching(/./),
  });
  expect(server.heard.length).toBe(packets);
  expect(Buffer.concat(server.heard).includes(PASSWORD)).toBe(false);
});

test.each([
  ["takes the login", welcome("18.0")],
  ["refuses the login", fatal("28P01", "no")],
  ["asks for SCRAM", ASKS.sasl],
])("one that %s and asks then, gets nothing that it can use", async (_, first) => {
  const late = Buffer.concat([first, ASKS.clear]);
  await using server = await startServer([late, ASKS.clear, ASKS.clear]);
  await loginAt(server.port);
  expect(Buffer.concat(server.heard).includes(PASSWORD)).toBe(false);
});

test.each<[string, Buffer, string]>([
  ["no", Buffer.from("N"), "the server has no TLS, so nothing was sent"],
  ["what is neither yes nor no", Buffer.from("X"), ODD],
  ["an error", fatal("08P01", "no"), ODD],
  ["a question for the password", ASKS.clear, ODD],
  ["yes, with a question for the password behind it", Buffer.concat([Buffer.from("S"), ASKS.clear]), ODD],
])("one that answers the request for TLS with %s gets nothing", async (_, answer, why) => {
  await using server = await startServer([answer]);
  expect(await loginAt(server.port, "?sslmode=require")).toMatchObject({
    code: "server_untrusted",
    message: `${why}: postgres://ada@127.0.0.1:${server.port}/memory`,
  });
  expect(server.heard.map((packet) => packet.length)).toEqual([8]);
});

const pglite = await startPglite();
afterAll(() => pglite.stop());

test("both sides of SCRAM agree on a password, and on a wrong one not", async () => {
  await using admin = await open(pglite.url);
  await admin.transaction((sql) => sql.query("CREATE ROLE ada LOGIN PASSWORD 'cörrect ﬁve'", []));
  const asAda = async (password: string) => {
    await using database = await open(pglite.urlOf("ada", password));
    return await failure(database.transaction((sql) => sql`SELECT current_user::text AS name`));
  };
  // The stored form of a ligature is its letters.
  expect(await asAda("cörrect ﬁve")).toEqual({ resolved: [{ name: "ada" }] });
  expect(await asAda("cörrect five")).toEqual({ resolved: [{ name: "ada" }] });
  expect(await asAda("correct five")).toMatchObject({ code: "server_login" });
});

test("a login that the network cuts is tried again", async () => {
  await using admin = await open(pglite.url);
  await admin.transaction((sql) => sql.query("CREATE ROLE bob LOGIN PASSWORD 'of bob'", []));
  await using proxy = await startProxy(pglite.port);
  const cuts = [proxy.cutAt("SCRAM-SHA-256", "before"), proxy.cutAt("c=biws,", "after")];
  await using database = await open(proxy.urlOf(pglite.urlOf("bob", "of bob")));
  expect(await database.transaction((sql) => sql`SELECT current_user::text AS name`)).toEqual([
    { name: "bob" },
  ]);
  await Promise.all(cuts);
  expect(proxy.connections).toBe(3);
});

test("a refusal by the server is told, whatever the login before it failed of", async () => {
  const answers = [ASKS.clear, fatal("28P01", "no")];
  await using server = await startServer([() => answers.shift() ?? fatal("57P03", "starting up")]);
  await using database = await open(`postgres://ada:${PASSWORD}@127.0.0.1:${server.port}/memory`);
  const login = () => failure(database.transaction((sql) => sql`SELECT 1`));
  expect(await login()).toMatchObject({ code: "server_untrusted" });
  expect(await login()).toMatchObject({ code: "server_login" });
  expect(await login()).toMatchObject({ message: expect.stringContaining("stopping or starting") });
});

test.skipIf(process.platform === "win32")(
  "only this user may connect to the relay, as long as it runs",
  async () => {
    const relay = await startRelay({ place: { path: "/nonexistent/.s.PGSQL.5432" }, isEncrypted: false });
    const directory = dirname("path" in relay.place ? relay.place.path : "");
    const { mode, uid } = statSync(directory);
    expect([mode & 0o777, uid]).toEqual([0o700, process.getuid?.() ?? -1]);
    relay.close();
    expect(existsSync(directory)).toBe(false);
  },
);

test.skipIf(process.platform === "win32")(
  "a login without a place for the relay's socket says so",
  async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = "/nonexistent";
    try {
      expect(await loginAt(1)).toMatchObject({
        code: "not_writable",
        message: "no socket can be made in /nonexistent",
      });
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  },
);

test("a request to cancel that does not arrive is not told as a failed login", async () => {
  const gone = await startServer([]);
  await gone[Symbol.asyncDispose]();
  const relay = await startRelay({
    place: { host: "127.0.0.1", port: gone.port },
    isEncrypted: false,
  });
  const client = dial(relay.place).resume();
  const ended = new Promise((closed) => client.on("close", closed));
  client.write(Buffer.from([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1, 0, 0, 0, 2]));
  await ended;
  expect(relay.failure).toBeNull();
  relay.close();
});

test("the relay ends with the database", async () => {
  await using server = await startServer([welcome("18.0")]);
  const database = await open(`postgres://ada:${PASSWORD}@127.0.0.1:${server.port}/memory`);
  const stop = new AbortController();
  const running = failure(database.transaction((sql) => sql`SELECT 1`, { signal: stop.signal }));
  await until("the statement is there", () => server.heard.length > 1);
  const [socket] = server.sockets;
  const ended = new Promise((closed) => socket?.on("close", closed));
  stop.abort(new Error("stopped"));
  await database.close();
  await ended;
  expect(await running).toEqual(new Error("stopped"));
});
