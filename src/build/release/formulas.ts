import marketplace from "../../../.claude-plugin/marketplace.json" with { type: "json" };
import { PLATFORMS, type Platform, TARGETS, type Target } from "../../assets/target.ts";
import { binaryName } from "../binary.ts";
import type { ReleaseSettings } from "./settings.ts";

interface Downloads {
  version: string;
  /** Address of the directory with the archives. */
  base: string;
  homepage: string;
  /** SHA-256 of each archive in hex. */
  sums: ReadonlyMap<Target, string>;
}

const DESCRIPTION = "Local memory for coding agents";

/** The version of winget's published schemas that its manifests follow. */
const WINGET_SCHEMA = "1.12.0";

/** Returns the name of a target's archive. */
export function archiveName(target: Target): string {
  return `mementor-${target}.${PLATFORMS[target].os === "windows" ? "zip" : "tar.gz"}`;
}

type Places = Pick<ReleaseSettings, "version" | "repository" | "downloads">;

/**
 * Makes the manifests of package managers, by their paths in the release. Includes only those whose archives are part of the
 * release and whose addresses are known.
 */
export function packageManifests(
  { version, repository, downloads: base }: Places,
  sums: ReadonlyMap<Target, string>,
): (readonly [name: string, text: string])[] {
  const plugin =
    repository === null ? [] : [["marketplace.json", pluginMarketplace(version, repository)] as const];
  if (base === null) return plugin;
  const downloads = { version, base, homepage: repository ?? base, sums };
  const formula = homebrewFormula(downloads);
  const windows = sourcesFor(downloads, "windows");
  return [
    ...plugin,
    ...(formula === null ? [] : [["homebrew/mementor.rb", formula] as const]),
    ...(windows.length === 0
      ? []
      : [
          ["scoop/mementor.json", scoopManifest(downloads, windows)] as const,
          ...wingetManifests(downloads, windows),
        ]),
  ];
}

interface Source extends Platform {
  target: Target;
  url: string;
  sum: string;
}

/** Returns the release's archives for one operating system. */
function sourcesFor({ base, sums }: Downloads, os: Platform["os"]): Source[] {
  return TARGETS.flatMap((target) => {
    const sum = sums.get(target);
    if (sum === undefined || PLATFORMS[target].os !== os) return [];
    return [{ ...PLATFORMS[target], target, url: `${base}/${archiveName(target)}`, sum }];
  });
}

/** Makes the formula for Homebrew, which does not support musl; null when one of its archives is not part of the release. */
function homebrewFormula(downloads: Downloads): string | null {
  const wanted = TARGETS.filter((target) => {
    const { os, libc } = PLATFORMS[target];
    return os === "darwin" || (os === "linux" && libc === "glibc");
  });
  if (!wanted.every((target) => downloads.sums.has(target))) return null;
  const linux = sourcesFor(downloads, "linux").filter(({ libc }) => libc === "glibc");
  return `class Mementor < Formula
  desc "${DESCRIPTION}"
  homepage "${downloads.homepage}"
  version "${downloads.version}"
  license "MIT"

  on_macos do
${onProcessors(sourcesFor(downloads, "darwin"))}
  end

  on_linux do
${onProcessors(linux)}
  end

  def install
    bin.install "mementor"
    man1.install "man/mementor.1"
    bash_completion.install "completions/mementor.bash" => "mementor"
    zsh_completion.install "completions/_mementor"
    fish_completion.install "completions/mementor.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/mementor --version")
  end
end
`;
}

function onProcessors(sources: readonly Source[]): string {
  const names = { arm64: "on_arm", x64: "on_intel" };
  const blocks = Object.entries(names).map(([cpu, name]) => {
    const [plain, baseline] = sources
      .filter((source) => source.cpu === cpu)
      .toSorted((one, other) => Number(one.isBaseline ?? false) - Number(other.isBaseline ?? false));
    const archive = (source: Source | undefined, margin: string) =>
      `${margin}url "${source?.url}"\n${margin}sha256 "${source?.sum}"`;
    const lines =
      baseline === undefined
        ? archive(plain, "      ")
        : `      if Hardware::CPU.avx2?\n${archive(plain, "        ")}\n      else\n${archive(baseline, "        ")}\n      end`;
    return `    ${name} do\n${lines}\n    end`;
  });
  return blocks.join("\n");
}

/** Makes the manifest for Scoop. */
function scoopManifest({ version, homepage }: Downloads, windows: readonly Source[]): string {
  const names = { x64: "64bit", arm64: "arm64" };
  const archives = windows.map(({ target, cpu, url, sum }) => [
    names[cpu],
    { url, hash: sum, extract_dir: `mementor-${target}` },
  ]);
  const architecture = Object.fromEntries(archives);
  const manifest = {
    version,
    description: DESCRIPTION,
    homepage,
    license: "MIT",
    architecture,
    bin: "mementor.exe",
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Makes the three manifests for winget, to be submitted to its package repository. */
function wingetManifests(
  { version, homepage }: Downloads,
  windows: readonly Source[],
): (readonly [name: string, text: string])[] {
  const publisher = new URL(homepage).pathname.split("/")[1] || "mementor";
  const id = `${publisher}.mementor`;
  const common = { PackageIdentifier: id, PackageVersion: version };
  const manifest = (file: string, type: string, fields: object) => {
    const schema = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${WINGET_SCHEMA}.schema.json\n`;
    const all = { ...common, ...fields, ManifestType: type, ManifestVersion: WINGET_SCHEMA };
    return [`winget/${file}.yaml`, `${schema}${Bun.YAML.stringify(all, null, 2)}\n`] as const;
  };
  const installers = windows.map(({ target, cpu, url, sum }) => ({
    Architecture: cpu,
    InstallerUrl: url,
    InstallerSha256: sum.toUpperCase(),
    NestedInstallerFiles: [
      {
        RelativeFilePath: `mementor-${target}\\${binaryName(target)}`,
        PortableCommandAlias: "mementor",
      },
    ],
  }));
  return [
    manifest(id, "version", { DefaultLocale: "en-US" }),
    manifest(`${id}.installer`, "installer", {
      Platform: ["Windows.Desktop"],
      MinimumOSVersion: "10.0.17763.0",
      InstallerType: "zip",
      NestedInstallerType: "portable",
      Commands: ["mementor"],
      Installers: installers,
    }),
    manifest(`${id}.locale.en-US`, "defaultLocale", {
      PackageLocale: "en-US",
      Publisher: publisher,
      PackageName: "mementor",
      PackageUrl: homepage,
      License: "MIT",
      ShortDescription: DESCRIPTION,
      Moniker: "mementor",
      Tags: ["agents", "claude-code", "cli", "mcp", "memory"],
    }),
  ];
}

/** Makes the plugin marketplace for users who have only the repository's address. It fetches the plugin by the version's tag. */
function pluginMarketplace(version: string, repository: string): string {
  const plugins = marketplace.plugins.map((plugin) => ({
    ...plugin,
    version,
    source: {
      source: "git-subdir",
      url: `${repository}.git`,
      path: plugin.source.replace("./", ""),
      ref: `v${version}`,
    },
  }));
  return `${JSON.stringify({ ...marketplace, plugins }, null, 2)}\n`;
}
