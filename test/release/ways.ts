import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { PLATFORMS, type Target } from "../../src/assets/target.ts";
import { CLAUDE, commandOf } from "../clients/clients.ts";
import { serveModel, TOLD } from "../clients/model.ts";
import { Home, holds, QUESTION } from "./home.ts";
import type { Registry } from "./registry.ts";

/** What there is to install, and with what. What could not be had is null. */
export interface Shelf {
  /** Holds all that a trial writes. */
  work: string;
  /** The directory of the release, and the address that serves it. */
  release: string;
  url: string;
  target: Target;
  /** A clone in which the release was built, with its address in package.json. */
  clone: string | null;
  repository: string;
  registry: Registry | null;
  /** The programs of other package managers. */
  tools: string;
  /** The folder that Claude Code is installed in. */
  claude: string | null;
}

/** One way to install. */
export interface Way {
  name: string;
  /** For the page. */
  how: string;
  /** Says what of the shelf is missing for it; null where nothing is. */
  lacks(shelf: Shelf): string | null;
  /** Installs, has a first answer, uninstalls. Returns what came of it, in a few words. */
  tried(shelf: Shelf): Promise<string>;
}

const onUnix = ({ target }: Shelf) => (PLATFORMS[target].os === "windows" ? "it takes a shell" : null);
const withRegistry = ({ registry }: Shelf) => (registry === null ? "there is no registry" : null);
const withClone = ({ clone }: Shelf) => (clone === null ? "the release was not made in a clone" : null);
const homeOf = (shelf: Shelf, name: string) => new Home(join(shelf.work, name));
const globally = ({ path }: Home) => join(path, ".global", "bin", "mementor");
const installedIn = (home: Home) => [join(home.path, ".local", "bin", "mementor")];

export const WAYS: readonly Way[] = [
  {
    name: "install.sh",
    how: "from a server, over HTTP",
    lacks: onUnix,
    tried: async (shelf) => full(await script(shelf, "script"), installedIn),
  },
  { name: "archive", how: "its sum checked, unpacked by hand", lacks: () => null, tried: archive },
  fromClone(
    "clone",
    "`run build` with Node and npm alone, linked into ~/.local/bin",
    'mkdir -p ~/.local/bin && ln -sf "$PWD/dist/mementor" ~/.local/bin/',
  ),
  fromClone(
    "clone's release",
    "`run release` with Node and npm alone, then its install.sh",
    "sh dist/release/install.sh",
  ),
  managed("npm", "npm install -g mementor", globally),
  managed("npx", "npx --yes mementor"),
  managed("pnpm", "pnpm add -g mementor", ({ path }) => join(path, "pnpm", "mementor")),
  managed("yarn", "yarn global add mementor", globally),
  managed("bun", "bun add -g mementor", ({ path }) => join(path, ".bun", "bin", "mementor")),
  managed("bunx", "bunx mementor"),
  {
    name: "npm's files",
    how: "`npm install -g` of both files, from a registry that has neither",
    lacks: withRegistry,
    async tried(shelf) {
      const home = homeOf(shelf, "npm-files");
      home.env.npm_config_prefix = join(home.path, ".global");
      // Its server has no package: the files are all that npm gets.
      home.env.npm_config_registry = shelf.url;
      const files = [shelf.target, ""].map((name) =>
        join(shelf.release, "npm", `${["mementor", name].filter(Boolean).join("-")}-${manifest.version}.tgz`),
      );
      await home.run(["npm", "install", "-g", ...files]);
      return full(home, (it) => [globally(it)]);
    },
  },
  {
    name: "marketplace",
    how: `the plugin in Claude Code ${CLAUDE.version}, the program by install.sh`,
    lacks: (shelf) =>
      shelf.claude === null ? "there is no Claude Code" : (onUnix(shelf) ?? withClone(shelf)),
    tried: marketplace,
  },
];

/** What is not tried by this program, and why. */
export const NOT_TRIED: readonly (readonly [name: string, why: string])[] = [
  ["install.ps1", "needs PowerShell; `release.yml` runs it on Windows before anything is published"],
  ["Homebrew", "needs Homebrew; the formula's archives and sums are checked"],
  ["Scoop", "needs Windows; its manifest fits Scoop's published schema (2026-11-28)"],
  ["winget", "needs Windows; its manifests fit the published schemas 1.12.0 (2026-11-28)"],
];

/** A first answer, and leaving. */
async function full(home: Home, programOf: (home: Home) => string[], withVectors = false): Promise<string> {
  const program = programOf(home);
  const method = await home.firstAnswer(program, withVectors);
  await home.leave(program);
  return `\`upgrade\` says ${method}`;
}

/** Installs by the script, from a pipe. */
async function script(shelf: Shelf, name: string): Promise<Home> {
  const home = homeOf(shelf, name);
  await home.run(["sh", "-c", 'curl -fsSL "$URL/install.sh" | MEMENTOR_BASE_URL="$URL" sh'], {
    env: { URL: shelf.url },
  });
  return home;
}

async function archive(shelf: Shelf): Promise<string> {
  const home = homeOf(shelf, "archive");
  const isWindows = PLATFORMS[shelf.target].os === "windows";
  const name = `mementor-${shelf.target}.${isWindows ? "zip" : "tar.gz"}`;
  for (const file of [name, "SHA256SUMS"])
    await Bun.write(join(home.path, file), await fetch(`${shelf.url}/${file}`));
  const sum = new Bun.CryptoHasher("sha256")
    .update(await Bun.file(join(home.path, name)).bytes())
    .digest("hex");
  holds(readFileSync(join(home.path, "SHA256SUMS"), "utf8"), `${sum}  ${name}\n`);
  // Windows' own tar reads zip archives.
  const tar = isWindows ? join(process.env.SYSTEMROOT ?? "", "System32", "tar.exe") : "tar";
  await home.run([tar, "-xf", name], { cwd: home.path });
  const program = [join(home.path, `mementor-${shelf.target}`, isWindows ? "mementor.exe" : "mementor")];
  holds(await home.run([...program, "--version"]), shelf.target);
  await home.run([...program, "prepare"]);
  return full(home, () => program, true);
}

/** From the clone in which the program and the release were built, by lines of the page. */
function fromClone(name: string, how: string, line: string): Way {
  return {
    name,
    how,
    lacks: withClone,
    async tried(shelf) {
      const home = homeOf(shelf, name.replace(/\W/g, "-"));
      await home.run(["sh", "-c", line], { cwd: shelf.clone ?? "" });
      return full(home, installedIn);
    },
  };
}

/** By a package manager that knows the local registry alone. Without a `place` the command itself is what starts the program. */
function managed(name: string, how: string, place: ((home: Home) => string) | null = null): Way {
  return {
    name,
    how: `\`${how}\``,
    lacks: withRegistry,
    async tried({ work, tools, registry }) {
      const home = registry?.homeWithRegistry(join(work, name));
      if (home === undefined) throw new Error("there is no registry");
      Object.assign(home.env, {
        PNPM_HOME: join(home.path, "pnpm"),
        YARN_PREFIX: join(home.path, ".global"),
      });
      const words = how.split(" ").flatMap((word) => programs(tools)[word] ?? [word]);
      if (place !== null) await home.run(words);
      return full(home, () => (place === null ? words : [place(home)]));
    },
  };
}

/** Package managers that are not on the PATH of a home. */
function programs(tools: string): Record<string, readonly string[]> {
  return {
    pnpm: [join(tools, "pnpm")],
    yarn: [join(tools, "yarn")],
    bun: [process.execPath],
    bunx: [process.execPath, "x"],
  };
}

/** The plugin in the real client, with the program on the PATH: an answer must reach the model once, beside the hooks of the settings and alone. */
async function marketplace(shelf: Shelf): Promise<string> {
  const home = await script(shelf, "marketplace");
  const [claude = ""] = commandOf(CLAUDE, shelf.claude ?? "");
  symlinkSync(claude, join(home.path, ".local", "bin", "claude"));
  // The marketplace names an address that is not published: git takes the clone in its place.
  const clone = `[url "file://${shelf.clone}"]\n\tinsteadOf = ${shelf.repository}.git\n[safe]\n\tdirectory = *\n`;
  writeFileSync(join(home.path, ".gitconfig"), clone);
  const log = join(home.path, "model.jsonl");
  const model = serveModel(log, null);
  const told = async (hooks: string) => {
    writeFileSync(log, "");
    await home.run(["claude", "-p", QUESTION]);
    const counts = readFileSync(log, "utf8")
      .split("\n")
      .map((request) => request.split(TOLD).length - 1);
    if (Math.max(...counts) !== 1)
      throw new Error(`by ${hooks} the model was told ${counts.join(", ")} times`);
  };
  try {
    Object.assign(home.env, CLAUDE.env(model.port), { TERM: "dumb" });
    await home.run(["claude", "plugin", "marketplace", "add", `${shelf.url}/marketplace.json`]);
    await home.run(["claude", "plugin", "install", "mementor@mementor"]);
    await home.firstAnswer(installedIn(home));
    await told("both hooks");
    rmSync(join(home.project, ".claude", "settings.local.json"));
    await told("the plugin alone");
    await home.run(["claude", "plugin", "uninstall", "mementor@mementor"]);
  } finally {
    model.stop();
  }
  await home.leave(installedIn(home));
  return "its hook's answer reaches the model, once";
}
