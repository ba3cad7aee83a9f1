import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { TARGETS } from "../../src/assets/target.ts";
import { withInstallLines } from "../../src/build/made.ts";
import { packageManifests } from "../../src/build/release/formulas.ts";
import {
  latestDownloads,
  omissionsOf,
  releaseSettings,
  repositoryUrl,
} from "../../src/build/release/settings.ts";

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
  expect(repositoryUrl(manifest)).toBe(address);
});

test("with a repository, manifests, README, installers and marketplace are made from it", () => {
  const named = { ...manifest, repository: `git+${ADDRESS}.git` };
  const settings = releaseSettings(["--publish"], named);
  const made = new Map(packageManifests(settings, SUMS));
  const { version } = manifest;
  const download = `${ADDRESS}/releases/download/v${version}`;
  expect([...made.keys()]).toEqual([
    "marketplace.json",
    "homebrew/mementor.rb",
    "scoop/mementor.json",
    "winget/acme.mementor.yaml",
    "winget/acme.mementor.installer.yaml",
    "winget/acme.mementor.locale.en-US.yaml",
  ]);
  expect(made.get("homebrew/mementor.rb")).toContain(`homepage "${ADDRESS}"`);
  expect(made.get("homebrew/mementor.rb")).toContain(`url "${download}/mementor-darwin-arm64.tar.gz"`);
  expect(JSON.parse(made.get("scoop/mementor.json") ?? "").homepage).toBe(ADDRESS);
  expect(JSON.parse(made.get("marketplace.json") ?? "").plugins[0].source).toEqual({
    source: "git-subdir",
    url: `${ADDRESS}.git`,
    path: "src/setup/plugin/files",
    ref: `v${version}`,
  });
  for (const path of PAGES) {
    const page = withInstallLines(textOf(path), settings.latest);
    expect(page).toContain(`\`\`\`sh\ncurl -fsSL ${ADDRESS}/releases/latest/download/install.sh | sh\n`);
    expect(withInstallLines(page, null)).toBe(withInstallLines(textOf(path), null));
  }
  expect(omissionsOf(settings)).toBe("");
});

test("an address that is given at release time stands for the one of package.json", () => {
  const { version } = manifest;
  const named = { ...manifest, repository: `git+${ADDRESS}.git` };
  expect(releaseSettings(["--publish", "--repository", ADDRESS], { version })).toEqual(
    releaseSettings(["--publish"], named),
  );
  const elsewhere = releaseSettings(["--downloads", "https://files.example"], { version });
  expect(elsewhere).toMatchObject({ downloads: "https://files.example", latest: "https://files.example" });
  expect(omissionsOf(elsewhere)).toContain("marketplace.json");
  expect(() => releaseSettings(["--repository", "git@git.example:acme"], { version })).toThrow(
    'neither "repository" in package.json nor --repository says where the release will be',
  );
});

test("without one, a release is built here and says what it leaves out; only --publish refuses", () => {
  const { version } = manifest;
  const settings = releaseSettings(["--targets", "linux-x64"], { version });
  expect(settings).toEqual({
    ...{ version, targets: ["linux-x64"], out: "dist/release" },
    ...{ repository: null, downloads: null, latest: null },
    npm: { name: "mementor", scope: "@mementor" },
    multilingual: null,
  });
  expect(packageManifests(settings, SUMS)).toEqual([]);
  expect(
    omissionsOf(settings),
  ).toBe(`Left out, since neither "repository" in package.json nor --repository says where the release will be:
  the manifests for Homebrew, Scoop and winget
  the address in install.sh and install.ps1, which install from files beside them
  the line to install in README
  marketplace.json, by which Claude Code installs the plugin
  the repository in the npm packages
`);
  expect(withInstallLines(textOf("README.md"), null)).toContain(
    " run release --own && sh dist/release/install.sh ",
  );
  expect(() => releaseSettings(["--publish"], { version })).toThrow(
    "it takes an address that begins with https://",
  );
});

test("the workflow publishes what is whole only", () => {
  expect(textOf(".github/workflows/release.yml")).toContain("run release --publish ");
});

test.each(PAGES)("%s has the lines for the repository of package.json: bun run build writes them", (path) => {
  expect(textOf(path)).toBe(withInstallLines(textOf(path), latestDownloads(repositoryUrl(manifest))));
});

test("no text names a place that is made up", () => {
  for (const path of [...PAGES, "src/build/release/install.sh", "src/build/release/install.ps1"])
    expect(textOf(path)).not.toContain("example.org");
});
