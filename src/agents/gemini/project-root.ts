import { basename, dirname, join } from "node:path";
import { readUntrusted } from "../../io/read.ts";
import { objectOf, parseObject } from "../../transcript/json.ts";

/**
 * Returns the directory in which the sessions of a folder `tmp/<name>/` were held; null when nothing says it. The records
 * name none. The folder is a name that `.project_root` explains or, from older versions, the SHA-256 of the directory.
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

/** Returns the directory in which the session of a file was held; see `projectRoot`. */
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
