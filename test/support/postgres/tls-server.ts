import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";
import { message, SSL_REQUEST, takeMessages, takeStartup, welcome } from "./wire.ts";

export const CERTIFICATES = join(import.meta.dir, "certificates");
/** The authority of all certificates but `self-signed`. */
export const AUTHORITY = join(CERTIFICATES, "ca.pem");

/** A server that takes any login, says yes to every statement, and records what reaches it. */
export interface RecordingServer extends AsyncDisposable {
  readonly port: number;
  /** Requests for TLS. */
  readonly asked: number;
  /** What came in plain text, or within TLS: logins and statements. */
  readonly received: Buffer;
}

/** @param certificate a file of `certificates/` without its ending; null for a server without TLS. */
export async function startRecordingServer(certificate: string | null): Promise<RecordingServer> {
  const state = { asked: 0, received: Buffer.alloc(0) };
  const record = (data: Buffer) => {
    state.received = Buffer.concat([state.received, data]);
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", (data: Buffer) => {
      if (takeStartup(data)?.code !== SSL_REQUEST) {
        record(data);
        return converse(socket, data, record);
      }
      state.asked++;
      if (certificate === null) {
        socket.on("data", record);
        socket.write("N");
        return;
      }
      socket.write("S");
      const secureContext = createSecureContext({
        cert: readFileSync(join(CERTIFICATES, `${certificate}.pem`)),
        key: readFileSync(join(CERTIFICATES, "server.key")),
      });
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on("error", () => secure.destroy());
      secure.once("data", (login: Buffer) => {
        record(login);
        converse(secure, login, record);
      });
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    get asked() {
      return state.asked;
    },
    get received() {
      return state.received;
    },
    [Symbol.asyncDispose]: stop,
  };
}

function converse(socket: Socket, login: Buffer, record: (data: Buffer) => void): void {
  if (takeStartup(login) === null) return;
  socket.write(welcome("18.0"));
  let pending: Buffer = Buffer.alloc(0);
  socket.on("data", (data: Buffer) => {
    record(data);
    const { messages, rest } = takeMessages(Buffer.concat([pending, data]));
    pending = rest;
    for (const { type } of messages) socket.write(ANSWERS[type] ?? "");
  });
}

const READY = message("Z", Buffer.from("I"));
const DONE = message("C", "SELECT 0");
const ANSWERS: Readonly<Record<string, Buffer>> = {
  Q: Buffer.concat([DONE, READY]),
  P: message("1"),
  B: message("2"),
  D: Buffer.concat([message("t", Buffer.alloc(2)), message("n")]),
  E: DONE,
  S: READY,
};
