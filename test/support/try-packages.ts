import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { hostTarget } from "../../src/assets/target.ts";
import { until } from "./wait.ts";

/**
 * `bun run test:install` publishes the npm packages to a registry on this machine (Verdaccio), installs them with every
 * package manager in an empty HOME, and asks each installation for a recall. `--keep` takes the packages of the last run.
 */
const ROOT = resolve(import.meta.dir, "../..");
const CACHE = join(ROOT, ".cache");
const RELEASE = join(CACHE, "try-packages");
const SAMPLE = join(ROOT, "fixtures", "transcripts", "sample");
const QUESTION = "why did we choose SQLite with FTS5 for the bookmarks instead of LMDB?";
const TOOLS = {
  dependencies: { verdaccio: "6.2.9", pnpm: "10.34.8", yarn: "1.22.22" },
  // What one of its dependencies asks for is a tag, which mirrors do not have.
  overrides: { "node-fetch": "2.7.0" },
};

const target = hostTarget();
if (target === null || process.platform === "win32") skip("it needs Linux or macOS");
const tools = installTools();
if (!process.argv.includes("--keep")) buildPackages(target);

const work = realpathSync(mkdtempSync(join(tmpdir(), "mementor-packages-")));
const registry = await startRegistry();
try {
  publish();
  await tryAll();
} finally {
  registry.process.kill();
  rmSync(work, { recursive: true, force: true });
}

/** Installs the tools of this test apart from the project's own dependencies. */
function installTools(): string {
  const directory = join(CACHE, "install-tools");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, ...TOOLS }));
  const command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  const { exitCode } = Bun.spawnSync(command, { cwd: directory, stdio: ["ignore", "ignore", "ignore"] });
  if (exitCode !== 0) skip("its tools cannot be installed");
  return join(directory, "node_modules", ".bin");
}

function skip(why: string): never {
  process.stdout.write(`Installation by package managers was not tried: ${why}.\n`);
  process.exit(0);
}

/** Builds the packages of this machine; on Linux x64 also those of other C libraries and processors. */
function buildPackages(host: string): void {
  const targets = host === "linux-x64" ? [host, "linux-x64-baseline", "linux-x64-musl"] : [host];
  const command = [
    process.execPath,
    "src/build/release/release.ts",
    "--targets",
    targets.join(","),
    "--out",
    RELEASE,
  ];
  const { exitCode } = Bun.spawnSync(command, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  if (exitCode !== 0) throw new Error("the packages do not build");
}

/** Starts a registry that knows nothing but what is published to it. */
async function startRegistry() {
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
  const port = freePort();
  const listen = `127.0.0.1:${port}`;
  const child = Bun.spawn([join(tools, "verdaccio"), "--config", config, "--listen", listen], {
    env: { PATH: process.env.PATH ?? "", HOME: work },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const url = `http://${listen}`;
  const answers = () =>
    fetch(`${url}/-/ping`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await until("the registry answers", answers);
  return { process: child, url, listen };
}

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port ?? 0;
}

function publish(): void {
  const files = readdirSync(join(RELEASE, "npm")).sort((a, b) => b.length - a.length);
  const home = clean("publisher");
  for (const file of files) run(["npm", "publish", join(RELEASE, "npm", file), "--access", "public"], home);
}

/** Makes an empty HOME whose package managers know the registry alone. */
function clean(name: string): string {
  const home = join(work, name);
  mkdirSync(join(home, "project", ".git"), { recursive: true });
  writeFileSync(join(home, "project", ".git", "HEAD"), "ref: refs/heads/main\n");
  const npmrc = `registry=${registry.url}/\n//${registry.listen}/:_authToken=nobody\nprefix=${home}/.global\nupdate-notifier=false\n`;
  writeFileSync(join(home, ".npmrc"), npmrc);
  writeFileSync(join(home, ".yarnrc"), `registry "${registry.url}/"\n`);
  writeFileSync(join(home, ".bunfig.toml"), `[install]\nregistry = "${registry.url}/"\n`);
  return home;
}

async function tryAll(): Promise<void> {
  const pnpm = (home: string) => ({ PNPM_HOME: join(home, "pnpm") });
  await tryOne("npm", ["npm", "install", "-g", "mementor"], (home) => [
    join(home, ".global", "bin", "mementor"),
  ]);
  await tryOne("npx", [], () => ["npx", "--yes", "mementor"]);
  await tryOne("bunx", [], () => [process.execPath, "x", "mementor"]);
  await tryOne("bun", [process.execPath, "add", "-g", "mementor"], (home) => [
    join(home, ".bun", "bin", "mementor"),
  ]);
  await tryOne(
    "pnpm",
    [join(tools, "pnpm"), "add", "-g", "mementor"],
    (home) => [join(home, "pnpm", "mementor")],
    pnpm,
  );
  await tryOne("yarn", [join(tools, "yarn"), "global", "add", "mementor", "--prefix", "PREFIX"], (home) => [
    join(home, ".global", "bin", "mementor"),
  ]);
}

async function tryOne(
  name: string,
  install: readonly string[],
  start: (home: string) => string[],
  extra: (home: string) => Record<string, string> = () => ({}),
): Promise<void> {
  const home = clean(name);
  const env = extra(home);
  if (install.length > 0)
    run(
      install.map((word) => (word === "PREFIX" ? join(home, ".global") : word)),
      home,
      env,
    );
  const program = start(home);
  const mementor = (...args: string[]) => run([...program, ...args], home, env);
  mementor("enable", "--no-history");
  mementor("ingest", SAMPLE, "--text-only");
  expectText(mementor("search", QUESTION, "-k", "1"), "FTS5");
  const hooks = join(home, ".local", "share", "mementor", "bin", "mementor");
  const payload = { session_id: "try", cwd: join(home, "project"), prompt: `I wonder ${QUESTION}` };
  expectText(run([hooks, "hook", "user-prompt-submit"], home, env, JSON.stringify(payload)), "FTS5");
  const { method } = JSON.parse(mementor("upgrade", "--json"));
  mementor("uninstall", "--purge", "--yes");
  const left = [".cache/mementor", ".config/mementor", ".local/share/mementor", "project/.claude"];
  const found = left.filter((path) => existsSync(join(home, path)));
  if (found.length > 0) throw new Error(`${name}: uninstall left ${found.join(", ")}`);
  process.stdout.write(`${name.padEnd(6)}works, upgraded by ${method}\n`);
}

function run(
  command: readonly string[],
  home: string,
  extra: Record<string, string> = {},
  stdin = "",
): string {
  const node = dirname(Bun.which("node") ?? "");
  const PATH = [join(home, "pnpm"), node, "/usr/bin", "/bin"].join(":");
  const env = { HOME: home, PATH, npm_config_userconfig: join(home, ".npmrc"), ...extra };
  const result = Bun.spawnSync([...command], { cwd: join(home, "project"), env, stdin: Buffer.from(stdin) });
  const [stdout, stderr] = [result.stdout.toString(), result.stderr.toString()];
  if (result.exitCode !== 0)
    throw new Error(`${command.join(" ")} exited with ${result.exitCode}:\n${stdout}${stderr}`);
  return stdout;
}

function expectText(text: string, wanted: string): void {
  if (!text.includes(wanted)) throw new Error(`"${wanted}" is missing in:\n${text}`);
}
