import type { Socket } from "node:net";
import { UNTRUSTED } from "../../../io/untrusted.ts";

/** A message of PostgreSQL's protocol 3.0. `bytes` is the whole of it. */
export interface Message {
  readonly type: string;
  readonly body: Buffer;
  readonly bytes: Buffer;
}

/** Reads the first packet of a connection, which has no type. */
export async function takeStartup(socket: Socket): Promise<Buffer> {
  const length = await take(socket, 4);
  return Buffer.concat([length, await take(socket, bodyLength(length))]);
}

/** Reads a message of a login. */
export async function takeMessage(socket: Socket): Promise<Message> {
  const head = await take(socket, 5);
  const body = await take(socket, bodyLength(head.subarray(1)));
  return { type: head.toString("latin1", 0, 1), body, bytes: Buffer.concat([head, body]) };
}

function bodyLength(length: Buffer): number {
  const count = length.readInt32BE(0) - 4;
  if (count >= 4 && count <= UNTRUSTED.loginBytes) return count;
  throw coded("ERR_POSTGRES_UNEXPECTED_MESSAGE");
}

/** An error with a code that `errors.ts` has a meaning for. */
export function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const ENDED = "ERR_POSTGRES_CONNECTION_FAILED";

/** Whether an error says that a connection ended before all was read. */
export function isEnded(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === ENDED;
}

/** Reads so many bytes; rejects when the connection ends before. */
export async function take(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const data: Buffer | null = socket.read(length);
    if (data?.length === length) return data;
    if (data !== null || socket.readableEnded || socket.destroyed) throw coded(ENDED);
    await new Promise<void>((resolve) => {
      const events = ["readable", "end", "close"];
      const done = () => {
        for (const event of events) socket.off(event, done);
        resolve();
      };
      for (const event of events) socket.on(event, done);
    });
  }
}

/** Makes a message: texts end with a zero byte, and numbers are 32 bits wide. */
export function message(type: string, ...parts: readonly (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return Buffer.from(`${part}\0`);
      return typeof part === "number" ? int32(part) : part;
    }),
  );
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
