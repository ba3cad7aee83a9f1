import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const COPIED = [
  "src",
  "test",
  "fixtures",
  "README.md",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
  "build.ts",
];

export interface Outcome {
  passed: boolean;
  ms: number;
  output: string;
}

/** A copy of the project to change files in, made of links; the project itself is never touched. */
export class Workspace implements Disposable {
  readonly #path: string;

  constructor(name: string) {
    this.#path = join(ROOT, ".cache", "mutation", `${process.pid}-${name}`);
    rmSync(this.#path, { recursive: true, force: true });
    for (const entry of COPIED) linkTree(join(ROOT, entry), join(this.#path, entry));
    for (const entry of ["node_modules", "dist", ".cache"])
      if (existsSync(join(ROOT, entry))) symlinkSync(join(ROOT, entry), join(this.#path, entry));
  }

  /** Gives a file another text, in this copy alone. */
  write(file: string, text: string): void {
    const path = join(this.#path, file);
    unlinkSync(path);
    writeFileSync(path, text);
  }

  /** Runs test files until one fails or the time is up; what takes longer counts as failed. */
  async test(files: readonly string[], timeoutMs: number): Promise<Outcome> {
    const startedAt = performance.now();
    const child = Bun.spawn(
      [process.execPath, "test", "--bail", "--timeout", "20000", ...files.map((file) => `./${file}`)],
      {
        cwd: this.#path,
        env: { ...process.env, FC_RUNS: process.env.FC_RUNS ?? "20", FC_SEED: process.env.FC_SEED ?? "1" },
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
        timeout: Math.ceil(timeoutMs),
        killSignal: "SIGKILL",
      },
    );
    const [output, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
    return { passed: exitCode === 0, ms: performance.now() - startedAt, output };
  }

  [Symbol.dispose](): void {
    rmSync(this.#path, { recursive: true, force: true });
  }
}

function linkTree(from: string, to: string): void {
  const entries = readdirOrNull(from);
  if (entries === null) {
    linkSync(from, to);
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const entry of entries) linkTree(join(from, entry), join(to, entry));
}

function readdirOrNull(path: string): string[] | null {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}
