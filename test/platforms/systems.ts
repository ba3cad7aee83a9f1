import { join } from "node:path";
import type { Target } from "../../src/assets/target.ts";
import type { Runner } from "./place.ts";

/** A system that this machine plays, to run a binary that is built for it. */
export interface System {
  name: string;
  target: Target;
  /** How it was tried, for the page. */
  how: "run" | "emulated" | "checked by file";
  /** What of it is fetched. */
  needs: readonly string[];
  /** What runs its programs; null where nothing does. */
  runner: ((cache: string) => Runner) | null;
}

/** Registers the emulator for programs that the program starts: in a user namespace, since Linux 6.7. */
const ARM64 = `mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || exit 9
printf "%s" ":qemu-aarch64:M::\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00:\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff:$QEMU:F" > /proc/sys/fs/binfmt_misc/register || exit 9
exec "$@"`;

function arm64(name: string): (cache: string) => Runner {
  return (cache) => ({
    kind: "own",
    words: ["unshare", "--user", "--map-root-user", "--mount", "bash", "-c", ARM64, "sh"],
    env: {
      QEMU: join(cache, "qemu", "qemu-aarch64-static"),
      QEMU_LD_PREFIX: join(cache, name),
      QEMU_CPU: "neoverse-n1",
    },
    isSlow: true,
  });
}

function within(name: string): (cache: string) => Runner {
  return (cache) => ({ kind: "root", words: [], root: join(cache, name) });
}

/** The cheapest first. */
export const SYSTEMS: readonly System[] = [
  {
    name: "glibc 2.31",
    target: "linux-x64",
    how: "run",
    needs: ["glibc-2.31"],
    runner: within("glibc-2.31"),
  },
  {
    name: "linux-x64-musl",
    target: "linux-x64-musl",
    how: "run",
    needs: ["musl-x64"],
    runner: within("musl-x64"),
  },
  {
    name: "windows-x64",
    target: "windows-x64",
    how: "emulated",
    needs: ["wine"],
    runner: (cache) => ({ kind: "wine", words: [], root: join(cache, "wine") }),
  },
  {
    name: "without AVX2",
    target: "linux-x64-baseline",
    how: "emulated",
    needs: ["qemu"],
    runner: (cache) => ({
      kind: "own",
      words: [join(cache, "qemu", "qemu-x86_64-static"), "-cpu", "Nehalem"],
      isSlow: true,
    }),
  },
  {
    name: "linux-arm64",
    target: "linux-arm64",
    how: "emulated",
    needs: ["qemu", "glibc-arm64"],
    runner: arm64("glibc-arm64"),
  },
  {
    name: "linux-arm64-musl",
    target: "linux-arm64-musl",
    how: "emulated",
    needs: ["qemu", "musl-arm64"],
    runner: arm64("musl-arm64"),
  },
  {
    name: "darwin-arm64",
    target: "darwin-arm64",
    how: "checked by file",
    needs: ["signatures"],
    runner: null,
  },
  { name: "darwin-x64", target: "darwin-x64", how: "checked by file", needs: ["signatures"], runner: null },
];

/** Says why no other system can be played here; null where it can. */
export function whyNot(): string | null {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "only Linux x64 runs what is built for others";
  if (process.getuid?.() !== 0) return "it takes root to lay out another system";
  const missing = ["unshare", "apt-get", "dpkg", "python3", "bash"].find((name) => Bun.which(name) === null);
  return missing === undefined ? null : `there is no ${missing}`;
}
