import { join } from "node:path";
import * as v from "valibot";
import { ensurePrivateDir } from "../io/directory.ts";
import { readIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";

const AdminServer = v.object({
  /** Without a password. */
  url: v.string(),
  /** Whether the user accepted a connection without verified TLS. */
  insecure: v.boolean(),
});

/** The server that the user set up, for the commands that manage it. */
export type AdminServer = v.InferOutput<typeof AdminServer>;

const FILE = "team-server.json";

/** Returns the server of the last `team init` from this machine; null when there is none, or the file is broken. */
export function readAdminServer(configDir: string): AdminServer | null {
  const text = readIfExists(join(configDir, FILE));
  if (text === null) return null;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), AdminServer), text);
  return parsed.success ? parsed.output : null;
}

export function writeAdminServer(configDir: string, server: AdminServer): void {
  ensurePrivateDir(configDir);
  writeAtomic(join(configDir, FILE), `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600, replace: true });
}
