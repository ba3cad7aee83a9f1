import { PLATFORMS, type Target } from "../../assets/target.ts";
import { MODEL_PACKAGE } from "../../embed/models/manifest.ts";
import { binaryName } from "../binary.ts";
import { type ArchivedFile, document, program } from "./archives.ts";
import type { ReleaseSettings } from "./settings.ts";

/** An npm package as it is published. */
export interface NpmPackage {
  name: string;
  /** Everything in it, below `package/`. */
  files: ArchivedFile[];
}

interface Texts {
  license: string;
  readme: string;
  /** Source of the launcher, with `"@SCOPE@"` in place of the scope. */
  launcher: string;
}

type Names = Pick<ReleaseSettings, "npm" | "version" | "repository">;

/** Makes the package that people install: a launcher that starts the binary of the package for this machine. */
export function launcherPackage(settings: Names, targets: readonly Target[], texts: Texts): NpmPackage {
  const { name } = settings.npm;
  const packages = targets.map((target) => [packageName(settings, target), settings.version]);
  const manifest = {
    ...common(settings, name),
    bin: { mementor: "bin/mementor.cjs" },
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(packages),
    // npm installs it only for those who name it.
    peerDependencies: { [modelPackageName(settings)]: settings.version },
    peerDependenciesMeta: { [modelPackageName(settings)]: { optional: true } },
  };
  const text = texts.launcher.replace('"@SCOPE@"', JSON.stringify(settings.npm.scope));
  return {
    name,
    files: [...shared(manifest, texts), program("package/bin/mementor.cjs", Buffer.from(text))],
  };
}

/** Makes the package with the binary of a target. npm installs it only where it fits. */
export function platformPackage(
  settings: Names,
  target: Target,
  binary: Uint8Array,
  texts: Texts,
): NpmPackage {
  const name = packageName(settings, target);
  const { os, cpu, libc } = PLATFORMS[target];
  const manifest = {
    ...common(settings, name),
    os: [os === "windows" ? "win32" : os],
    cpu: [cpu],
    ...(libc !== undefined && { libc: [libc] }),
    preferUnplugged: true,
    // "mementor upgrade" names it.
    mementor: { launcher: settings.npm.name },
  };
  const readme = `# ${name}\n\nThe program of mementor for one platform: ${PLATFORMS[target].machines}.\nInstall \`${settings.npm.name}\`, which takes the package that fits.\n`;
  const own = { ...texts, readme };
  return { name, files: [...shared(manifest, own), program(`package/bin/${binaryName(target)}`, binary)] };
}

/** Makes the package with the model for many languages, of the files of its archive. */
export function modelPackage(settings: Names, files: readonly ArchivedFile[]): NpmPackage {
  const name = modelPackageName(settings);
  const manifest = {
    ...common(settings, name),
    description: "The embedding model for many languages that mementor can use.",
    preferUnplugged: true,
  };
  const content = files.map((file) => ({ ...file, path: `package/${file.path}` }));
  return {
    name,
    files: [document("package/package.json", `${JSON.stringify(manifest, null, 2)}\n`), ...content],
  };
}

function modelPackageName({ npm }: Pick<Names, "npm">): string {
  return `${npm.scope}/${MODEL_PACKAGE}`;
}

/** Returns the file name that `npm pack` gives a package. */
export function tarballName({ name }: NpmPackage, version: string): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

function packageName({ npm }: Names, target: Target): string {
  return `${npm.scope}/${target}`;
}

function common({ version, repository }: Names, name: string) {
  return {
    name,
    version,
    description: "A local memory for coding agents: one binary, no network, no daemon, no model calls.",
    license: "MIT",
    ...(repository !== null && { repository: { type: "git", url: `git+${repository}.git` } }),
    publishConfig: { access: "public" },
  };
}

function shared(manifest: object, { license, readme }: Texts): ArchivedFile[] {
  return [
    document("package/package.json", `${JSON.stringify(manifest, null, 2)}\n`),
    document("package/LICENSE", license),
    document("package/README.md", readme),
  ];
}
