import { readFileSync } from "node:fs";
import { COMPONENTS } from "../../assets/licenses/components.ts";
import bunText from "../../assets/licenses/texts/bun.txt" with { type: "text" };
import { BUILT_IN_MODEL } from "../../constants.ts";

interface SbomComponent {
  type: "application" | "library" | "framework" | "machine-learning-model" | "platform";
  "bom-ref": string;
  name: string;
  version?: string;
  purl?: string;
  licenses: ({ license: { id: string } } | { license: { name: string } } | { expression: string })[];
}

/** How licences are called in our lists, and their SPDX identifiers or expressions. */
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

/** What "several licenses" are, by their texts. */
const SEVERAL: Readonly<Record<string, string>> = {
  BoringSSL: "Apache-2.0",
  libarchive: "BSD-2-Clause AND BSD-3-Clause AND (CC0-1.0 OR OpenSSL OR Apache-2.0)",
};

/** Packages whose code is inside the files of another one. */
const VENDORED = ["guid-typescript"];

/** A row in the list of libraries that Bun links: a name, and its licence. */
const LINKED = /^ {2}(\S.*?) {2,}(\S.*)$/gm;

/** Lists everything in the binaries, with its licences, as CycloneDX 1.6. `packages` are those that the bundle has. */
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

/** An SPDX identifier where there is one, else an expression or a name. */
function licensesOf(called: string): SbomComponent["licenses"] {
  const plain = called.replace(/,? ?below$/, "").replace(/; source at .*$/, "");
  const spdx = SPDX[plain] ?? plain;
  if (/^[A-Za-z0-9.-]+$/.test(spdx)) return [{ license: { id: spdx } }];
  return / (?:OR|AND|WITH) /.test(spdx) ? [{ expression: spdx }] : [{ license: { name: plain } }];
}
