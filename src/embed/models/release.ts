import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MementorError } from "../../errors.ts";
import type { HubAccess } from "./hub.ts";

const SUMS = "SHA256SUMS";

/**
 * Downloads a file of a release to `directory`, and compares it with the sum that the release lists. Returns its path.
 * The endpoint is the address of the release. Rejects with `not_found` when the release lacks it, and with `io`.
 */
export async function downloadOfRelease(
  file: string,
  directory: string,
  { endpoint, fetch, onProgress, signal }: HubAccess,
): Promise<string> {
  const get = async (name: string): Promise<Response> => {
    try {
      const response = await fetch(`${endpoint}/${name}`, { signal });
      if (response.ok) return response;
      await response.body?.cancel();
      throw new MementorError("not_found", `${endpoint} has no ${name} (${response.status})`);
    } catch (error) {
      if (error instanceof MementorError) throw error;
      throw new MementorError("io", `${endpoint} cannot be reached`, { cause: error });
    }
  };
  const sums = await (await get(SUMS)).text();
  const [expected] =
    sums
      .split("\n")
      .map((line) => line.split(/ [ *]/))
      .find(([, name]) => name === file) ?? [];
  if (expected === undefined) throw new MementorError("not_found", `${endpoint}/${SUMS} names no ${file}`);
  const response = await get(file);
  const total = Number(response.headers.get("content-length") ?? 0);
  const parts: Uint8Array[] = [];
  let done = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    done += part.byteLength;
    onProgress({ file, done, total });
  }
  const bytes = Buffer.concat(parts);
  if (new Bun.CryptoHasher("sha256").update(bytes).digest("hex") !== expected)
    throw new MementorError("io", `${endpoint}/${file} does not match its sum in ${SUMS}`, {
      hint: "Try again. If it fails again, do not use this file.",
    });
  const path = join(directory, file);
  writeFileSync(path, bytes, { mode: 0o600 });
  return path;
}
