import { resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "./package.json" with { type: "json" };
import { hostTarget, PLATFORMS, TARGETS, type Target } from "./src/assets/target.ts";
import { binaryName, buildBinary } from "./src/build/binary.ts";
import {
  commandIndex,
  commandOverview,
  pageIndex,
  withInstallLines,
  withPlatformTable,
} from "./src/build/made.ts";
import { latestDownloads, repositoryUrl } from "./src/build/release/settings.ts";

/** `bun build.ts [--target <t>]... [--all] [--entry <file>] [--outfile <file>]` builds `dist/mementor`. */
const PLATFORMS_PAGE = ".github/docs/platforms.md";
const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true },
    all: { type: "boolean", default: false },
    entry: { type: "string", default: "src/main.ts" },
    outfile: { type: "string" },
  },
});

await writeChanged("src/cli/commands/index.ts", await commandIndex(resolve("src/cli/commands")));
await writeChanged("src/cli/commands/overview.ts", await commandOverview(resolve("src/cli/commands")));
await writeChanged("src/cli/help/pages.ts", await pageIndex(resolve(".github/docs")));
for (const path of ["README.md", ".github/docs/install.md"])
  await writeChanged(
    path,
    withInstallLines(await Bun.file(path).text(), latestDownloads(repositoryUrl(manifest))),
  );
await writeChanged(PLATFORMS_PAGE, withPlatformTable(await Bun.file(PLATFORMS_PAGE).text()));
const here = hostTarget();
for (const target of values.all ? TARGETS : chosenTargets(values.target))
  await buildBinary(target, values.entry, values.outfile ?? outputOf(target));

function chosenTargets(names: readonly string[] | undefined): Target[] {
  if (names === undefined) return here === null ? [] : [here];
  return names.map((name) => {
    const target = TARGETS.find((candidate) => candidate === name);
    if (target === undefined) throw new Error(`--target must be one of ${TARGETS.join(", ")}, not ${name}`);
    return target;
  });
}

function outputOf(target: Target): string {
  if (target === here) return `dist/${binaryName(target)}`;
  return `dist/mementor-${target}${PLATFORMS[target].os === "windows" ? ".exe" : ""}`;
}

/** Writes a source file if it has changed. */
async function writeChanged(path: string, source: string): Promise<void> {
  const file = Bun.file(path);
  if (!(await file.exists()) || (await file.text()) !== source) await Bun.write(file, source);
}
