/** Messages of PostgreSQL's protocol 3.0, as bytes: what a test server needs of them. */

export const SSL_REQUEST = 80_877_103;
export const GSS_REQUEST = 80_877_104;
export const CANCEL_REQUEST = 80_877_102;

/** A message of the frontend or backend, its type first. `bytes` is the whole message. */
export interface Message {
  readonly type: string;
  readonly body: Buffer;
  readonly bytes: Buffer;
}

/** Cuts complete messages from the start of `bytes`; returns them and what is left. */
export function takeMessages(bytes: Buffer): { messages: Message[]; rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (bytes.length - at >= 5) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) break;
    messages.push({
      type: String.fromCharCode(bytes.readUInt8(at)),
      body: bytes.subarray(at + 5, end),
      bytes: bytes.subarray(at, end),
    });
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** Cuts the first packet of a connection, which has no type: a request (`code`) or a startup with its parameters. */
export function takeStartup(
  bytes: Buffer,
): { code: number; parameters: Map<string, string>; rest: Buffer } | null {
  if (bytes.length < 8) return null;
  const length = bytes.readInt32BE(0);
  if (bytes.length < length) return null;
  const words = bytes.subarray(8, length).toString("utf8").split("\0");
  const parameters = new Map<string, string>();
  for (let i = 0; i + 1 < words.length; i += 2) parameters.set(words[i] ?? "", words[i + 1] ?? "");
  return { code: bytes.readInt32BE(4), parameters, rest: bytes.subarray(length) };
}

/** A message with its type and length. */
export function message(type: string, ...parts: (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(parts.map(encoded));
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Texts end with a zero byte; numbers are 32 bits wide. */
function encoded(part: Buffer | string | number): Buffer {
  if (typeof part === "string") return Buffer.from(`${part}\0`);
  if (typeof part !== "number") return part;
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(part);
  return bytes;
}

/** An error that ends a connection. */
export function fatal(sqlState: string, text: string): Buffer {
  return message("E", "SFATAL", "VFATAL", `C${sqlState}`, `M${text}`, Buffer.alloc(1));
}

/** What a server says once a client has logged in: its settings, and that it is ready. */
export function welcome(serverVersion: string): Buffer {
  const settings = {
    server_version: serverVersion,
    server_encoding: "UTF8",
    client_encoding: "UTF8",
    DateStyle: "ISO, MDY",
    TimeZone: "UTC",
    integer_datetimes: "on",
    standard_conforming_strings: "on",
  };
  return Buffer.concat([
    message("R", 0),
    ...Object.entries(settings).map(([name, value]) => message("S", name, value)),
    message("K", 1, 1),
    message("Z", Buffer.from("I")),
  ]);
}
