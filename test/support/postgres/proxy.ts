import { connect, createServer, type Socket } from "node:net";
import { someWay } from "../wait.ts";

/** `pass` on; `blackhole`: connections stay open and nothing comes through; `end`: connections end as soon as they begin. */
export type Mode = "pass" | "blackhole" | "end";

/** A proxy before a server that behaves like a bad network. Any process may connect to it. */
export interface TestProxy extends AsyncDisposable {
  readonly port: number;
  /** For connections that are open, too. */
  mode: Mode;
  /** What each piece of an answer is late, ms. */
  delayMs: number;
  /** Connections since the start. */
  readonly connections: number;
  /** The URL of the server, by way of the proxy. */
  urlOf(url: string): string;
  /** Breaks all connections. */
  cut(): void;
  /** Breaks all connections, and lets the system refuse others until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Keeps the answers of the server back until what this returns is called. */
  hold(): () => void;
  /**
   * Breaks a connection once, when its client sends a text such as `COMMIT`: `before` the server gets it, or `after` the
   * server answered and before the client sees that. Resolves when it has happened.
   */
  cutAt(text: string, when: "before" | "after"): Promise<void>;
}

interface Cut {
  readonly text: string;
  readonly when: "before" | "after";
  readonly done: () => void;
}

/** Starts a proxy on a free port of loopback, before a server on another port of it. */
export async function startProxy(serverPort: number): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const cuts: Cut[] = [];
  let connections = 0;
  let held: Promise<void> | null = null;
  const server = createServer((client) => {
    connections++;
    if (proxy.mode === "end") return client.destroy();
    join(client, connect(serverPort, "127.0.0.1"));
  });

  const join = (client: Socket, upstream: Socket) => {
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    let isDoomed: Cut | null = null;
    client.on("data", (data: Buffer) => {
      if (proxy.mode === "blackhole") return;
      const index = cuts.findIndex(({ text }) => data.includes(text));
      const [cut = null] = index < 0 ? [] : cuts.splice(index, 1);
      if (cut?.when === "before") {
        end();
        return cut.done();
      }
      isDoomed ??= cut;
      upstream.write(data);
    });
    let last = Promise.resolve();
    upstream.on("data", (data: Buffer) => {
      if (proxy.mode === "blackhole") return;
      if (isDoomed !== null) {
        end();
        return isDoomed.done();
      }
      if (proxy.delayMs === 0 && held === null) client.write(data);
      else last = last.then(() => held ?? someWay(proxy.delayMs)).then(() => void client.write(data));
    });
  };

  const listen = (at: number) => new Promise<void>((listening) => server.listen(at, "127.0.0.1", listening));
  await listen(0);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const goAway = async () => {
    cutAll();
    await new Promise((closed) => server.close(closed));
  };
  const proxy: TestProxy = {
    port,
    mode: "pass",
    delayMs: 0,
    get connections() {
      return connections;
    },
    urlOf: (url) => url.replace(`:${serverPort}/`, `:${port}/`),
    cut: cutAll,
    goAway,
    comeBack: () => listen(port),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
    cutAt: (text, when) => new Promise<void>((done) => cuts.push({ text, when, done })),
    [Symbol.asyncDispose]: goAway,
  };
  return proxy;
}
