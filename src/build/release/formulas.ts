import type { Target } from "../../assets/target.ts";
import type { ReleaseSettings } from "./settings.ts";

export interface Downloads {
  version: string;
  /** Address of the directory with the archives. */
  base: string;
  homepage: string;
  /** SHA-256 of each archive in hex. */
  sums: ReadonlyMap<Target, string>;
}

const DESCRIPTION = "Local memory for coding agents";

/** Returns the name of a target's archive. */
export function archiveName(target: Target): string {
  return `mementor-${target}.${target.startsWith("windows") ? "zip" : "tar.gz"}`;
}

type Places = Pick<ReleaseSettings, "version" | "repository" | "downloads">;

/**
 * Makes the files for package managers, by their names below the release: those whose archives, with these sums, are part of
 * it. None while nobody knows where the archives will be.
 */
export function formulas(
  { version, repository, downloads: base }: Places,
  sums: Downloads["sums"],
): (readonly [name: string, text: string])[] {
  if (base === null) return [];
  const downloads = { version, base, homepage: repository ?? base, sums };
  const made = [
    ["homebrew/mementor.rb", homebrewFormula(downloads)],
    ["scoop/mementor.json", scoopManifest(downloads)],
  ] as const;
  return made.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
}

/** Makes the formula for Homebrew; null when one of its archives is not part of this release. */
export function homebrewFormula(downloads: Downloads): string | null {
  const targets = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"] as const;
  if (!targets.every((target) => downloads.sums.has(target))) return null;
  const [macArm, macIntel, linuxArm, linuxIntel] = targets.map((target) => source(downloads, target));
  return `class Mementor < Formula
  desc "${DESCRIPTION}"
  homepage "${downloads.homepage}"
  version "${downloads.version}"
  license "MIT"

  on_macos do
    on_arm do
${macArm}
    end
    on_intel do
${macIntel}
    end
  end

  on_linux do
    on_arm do
${linuxArm}
    end
    on_intel do
${linuxIntel}
    end
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

function source({ base, sums }: Downloads, target: Target): string {
  return `      url "${base}/${archiveName(target)}"\n      sha256 "${sums.get(target)}"`;
}

/** Makes the manifest for Scoop; null when the archive for Windows is not part of this release. */
export function scoopManifest({ version, base, homepage, sums }: Downloads): string | null {
  const hash = sums.get("windows-x64");
  if (hash === undefined) return null;
  const url = `${base}/${archiveName("windows-x64")}`;
  const manifest = {
    version,
    description: DESCRIPTION,
    homepage,
    license: "MIT",
    architecture: { "64bit": { url, hash } },
    extract_dir: "mementor-windows-x64",
    bin: "mementor.exe",
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
