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
import { type Bounds, type Ended, runBounded } from "./bounded.ts";

const ROOT = resolve(import.meta.dir, "../..");
const COPIED = [
  "src",
  "test",
  "fixtures",
  "README.md",
  ".github",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
  "build.ts",
];

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

  /** Runs test files until one fails or goes over a bound. */
  test(files: readonly string[], bounds: Bounds): Promise<Ended> {
    const { FC_RUNS = "20", FC_SEED = "1" } = process.env;
    return runBounded(
      [process.execPath, "test", "--bail", "--timeout", "20000", ...files.map((file) => `./${file}`)],
      bounds,
      { cwd: this.#path, env: { ...process.env, FC_RUNS, FC_SEED } },
    );
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
