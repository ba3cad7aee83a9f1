import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, commandOf } from "./clients.ts";

/** Installs a client from the package registry once. Resolves to its folder, or to why it cannot be had. */
export async function installClient(
  client: Client,
  cache = CLIENT_CACHE,
): Promise<{ folder: string } | { reason: string }> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return { reason: "the clients are played on Linux x64 only" };
  const folder = join(cache, `${client.id}-${client.version}`);
  const [first = "", second = ""] = commandOf(client, folder);
  const program = client.isScript ? second : first;
  if (existsSync(program)) return { folder };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const wantedPackage = `${client.package}@${client.version}`;
  const npm = await Bun.$`npm install --ignore-scripts --no-audit --no-fund ${wantedPackage}`
    .cwd(folder)
    .quiet()
    .nothrow();
  if (npm.exitCode !== 0)
    return { reason: `npm cannot install it: ${npm.stderr.toString().trim().split("\n").at(-1)}` };
  return existsSync(program) ? { folder } : { reason: `the package has no ${client.program}` };
}

/** Where clients are kept between runs. */
export const CLIENT_CACHE = join(tmpdir(), "mementor-clients");
