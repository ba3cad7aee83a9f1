import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { outcomeOf, type ProcessOutcome } from "./outcome.ts";
import { BINARY, Sandbox } from "./sandbox.ts";

const isRoot = process.getuid?.() === 0;
/** The user to whom nothing belongs, on every system that has `setpriv`. */
const NOBODY = "65534";

/** Whether a process can be had here that file permissions bind; root's are not bound. */
export const CAN_BE_BOUND = !isRoot || Bun.which("setpriv") !== null;

/** A sandbox, and a way to run the binary in it as a user who owns all of it and is bound by its permissions. */
export class BoundSandbox implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly #binary: string;

  private constructor(sandbox: Sandbox, binary: string) {
    this.sandbox = sandbox;
    this.#binary = binary;
  }

  static async create(): Promise<BoundSandbox> {
    const sandbox = await Sandbox.create();
    if (!isRoot) return new BoundSandbox(sandbox, BINARY);
    // The project's own files may lie where only root can go.
    const binary = join(sandbox.root, "mementor");
    copyFileSync(BINARY, binary);
    return new BoundSandbox(sandbox, binary);
  }

  /** Runs the binary; as root it hands over all that is in the sandbox first. */
  async run(args: readonly string[]): Promise<ProcessOutcome> {
    if (isRoot) await Bun.$`chown -R ${NOBODY}:${NOBODY} ${this.sandbox.root}`.quiet();
    const drop = isRoot ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
    const child = Bun.spawn([...drop, this.#binary, ...args], {
      cwd: this.sandbox.project,
      env: this.sandbox.env(),
      stdout: "pipe",
      stderr: "pipe",
    });
    return outcomeOf(child);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.sandbox[Symbol.asyncDispose]();
  }
}
