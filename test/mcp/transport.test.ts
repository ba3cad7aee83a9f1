import { describe, expect, test } from "bun:test";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { StdioTransport } from "../../src/mcp/transport.ts";
import { settled } from "../support/wait.ts";

/** A transport whose input is these lines, with what it was given and what it wrote. */
function start(lines: readonly string[]) {
  const written: unknown[] = [];
  const messages: JSONRPCMessage[] = [];
  const output = { isTerminal: false, columns: null };
  const transport = new StdioTransport({
    stdin: {
      isTerminal: false,
      isNamedFile: false,
      read: async () => new Uint8Array(),
      readLine: async () => null,
      async *chunks() {
        yield new TextEncoder().encode(lines.join("\n"));
      },
    },
    stdout: { ...output, write: (text) => written.push(JSON.parse(text)) },
  });
  transport.onmessage = (message) => messages.push(message);
  return { transport, written, messages };
}

const request = (id: number | string) => ({ jsonrpc: "2.0" as const, id, method: "tools/list" });
const wrong = (code: number, id: unknown, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

describe("the transport", () => {
  const cases: [string, string, object][] = [
    ["no JSON", "{oops", wrong(-32_700, null, "The line is not JSON.")],
    [
      "a request of another version",
      '{"jsonrpc":"1.0","id":7,"method":"x"}',
      wrong(-32_600, 7, "The line is not a JSON-RPC 2.0 message."),
    ],
    ["a batch", "[]", wrong(-32_600, null, "The line is not a JSON-RPC 2.0 message.")],
    ["a number", "5", wrong(-32_600, null, "The line is not a JSON-RPC 2.0 message.")],
    [
      "a line beyond all measure",
      `"${"x".repeat(5 << 20)}"`,
      wrong(-32_600, null, "The message is too long."),
    ],
  ];
  for (const [name, line, answer] of cases)
    test(`answers ${name}, and goes on`, async () => {
      const { transport, written } = start([line, JSON.stringify(request(1))]);
      transport.onmessage = () => void transport.send({ jsonrpc: "2.0", id: 1, result: {} });
      await transport.start();
      await transport.ended;
      expect(written).toEqual([answer, { jsonrpc: "2.0", id: 1, result: {} }]);
    });

  test("ends when the input has ended and what was asked is answered", async () => {
    const { transport, messages } = start([JSON.stringify(request("a"))]);
    let hasEnded = false;
    await transport.start();
    void transport.ended.then(() => {
      hasEnded = true;
    });
    await settled();
    expect({ hasEnded, asked: messages.length }).toEqual({ hasEnded: false, asked: 1 });
    await transport.send({ jsonrpc: "2.0", id: "a", result: {} });
    await transport.ended;
  });

  test("does not wait for the answer of a cancelled request", async () => {
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4 } };
    const { transport, messages } = start([JSON.stringify(request(4)), JSON.stringify(cancelled)]);
    await transport.start();
    await transport.ended;
    expect(messages).toHaveLength(2);
  });
});
