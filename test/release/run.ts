import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { hostTarget, TARGETS, type Target } from "../../src/assets/target.ts";
import { CLAUDE } from "../clients/clients.ts";
import { installClient } from "../clients/install.ts";
import type { Plan } from "./plan.ts";

/**
 * `bun run try:release [--only WAY]... [--from DIR [--target TARGET]] [--page]` makes a release in a clone, as a first publication
 * would, and installs from it in empty homes in every way that can be had here, each to a first answer. The package registry
 * gives what that takes; the ways themselves are tried without a network, where one can be shut off. `--from` tries the archive
 * of a release that is there, `--page` writes the outcome into the page "install".
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    from: { type: "string" },
    target: { type: "string" },
    page: { type: "boolean", default: false },
  },
});

const ROOT = resolve(import.meta.dir, "../..");
const TOOLS = {
  dependencies: { verdaccio: "6.2.9", pnpm: "10.34.8", yarn: "1.22.22" },
  // What one of its dependencies asks for is a tag, which mirrors do not have.
  overrides: { "node-fetch": "2.7.0" },
};
/** An address that nobody has. */
const REPOSITORY = "https://repository.invalid/mementor/mementor";

const target = chosenTarget();
const work = realpathSync.native(mkdtempSync(join(tmpdir(), "mementor-release-")));
try {
  process.exitCode = await tried(await prepared());
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

function chosenTarget(): Target {
  const found = TARGETS.find((each) => each === values.target) ?? hostTarget();
  if (found === null) throw new Error("mementor is not built for this machine");
  return found;
}

async function prepared(): Promise<Plan> {
  const plan = { work, target, repository: REPOSITORY, only: values.only ?? null } as const;
  if (values.from !== undefined)
    return { ...plan, release: resolve(values.from), clone: null, tools: null, claude: null, page: null };
  const [tools, claude] = [installTools(), await installClient(CLAUDE)];
  const clone = await makeRelease();
  return {
    ...plan,
    clone,
    release: join(clone, "dist", "release"),
    tools,
    claude: "folder" in claude ? claude.folder : null,
    page: values.page ? join(ROOT, ".github", "docs", "install.md") : null,
  };
}

/** Installs the tools apart from the project's own dependencies; null where they cannot be had. */
function installTools(): string | null {
  const directory = join(ROOT, ".cache", "install-tools");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, ...TOOLS }));
  const command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  const { exitCode } = Bun.spawnSync(command, { cwd: directory, stdio: ["ignore", "ignore", "ignore"] });
  return exitCode === 0 ? join(directory, "node_modules", ".bin") : null;
}

/** Makes a clone of what is committed, gives it an address and a tag, and builds its release with Node and npm alone. */
async function makeRelease(): Promise<string> {
  const clone = join(work, "clone");
  const { $ } = Bun;
  if ((await $`git status --porcelain`.cwd(ROOT).text()) !== "")
    process.stdout.write("What is not committed is not part of the release.\n");
  await $`git clone -q ${ROOT} ${clone}`;
  await Bun.write(
    join(clone, "package.json"),
    `${JSON.stringify({ ...manifest, repository: REPOSITORY }, null, 2)}\n`,
  );
  const author = ["-c", "user.name=Release", "-c", "user.email=release@example.org"];
  await $`git ${author} commit -qam ${"Name the repository"}`.cwd(clone);
  await $`git tag ${`v${manifest.version}`}`.cwd(clone);
  // Package managers choose by the C library.
  const targets = target === "linux-x64" ? [target, "linux-x64-musl"] : [target];
  await $`npx --yes bun@1.4.5 run build`.cwd(clone).quiet();
  await $`npx --yes bun@1.4.5 run release --targets ${targets.join(",")}`.cwd(clone).quiet();
  return clone;
}

async function tried(plan: Plan): Promise<number> {
  const file = join(work, "plan.json");
  writeFileSync(file, JSON.stringify(plan));
  const shutOff = ["unshare", "-rn"];
  const canShutOff = Bun.which("unshare") !== null && Bun.spawnSync([...shutOff, "true"]).exitCode === 0;
  const trial = [process.execPath, join(import.meta.dir, "trial.ts"), file];
  process.stdout.write(
    canShutOff ? "Without a network:\n" : "With a network, which nothing shuts off here:\n",
  );
  const child = Bun.spawn(canShutOff ? [...shutOff, ...trial] : trial, {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return await child.exited;
}
