import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";

export const REVISION = "0123456789abcdef0123456789abcdef01234567";

/** What a fake hub does wrong. */
export interface Trouble {
  /** Bytes of this file arrive changed. */
  spoil?: string;
  /** Sizes that it claims. */
  sizes?: Readonly<Record<string, number>>;
}

/** Answers as the hub does for one repository, from a directory; everything else is not found. */
export function fakeHub(repository: string, directory: string, trouble: Trouble = {}) {
  return async (url: string): Promise<Response> => {
    const path = new URL(url).pathname;
    if (path === `/api/models/${repository}/revision/main`) return Response.json({ sha: REVISION });
    if (path === `/api/models/${repository}/tree/${REVISION}`)
      return Response.json(await tree(directory, trouble));
    const start = `/${repository}/resolve/${REVISION}/`;
    const file = Bun.file(join(directory, path.slice(start.length)));
    if (!path.startsWith(start) || !(await file.exists())) return new Response("", { status: 404 });
    const bytes = await file.bytes();
    if (path.endsWith(trouble.spoil ?? "\0")) bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    return new Response(bytes);
  };
}

async function tree(directory: string, { sizes = {} }: Trouble): Promise<object[]> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name).slice(directory.length + 1);
      if (entry.isDirectory()) return { type: "directory", path, oid: "0".repeat(40), size: 0 };
      const bytes = await Bun.file(join(directory, path)).bytes();
      const size = sizes[path] ?? bytes.length;
      const git = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const lfs = path.endsWith(".onnx") ? { lfs: { oid: sha256, size } } : {};
      return { type: "file", path, oid: git, size, ...lfs };
    }),
  );
}
