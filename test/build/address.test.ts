import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { TARGETS } from "../../src/assets/target.ts";
import { formulas } from "../../src/build/release/formulas.ts";
import { latestDownloads, withInstallLines } from "../../src/build/release/install-lines.ts";
import { addressOf, leftOut, releaseSettings } from "../../src/build/release/settings.ts";

const ROOT = join(import.meta.dir, "..", "..");
const ADDRESS = "https://git.example/acme/mementor";
const SUMS = new Map(TARGETS.map((target, index) => [target, `${index}`.repeat(64)]));
const PAGES = ["README.md", ".github/docs/install.md"];
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");

test.each([
  [{ repository: "https://example.org/a/b" }, "https://example.org/a/b"],
  [{ repository: { type: "git", url: "git+https://example.org/a/b.git" } }, "https://example.org/a/b"],
  [{ repository: "git@example.org:a/b.git" }, null],
  [{}, null],
])("%p has the address %p", (manifest, address) => {
  expect(addressOf(manifest)).toBe(address);
});

test("with a repository, formula, manifest, README and installers are made from it", () => {
  const named = { ...manifest, repository: `git+${ADDRESS}.git` };
  const settings = releaseSettings(["--publish"], named);
  const [[, formula = ""] = [], [, scoop = ""] = []] = formulas(settings, SUMS);
  expect(formula).toContain(`homepage "${ADDRESS}"`);
  const download = `${ADDRESS}/releases/download/v${manifest.version}`;
  expect(formula).toContain(`url "${download}/mementor-darwin-arm64.tar.gz"`);
  expect(JSON.parse(scoop)).toMatchObject({
    homepage: ADDRESS,
    architecture: { "64bit": { url: `${download}/mementor-windows-x64.zip` } },
  });
  for (const path of PAGES) {
    const page = withInstallLines(textOf(path), settings.repository);
    expect(page).toContain(`\`\`\`sh\ncurl -fsSL ${ADDRESS}/releases/latest/download/install.sh | sh\n`);
    expect(withInstallLines(page, null)).toBe(withInstallLines(textOf(path), null));
  }
  expect(latestDownloads(settings.repository)).toBe(`${ADDRESS}/releases/latest/download`);
  expect(leftOut(settings)).toBe("");
});

test("without one, a release is built here and says what it leaves out; only --publish refuses", () => {
  const { version } = manifest;
  const settings = releaseSettings(["--targets", "linux-x64"], { version });
  expect(settings).toEqual({
    ...{ version, targets: ["linux-x64"], out: "dist/release", repository: null, downloads: null },
    npm: { name: "mementor", scope: "@mementor" },
    multilingual: null,
  });
  expect(formulas(settings, SUMS)).toEqual([]);
  expect(latestDownloads(settings.repository)).toBe("");
  expect(leftOut(settings)).toBe(`Left out, since package.json has no "repository":
  the formula for Homebrew
  the manifest for Scoop
  the address in install.sh and install.ps1, which install from files beside them
  the address in README and in the npm packages
`);
  expect(withInstallLines(textOf("README.md"), null)).toContain("```sh\nsh install.sh ");
  expect(() => releaseSettings(["--publish"], { version })).toThrow(
    '--publish needs "repository" in package.json',
  );
});

test("the workflow publishes what is whole only", () => {
  expect(textOf(".github/workflows/release.yml")).toContain("run release --publish ");
});

test.each(PAGES)("%s has the lines for the repository of package.json: bun run build writes them", (path) => {
  expect(textOf(path)).toBe(withInstallLines(textOf(path), addressOf(manifest)));
});

test("no text names a place that is made up", () => {
  for (const path of [...PAGES, "src/build/release/install.sh", "src/build/release/install.ps1"])
    expect(textOf(path)).not.toContain("example.org");
});
