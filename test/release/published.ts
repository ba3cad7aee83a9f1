import * as v from "valibot";

/** An archive that a manifest names. */
export interface NamedArchive {
  url: string;
  /** SHA-256 in small hex digits. */
  sum: string;
}

const Url = v.pipe(v.string(), v.regex(/^https:\/\/.+$/), v.maxLength(2048));
const Sum = v.pipe(v.string(), v.regex(/^[a-fA-F0-9]{64}$/));

/** What the published schema of Scoop's manifests says of the fields that ours has. It allows no others. */
const Scoop = v.strictObject({
  version: v.pipe(v.string(), v.regex(/^[\w.\-+_]+$/)),
  description: v.string(),
  homepage: Url,
  license: v.string(),
  architecture: v.strictObject(
    v.entriesFromList(
      ["64bit", "arm64"],
      v.optional(v.strictObject({ url: Url, hash: Sum, extract_dir: v.string() })),
    ),
  ),
  bin: v.string(),
});

/** The same of winget's schemas 1.12.0: the fields that they require, and those that ours has beside them. */
const COMMON = {
  PackageIdentifier: v.pipe(
    v.string(),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the published pattern refuses.
    v.regex(/^[^.\s\\/:*?"<>|\x01-\x1f]{1,32}(\.[^.\s\\/:*?"<>|\x01-\x1f]{1,32}){1,7}$/),
    v.maxLength(128),
  ),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the same.
  PackageVersion: v.pipe(v.string(), v.regex(/^[^\\/:*?"<>|\x01-\x1f]+$/), v.maxLength(128)),
  ManifestVersion: v.literal("1.12.0"),
};
const Locale = v.pipe(v.string(), v.regex(/^[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*$/), v.maxLength(20));
const text = (least: number, most: number) => v.pipe(v.string(), v.minLength(least), v.maxLength(most));
const Installer = v.strictObject({
  Architecture: v.picklist(["x86", "x64", "arm", "arm64", "neutral"]),
  InstallerUrl: Url,
  InstallerSha256: Sum,
  NestedInstallerFiles: v.array(
    v.strictObject({ RelativeFilePath: text(1, 512), PortableCommandAlias: text(1, 40) }),
  ),
});
const WINGET = {
  version: v.strictObject({ ...COMMON, DefaultLocale: Locale, ManifestType: v.literal("version") }),
  installer: v.strictObject({
    ...COMMON,
    Platform: v.array(v.picklist(["Windows.Desktop", "Windows.Universal"])),
    MinimumOSVersion: v.pipe(v.string(), v.regex(/^\d{1,5}(\.\d{1,5}){0,3}$/)),
    InstallerType: v.literal("zip"),
    NestedInstallerType: v.literal("portable"),
    Commands: v.pipe(v.array(text(1, 40)), v.maxLength(16)),
    Installers: v.pipe(v.array(Installer), v.minLength(1), v.maxLength(1024)),
    ManifestType: v.literal("installer"),
  }),
  locale: v.strictObject({
    ...COMMON,
    PackageLocale: Locale,
    Publisher: text(2, 256),
    PackageName: text(2, 256),
    PackageUrl: Url,
    License: text(3, 512),
    ShortDescription: text(3, 256),
    Moniker: text(1, 40),
    Tags: v.pipe(v.array(text(1, 40)), v.maxLength(16)),
    ManifestType: v.literal("defaultLocale"),
  }),
};

/** What Claude Code reads of a marketplace that it has by its address alone. */
const Marketplace = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z0-9-]+$/)),
  owner: v.object({ name: v.string() }),
  plugins: v.array(
    v.object({
      name: v.string(),
      source: v.strictObject({
        source: v.literal("git-subdir"),
        url: Url,
        path: v.pipe(v.string(), v.regex(/^[\w/-]+$/)),
        ref: v.pipe(v.string(), v.startsWith("v")),
      }),
    }),
  ),
});

/** Names what is wrong with the shape of a file for a package manager; empty where all is right. Ruby is not looked at. */
export function problemsOf(name: string, text: string): string[] {
  const schema = schemaOf(name);
  if (schema === null) return [];
  const { issues = [] } = v.safeParse(schema, parsed(name, text));
  return issues.map((issue) => `${v.getDotPath(issue) ?? "it"}: ${issue.message}`);
}

function schemaOf(name: string) {
  if (name === "marketplace.json") return Marketplace;
  if (name.startsWith("scoop/")) return Scoop;
  if (!name.startsWith("winget/")) return null;
  if (name.endsWith(".installer.yaml")) return WINGET.installer;
  return name.endsWith(".locale.en-US.yaml") ? WINGET.locale : WINGET.version;
}

function parsed(name: string, text: string): unknown {
  return name.endsWith(".yaml") ? Bun.YAML.parse(text) : JSON.parse(text);
}

/** Lists the archives that a manifest names, in its order. */
export function archivesIn(name: string, text: string): NamedArchive[] {
  if (name.startsWith("homebrew/"))
    return [...text.matchAll(/url "([^"]+)"\s+sha256 "(\w+)"/g)].map(([, url = "", sum = ""]) => ({
      url,
      sum,
    }));
  if (name.startsWith("scoop/"))
    return Object.values(v.parse(Scoop, parsed(name, text)).architecture).flatMap((archive) =>
      archive === undefined ? [] : [{ url: archive.url, sum: archive.hash }],
    );
  if (!name.endsWith(".installer.yaml")) return [];
  return v
    .parse(WINGET.installer, parsed(name, text))
    .Installers.map((one) => ({ url: one.InstallerUrl, sum: one.InstallerSha256.toLowerCase() }));
}
