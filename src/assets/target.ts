import { readFileSync } from "node:fs";

/** A platform that mementor is built for, with the parts of its build. */
export interface Platform {
  os: "linux" | "darwin" | "windows";
  cpu: "x64" | "arm64";
  /** The C library on Linux. */
  libc?: "glibc" | "musl";
  /** True for processors without AVX2, when there is another build for those with it. */
  isBaseline?: true;
  /** Bun's build to compile with. Platforms with one build use the one for processors without AVX2. */
  bun: Bun.Build.CompileTarget;
  /** ONNX Runtime's native library, which chooses its instructions when it starts. Without one, the WASM build runs. */
  onnx?: string;
  /** The machines that it suits, in words for people. */
  machines: string;
}

const TABLE = {
  "linux-x64": {
    os: "linux",
    cpu: "x64",
    libc: "glibc",
    bun: "bun-linux-x64",
    onnx: "libonnxruntime.so.1",
    machines: "Linux with glibc 2.28 or newer, AVX2",
  },
  "linux-x64-baseline": {
    os: "linux",
    cpu: "x64",
    libc: "glibc",
    isBaseline: true,
    bun: "bun-linux-x64-baseline",
    onnx: "libonnxruntime.so.1",
    machines: "Linux with glibc 2.28 or newer, without AVX2",
  },
  "linux-arm64": {
    os: "linux",
    cpu: "arm64",
    libc: "glibc",
    bun: "bun-linux-arm64",
    onnx: "libonnxruntime.so.1",
    machines: "Linux with glibc 2.28 or newer",
  },
  "linux-x64-musl": {
    os: "linux",
    cpu: "x64",
    libc: "musl",
    bun: "bun-linux-x64-baseline-musl",
    machines: "Alpine, with `apk add libstdc++`",
  },
  "linux-arm64-musl": {
    os: "linux",
    cpu: "arm64",
    libc: "musl",
    bun: "bun-linux-arm64-musl",
    machines: "Alpine, with `apk add libstdc++`",
  },
  "darwin-arm64": {
    os: "darwin",
    cpu: "arm64",
    bun: "bun-darwin-arm64",
    onnx: "libonnxruntime.1.dylib",
    machines: "macOS",
  },
  "darwin-x64": {
    os: "darwin",
    cpu: "x64",
    bun: "bun-darwin-x64-baseline",
    machines: "macOS on Intel",
  },
  "windows-x64": {
    os: "windows",
    cpu: "x64",
    bun: "bun-windows-x64-baseline",
    onnx: "onnxruntime.dll",
    machines: "Windows 10 or newer",
  },
} as const satisfies Record<string, Platform>;

export type Target = keyof typeof TABLE;

/** All platforms of mementor: the one list from which binaries, packages and pages are made. */
export const PLATFORMS: Readonly<Record<Target, Platform>> = TABLE;

// `Object.keys` returns exactly the keys of the literal above.
export const TARGETS = Object.keys(TABLE) as readonly Target[];

/** Returns the target of a `process.platform` and `process.arch`; null when mementor is not built for it. */
function targetOf(platform: string, arch: string, isMusl = false): Target | null {
  const name = `${platform === "win32" ? "windows" : platform}-${arch}${isMusl ? "-musl" : ""}`;
  return TARGETS.find((target) => target === name) ?? null;
}

/** Returns the target of this machine. */
export function hostTarget(): Target | null {
  return targetOf(process.platform, process.arch, runsOnMusl());
}

function runsOnMusl(): boolean {
  if (process.platform !== "linux") return false;
  try {
    return readFileSync("/proc/self/maps", "utf8").includes("/ld-musl-");
  } catch {
    return false;
  }
}
