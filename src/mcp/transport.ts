import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { MCP_LIMITS } from "../constants.ts";
import type { Host } from "../host.ts";

/** Error codes of JSON-RPC 2.0: for a line that is not JSON, and for JSON that is not a message. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * Exchanges messages as lines of JSON over stdin and stdout. Unlike the SDK's transport, it reports the end of the
 * input, answers lines that are not messages, and waits briefly for pending answers.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #host: Pick<Host, "stdin" | "stdout">;
  readonly #unanswered = new Set<RequestId>();
  readonly #ended = Promise.withResolvers<void>();
  #drained: (() => void) | null = null;

  constructor(host: Pick<Host, "stdin" | "stdout">) {
    this.#host = host;
  }

  /** Resolves when the input has ended and all requests are answered. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    void this.#read().finally(() => this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#host.stdout.write(serializeMessage(message));
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    this.#ended.resolve();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    try {
      for await (const line of messageLines(this.#host.stdin.chunks(), MCP_LIMITS.messageChars))
        this.#receive(line);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    await this.#drain();
  }

  #receive(line: string | null): void {
    const read = line === null ? { code: INVALID_REQUEST, reason: "The message is too long." } : parse(line);
    if ("message" in read) {
      this.#expect(read.message);
      this.onmessage?.(read.message);
      return;
    }
    const { code, reason, id = null } = read;
    this.onerror?.(new Error(reason));
    this.#host.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: reason } })}\n`);
  }

  /** A cancelled request gets no answer. */
  #expect(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#unanswered.add(message.id);
    const cancelled: unknown = message.method === "notifications/cancelled" && message.params?.requestId;
    if (typeof cancelled === "string" || typeof cancelled === "number") this.#settle(cancelled);
  }

  #settle(id: RequestId): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#drained?.();
  }

  async #drain(): Promise<void> {
    if (this.#unanswered.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MCP_LIMITS.drainMs);
    this.#drained = resolve;
    await promise;
    clearTimeout(timer);
  }
}

type Read = { message: JSONRPCMessage } | { code: number; reason: string; id?: RequestId };

function parse(line: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { code: PARSE_ERROR, reason: "The line is not JSON." };
  }
  try {
    return { message: deserializeMessage(line) };
  } catch {
    const id: unknown = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
    const isId = typeof id === "string" || typeof id === "number";
    return { code: INVALID_REQUEST, reason: "The line is not a JSON-RPC 2.0 message.", ...(isId && { id }) };
  }
}

/**
 * Splits bytes into non-empty lines, without line ends. A line of more than `maxChars` UTF-16 units is yielded as
 * null and not kept in memory. Only a line feed ends a line: JSON may contain every other separator.
 */
export async function* messageLines(
  chunks: AsyncIterable<Uint8Array>,
  maxChars: number,
): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let held = "";
  let isTooLong = false;
  for await (const chunk of chunks) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    held += first;
    for (const next of rest) {
      yield* isTooLong || held.length > maxChars ? [null] : whole(held);
      held = next;
      isTooLong = false;
    }
    if (held.length > maxChars) {
      held = "";
      isTooLong = true;
    }
  }
  yield* isTooLong ? [null] : whole(held + decoder.decode());
}

function whole(line: string): string[] {
  const trimmed = line.trim();
  return trimmed === "" ? [] : [trimmed];
}
