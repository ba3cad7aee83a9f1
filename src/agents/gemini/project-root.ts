import { basename, dirname, join } from "node:path";
import { objectOf, parseObject } from "../../io/json.ts";
import { readUntrusted } from "../../io/read.ts";

/**
 * Returns the working directory of the sessions in a folder `tmp/<name>/`; null when it is unknown. The records do
 * not contain it. `.project_root` in the folder does or, for older versions, the folder's name is its SHA-256.
 */
export function projectRoot(folder: string): string | null {
  const root = quietly(join(folder, ".project_root"))?.trim();
  if (root) return root;
  const name = basename(folder);
  const known = objectOf(
    parseObject(quietly(join(dirname(dirname(folder)), "projects.json")) ?? "")?.projects,
  );
  const match = Object.entries(known ?? {}).find(([path, slug]) => slug === name || sha256(path) === name);
  return match?.[0] ?? null;
}

/** Returns the working directory of the session in a file; see `projectRoot`. */
export function cwdOf(file: string): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === "chats") return projectRoot(dirname(folder));
  return null;
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

function quietly(path: string): string | null {
  try {
    return readUntrusted(path);
  } catch {
    return null;
  }
}
