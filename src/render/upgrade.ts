import type { Installation } from "../project/installation.ts";
import { printable } from "../text/invisible.ts";
import { renderFacts } from "./table.ts";

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
export function renderUpgrade({ method, program, upgrade }: Installation, versionLine: string): string {
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

/** What to do where no command upgrades the program. */
function byHand(method: Installation["method"]): string[] {
  if (method === "npx") return ["Name the newest version once: npx mementor@latest enable"];
  return method === "source" ? ["git pull, then bun run build"] : BY_HAND;
}
