import { readFileSync } from "node:fs";
import { COMPONENTS } from "../../assets/licenses/components.ts";
import bunText from "../../assets/licenses/texts/bun.txt" with { type: "text" };
import { PLATFORMS, type Target } from "../../assets/target.ts";
import { BUILT_IN_MODEL } from "../../constants.ts";
import { MODEL_PACKAGE } from "../../embed/models/manifest.ts";
import { binaryName } from "../binary.ts";
import { type ArchivedFile, document, program } from "./archives.ts";
import type { ReleaseSettings } from "./settings.ts";

/** An npm package to publish. */
export interface NpmPackage {
  name: string;
  /** All files of the package, with paths below `package/`. */
  files: ArchivedFile[];
}

interface Texts {
  license: string;
  readme: string;
  /** Source of the launcher script, with `"@SCOPE@"` in place of the scope. */
  launcher: string;
}

type Names = Pick<ReleaseSettings, "npm" | "version" | "repository">;

/** Makes the package that people install: a launcher that starts the binary from this machine's platform package. */
export function launcherPackage(settings: Names, targets: readonly Target[], texts: Texts): NpmPackage {
  const { name } = settings.npm;
  const packages = targets.map((target) => [packageName(settings, target), settings.version]);
  const manifest = {
    ...common(settings, name),
    bin: { mementor: "bin/mementor.cjs" },
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(packages),
    // npm installs an optional peer only when the user names it.
    peerDependencies: { [modelPackageName(settings)]: settings.version },
    peerDependenciesMeta: { [modelPackageName(settings)]: { optional: true } },
  };
  const text = texts.launcher.replace('"@SCOPE@"', JSON.stringify(settings.npm.scope));
  return {
    name,
    files: [...shared(manifest, texts), program("package/bin/mementor.cjs", Buffer.from(text))],
  };
}

/** Makes the package with the binary of a target. npm installs it only on matching machines. */
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
    // "mementor upgrade" prints this name.
    mementor: { launcher: settings.npm.name },
  };
  const readme = `# ${name}\n\nThe program of mementor for one platform: ${PLATFORMS[target].machines}.\nInstall \`${settings.npm.name}\`, which takes the package that fits.\n`;
  const own = { ...texts, readme };
  return { name, files: [...shared(manifest, own), program(`package/bin/${binaryName(target)}`, binary)] };
}

/** Makes the package of the multilingual model from the files of its archive. */
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

interface SbomComponent {
  type: "application" | "library" | "framework" | "machine-learning-model" | "platform";
  "bom-ref": string;
  name: string;
  version?: string;
  purl?: string;
  licenses: ({ license: { id: string } } | { license: { name: string } } | { expression: string })[];
}

/** SPDX identifiers or expressions by the licence names in the project's own lists. */
const SPDX: Readonly<Record<string, string>> = {
  MIT: "MIT",
  ISC: "ISC",
  zlib: "Zlib",
  "Apache 2.0": "Apache-2.0",
  "BSD 2-Clause": "BSD-2-Clause",
  "BSD 3-Clause": "BSD-3-Clause",
  "Unicode license": "Unicode-3.0",
  "Apache 2.0 with LLVM exception": "Apache-2.0 WITH LLVM-exception",
  "MIT or Apache 2.0": "MIT OR Apache-2.0",
  "MIT OR Apache": "MIT OR Apache-2.0",
  "MIT; JavaScriptCore: LGPL 2": "MIT AND LGPL-2.0-or-later",
  "LGPL 2.1": "LGPL-2.1-only",
  "public domain": "blessing",
  "BSD 3-Clause, IJG and zlib": "BSD-3-Clause AND IJG AND Zlib",
  "MIT, and BSD 3-Clause for parts from Chromium": "MIT AND BSD-3-Clause",
};

/** SPDX expressions of the components whose licence is listed as "several licenses". */
const SEVERAL: Readonly<Record<string, string>> = {
  BoringSSL: "Apache-2.0",
  libarchive: "BSD-2-Clause AND BSD-3-Clause AND (CC0-1.0 OR OpenSSL OR Apache-2.0)",
};

/** Packages whose code is bundled into the files of another package. */
const VENDORED = ["guid-typescript"];

/** A row in the list of libraries that Bun links: a name and its licence. */
const LINKED = /^ {2}(\S.*?) {2,}(\S.*)$/gm;

/** Lists everything in the binaries with its licences, as CycloneDX 1.6. `packages` are those in the bundle. */
export function sbom(version: string, packages: readonly string[]): string {
  const names = [...new Set([...packages, ...VENDORED])].sort();
  const components = [...runtime(), ...names.map(npmComponent), model()];
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": "mementor",
        name: "mementor",
        version,
        licenses: licensesOf("MIT"),
      },
    },
    components: components.toSorted((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1)),
    dependencies: [
      { ref: "mementor", dependsOn: components.map((component) => component["bom-ref"]).sort() },
    ],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function runtime(): SbomComponent[] {
  const license = COMPONENTS.find(({ name }) => name === "Bun")?.license ?? "";
  return [
    {
      type: "platform",
      "bom-ref": "bun",
      name: "Bun",
      version: Bun.version,
      purl: `pkg:npm/bun@${Bun.version}`,
      licenses: licensesOf(license),
    },
    ...[...bunText.matchAll(LINKED)].map(
      ([, name = "", licence = ""]): SbomComponent => ({
        type: "library",
        "bom-ref": `bun/${name.replace(/\W+/g, "-")}`,
        name: `${name} (in Bun)`,
        licenses: licensesOf(SEVERAL[name] ?? licence),
      }),
    ),
  ];
}

function npmComponent(name: string): SbomComponent {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", "bom-ref": purl, name, version, purl, licenses: licensesOf(String(license)) };
}

function model(): SbomComponent {
  const found = COMPONENTS.find(({ name }) => name.startsWith("bge-small-en-v1.5"));
  return {
    type: "machine-learning-model",
    "bom-ref": "model",
    name: BUILT_IN_MODEL.id,
    licenses: licensesOf(found?.license ?? ""),
  };
}

/** Returns an SPDX identifier if there is one, else an expression or a name. */
function licensesOf(called: string): SbomComponent["licenses"] {
  const plain = called.replace(/,? ?below$/, "").replace(/; source at .*$/, "");
  const spdx = SPDX[plain] ?? plain;
  if (/^[A-Za-z0-9.-]+$/.test(spdx)) return [{ license: { id: spdx } }];
  return / (?:OR|AND|WITH) /.test(spdx) ? [{ expression: spdx }] : [{ license: { name: plain } }];
}
