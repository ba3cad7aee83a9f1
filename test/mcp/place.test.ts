import { expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { clientRoots, createServer } from "../../src/mcp/serve.ts";
import { SILENT_LOG } from "../../src/project/log.ts";

/** The roots that a server gets from a client that answers like this; null for a client without roots. */
async function rootsFrom(answer: (() => unknown) | null): Promise<readonly string[]> {
  const server = createServer(SILENT_LOG);
  const roots = clientRoots(server, 20);
  const capabilities = answer === null ? {} : { roots: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (answer !== null) client.setRequestHandler(ListRootsRequestSchema, answer as () => never);
  const [there, here] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  try {
    return await roots();
  } finally {
    await client.close();
  }
}

test("roots are paths of file addresses", async () => {
  const uris = [
    "vscode-remote://host/x",
    "file:///home/dev/a%20b",
    "file://host/share",
    "no address",
    "file:///b",
  ];
  expect(await rootsFrom(() => ({ roots: uris.map((uri) => ({ uri })) }))).toEqual(["/home/dev/a b", "/b"]);
});

test("a client without roots, with an error or without an answer has none", async () => {
  const fails = () => {
    throw new Error("no window");
  };
  const hangs = () => new Promise(() => {});
  const answers = await Promise.all([null, fails, hangs, () => ({ roots: 3 })].map(rootsFrom));
  expect(answers).toEqual([[], [], [], []]);
});
