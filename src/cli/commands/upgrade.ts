import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";
import { childEnvironment } from "../../io/passed-on.ts";
import type { Installation } from "../../setup/program/installation.ts";
import { printable } from "../../text/invisible.ts";
import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption } from "../command-line/option.ts";
import { renderFacts } from "../terminal/table.ts";

export const command = defineCommand({
  name: "upgrade",
  help: { group: "For programs", position: 9 },
  summary: "Show how to upgrade mementor, which never looks for new versions by itself",
  arguments: {},
  options: { run: flag("Run the command that upgrades mementor"), json: jsonOption },
  examples: ["mementor upgrade", "mementor upgrade --run"],
  async run({ options: { run, json } }, { host }) {
    const { findInstallation } = await import("../../setup/program/installation.ts");
    const { mementorOnPath } = await import("../../setup/program/install-program.ts");
    const { renderResult } = await import("../terminal/view.ts");
    const { VERSION, VERSION_LINE } = await import("../../version.ts");
    const onPath = mementorOnPath(host.env.PATH ?? "", host.platform);
    const installation = findInstallation({ ...host, onPath });
    const { method, program, upgrade } = installation;
    if (json) host.stdout.write(renderResult({ version: VERSION, method, program, upgrade }));
    else host.stdout.write(renderUpgrade(installation, VERSION_LINE));
    if (!run) return 0;
    if (upgrade === null)
      throw new MementorError("usage", "No command can upgrade mementor here.", {
        hint: 'See "mementor upgrade" for what to do.',
      });
    const exitCode = await runShell(upgrade, host);
    return exitCode === 0 ? renewHooks(host, onPath ?? program) : 1;
  },
});

/** Runs a command line in the user's shell, on this terminal. */
function runShell(line: string, host: Host): Promise<number> {
  const shell = host.platform === "win32" ? ["powershell", "-NoProfile", "-Command"] : ["/bin/sh", "-c"];
  return runFromHome([...shell, line], host);
}

/** Lets the new program unpack its files, and replace the program that hooks start. */
function renewHooks(host: Host, program: string): Promise<number> {
  return runFromHome([program, "prepare"], host);
}

/** Runs outside any project, because package managers run scripts named in the directory's settings. */
async function runFromHome(words: string[], { env, homeDir }: Host): Promise<number> {
  const passed = childEnvironment(env, { network: true });
  const child = Bun.spawn(words, { cwd: homeDir, env: passed, stdio: ["inherit", "inherit", "inherit"] });
  return child.exited;
}

const METHODS: Record<Installation["method"], string> = {
  installer: "the install script",
  npm: "npm",
  pnpm: "pnpm",
  yarn: "Yarn",
  bun: "Bun",
  npx: "npx or bunx, which fetches it when it is needed",
  homebrew: "Homebrew",
  scoop: "Scoop",
  winget: "winget",
  source: "a checkout of its sources",
  file: "copying the file",
};

/** Renders how the program was installed, and what upgrades it. */
function renderUpgrade({ method, program, upgrade }: Installation, versionLine: string): string {
  return renderFacts([
    ["Version", [versionLine]],
    ["Program", [printable(program)]],
    ["Installed", [`by ${METHODS[method]}`]],
    [
      "Upgrade",
      upgrade === null ? byHand(method) : [printable(upgrade), '"mementor upgrade --run" does it.'],
    ],
  ]);
}

const BY_HAND = ['Put the newer program in its place, then run "mementor enable" in one of your projects.'];

/** Returns what to do if no command can upgrade the program. */
function byHand(method: Installation["method"]): string[] {
  if (method === "npx") return ["Name the newest version once: npx mementor@latest enable"];
  return method === "source" ? ["git pull, then bun run build"] : BY_HAND;
}
