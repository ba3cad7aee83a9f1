import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until, within } from "./wait.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A browser to test with; `MEMENTOR_TEST_CHROMIUM` names another, null where there is none. */
export const CHROMIUM = process.env.MEMENTOR_TEST_CHROMIUM ?? PLACES.find((path) => existsSync(path)) ?? null;

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-port=0",
];

type Message = {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};

/** A headless browser with one page, driven through its own debugging protocol; gone at the end of its scope. */
export class Browser implements AsyncDisposable {
  readonly #process: Bun.Subprocess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #sent = 0;
  /** What the page's console said and what it asked the network for. */
  readonly events: Message[] = [];

  private constructor(proc: Bun.Subprocess, profile: string, socket: WebSocket) {
    this.#process = proc;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const message: Message = JSON.parse(String(data));
      if (message.id === undefined) this.events.push(message);
      else this.#waiting.get(message.id)?.(message);
    });
  }

  static async start(path: string): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), "mementor-chromium-"));
    const proc = Bun.spawn([path, ...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const port = await portOf(proc.stderr);
    const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
    const targets = (await listed.json()) as { type: string; webSocketDebuggerUrl: string }[];
    const socket = new WebSocket(targets.find(({ type }) => type === "page")?.webSocketDebuggerUrl ?? "");
    await new Promise((done, failed) => {
      socket.addEventListener("open", done);
      socket.addEventListener("error", failed);
    });
    const browser = new Browser(proc, profile, socket);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await browser.send(`${domain}.enable`);
    return browser;
  }

  /** Calls a method of the protocol and returns its result. */
  async send<Result>(method: string, params: object = {}): Promise<Result> {
    const id = ++this.#sent;
    const answer = new Promise<Message>((done) => this.#waiting.set(id, done));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answer;
    this.#waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as Result;
  }

  /** Opens a file in a window of this size and waits until its script has run. */
  async open(file: string, size: { width: number; height: number; dark?: boolean }): Promise<void> {
    const { width, height, dark = false } = size;
    const mobile = width < 500;
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
    await this.send("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
    });
    this.events.length = 0;
    await this.send("Page.navigate", { url: Bun.pathToFileURL(file).href });
    await until("the page is loaded", () =>
      this.events.some(({ method }) => method === "Page.loadEventFired"),
    );
    await this.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  /** Evaluates an expression in the page and returns its value. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.send<{
      result: { value: Value };
      exceptionDetails?: { exception?: { description?: string } };
    }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "it threw");
    return result.value;
  }

  async key(key: string): Promise<void> {
    const text = key === "Enter" ? { text: "\r" } : {};
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, ...text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  }

  /** Writes a picture of the window, or of the whole page. */
  async screenshot(file: string, { whole = false } = {}): Promise<void> {
    const { data } = await this.send<{ data: string }>("Page.captureScreenshot", {
      format: "png",
      captureBeyondViewport: whole,
    });
    await Bun.write(file, Buffer.from(data, "base64"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.send("Browser.close").catch(() => {});
    this.#socket.close();
    await within(3_000, this.#process.exited);
    this.#process.kill("SIGKILL");
    await this.#process.exited;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function portOf(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  for await (const part of stderr) {
    said += Buffer.from(part).toString();
    const [, port] = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(said) ?? [];
    if (port !== undefined) return port;
  }
  throw new Error(`the browser did not start: ${said.slice(-500)}`);
}
