import * as v from "valibot";
import { MementorError } from "../../../errors.ts";
import type { Host } from "../../../host.ts";
import { passedOn } from "../../../io/passed-on.ts";

/** Maximum time for Codex to start and to answer, in ms. */
const ANSWER_MS = 15_000;

const Listed = v.object({
  data: v.array(
    v.object({
      hooks: v.array(v.object({ key: v.string(), currentHash: v.string(), trustStatus: v.string() })),
    }),
  ),
});

const Answer = v.looseObject({
  id: v.optional(v.number()),
  result: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
});

/**
 * Trusts hooks of Codex in the same way as Codex's own screen: its app-server lists them and stores the trust. Trusts
 * only hooks with these keys and these hashes. Throws `io` when Codex does not respond.
 */
export async function trustCodexHooks(
  program: string,
  { cwd, env }: Pick<Host, "cwd" | "env">,
  wanted: readonly { key: string; hash: string }[],
): Promise<void> {
  const server = new AppServer(program, { cwd, env: passedOn(env) });
  try {
    const clientInfo = { name: "mementor", version: "1" };
    await server.call("initialize", { clientInfo, capabilities: { experimentalApi: true } });
    server.notify("initialized");
    const { data } = v.parse(Listed, await server.call("hooks/list", { cwds: [cwd] }));
    const known = data.flatMap(({ hooks }) => hooks);
    const value: Record<string, { trusted_hash: string }> = {};
    for (const { key, hash } of wanted)
      if (known.some((hook) => hook.key === key && hook.currentHash === hash))
        value[key] = { trusted_hash: hash };
    if (Object.keys(value).length < wanted.length) throw new Error("it does not list the hooks as they are");
    const edits = [{ keyPath: "hooks.state", value, mergeStrategy: "upsert" }];
    await server.call("config/batchWrite", { edits, reloadUserConfig: true });
  } catch (error) {
    throw new MementorError("io", "Codex could not be asked to trust the hooks.", {
      cause: error,
      hint: 'Start Codex, type "/hooks" and trust them there.',
    });
  } finally {
    server.end();
  }
}

/** A connection to Codex's app-server, in lines of JSON. */
class AppServer {
  readonly #process: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #answers: AsyncIterator<string>;
  #calls = 0;

  constructor(program: string, options: Pick<Host, "cwd" | "env">) {
    this.#process = Bun.spawn([program, "app-server"], {
      ...options,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    this.#answers = linesOf(this.#process.stdout)[Symbol.asyncIterator]();
  }

  notify(method: string): void {
    this.#send({ method });
  }

  async call(method: string, params: object): Promise<unknown> {
    const id = ++this.#calls;
    this.#send({ id, method, params });
    const timer = setTimeout(() => this.end(), ANSWER_MS);
    try {
      for (;;) {
        const { value, done } = await this.#answers.next();
        if (done) throw new Error(`no answer to ${method}`);
        const answer = v.safeParse(Answer, parsed(value));
        if (!answer.success || answer.output.id !== id) continue;
        if (answer.output.error !== undefined)
          throw new Error(`${method}: ${JSON.stringify(answer.output.error)}`);
        return answer.output.result;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.#process.kill();
  }

  #send(message: object): void {
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
    this.#process.stdin.flush();
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
