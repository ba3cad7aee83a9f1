import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/wait.ts";
import { Home } from "./home.ts";

/** A registry of npm packages on this machine, which knows nothing but what is published to it. */
export interface Registry extends Disposable {
  /** Makes a home whose package managers know this registry alone. */
  homeWithRegistry(path: string): Home;
}

/** Starts Verdaccio, and publishes packages to it in their order. */
export async function startRegistry(
  work: string,
  tools: string,
  packages: readonly string[],
): Promise<Registry> {
  const config = join(work, "verdaccio.yaml");
  writeFileSync(
    config,
    `storage: ${join(work, "storage")}
auth: { htpasswd: { file: ${join(work, "htpasswd")} } }
packages: { "**": { access: $all, publish: $anonymous $authenticated, unpublish: $anonymous } }
max_body_size: 500mb
log: { type: file, path: ${join(work, "verdaccio.log")}, level: warn }
`,
  );
  const listen = `127.0.0.1:${freePort()}`;
  const child = Bun.spawn([join(tools, "verdaccio"), "--config", config, "--listen", listen], {
    env: { PATH: process.env.PATH ?? "", HOME: work },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const answers = () =>
    fetch(`http://${listen}/-/ping`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await until("the registry answers", answers);
  const homeWithRegistry = (path: string) => madeHome(path, listen);
  const publisher = homeWithRegistry(join(work, "publisher"));
  for (const file of packages) await publisher.run(["npm", "publish", file, "--access", "public"]);
  return { homeWithRegistry, [Symbol.dispose]: () => child.kill() };
}

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port ?? 0;
}

function madeHome(path: string, listen: string): Home {
  const home = new Home(path);
  const url = `http://${listen}/`;
  const npmrc = `registry=${url}\n//${listen}/:_authToken=nobody\nprefix=${path}/.global\nupdate-notifier=false\n`;
  writeFileSync(join(path, ".npmrc"), npmrc);
  writeFileSync(join(path, ".yarnrc"), `registry "${url}"\n`);
  writeFileSync(join(path, ".bunfig.toml"), `[install]\nregistry = "${url}"\n`);
  home.env.npm_config_userconfig = join(path, ".npmrc");
  return home;
}
