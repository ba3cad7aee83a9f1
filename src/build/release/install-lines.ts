import { madePart } from "../made.ts";

const START = '<!-- Made by "bun run build" from "repository" in package.json. -->\n';

/**
 * Returns a text whose lines to install are those for the place of the newest release; null while nobody knows it. Throws
 * without a place for them.
 */
export function withInstallLines(markdown: string, latest: string | null): string {
  return madePart(markdown, START, `\`\`\`sh\n${installLines(latest)}\`\`\`\n`);
}

function installLines(latest: string | null): string {
  if (latest === null)
    return "npx --yes bun@1.4.5 run release --own && sh dist/release/install.sh     # in a clone, while no release is published\n";
  return `curl -fsSL ${latest}/install.sh | sh
irm ${latest}/install.ps1 | iex     # Windows, in PowerShell
scoop install ${latest}/mementor.json     # Windows, with Scoop
`;
}
