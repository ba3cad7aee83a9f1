import { CString, dlopen, read } from "bun:ffi";
import { userInfo } from "node:os";
import { lazily } from "../lazily.ts";

/** File names of the C library by platform. The first one found is used. */
const LIBRARIES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
  darwin: ["/usr/lib/libSystem.B.dylib"],
};
/** Offset in bytes of the home directory in the C library's account record. */
const HOME_AT: Partial<Record<NodeJS.Platform, number>> = { linux: 32, darwin: 48 };

const SYMBOLS = {
  getpwuid: { args: ["u32"], returns: "ptr" },
  unsetenv: { args: ["ptr"], returns: "i32" },
} as const;

const library = lazily(() => {
  for (const name of LIBRARIES[process.platform] ?? [])
    try {
      return dlopen(name, SYMBOLS).symbols;
    } catch {
      // This C library is missing; the next one is tried.
    }
  return null;
});

/** Returns the home directory of the user's system account, whatever HOME says; null when there is none. */
export function accountHome(): string | null {
  // Windows has its own account lookup. Elsewhere, `userInfo` would return HOME.
  if (process.platform === "win32") return userInfo().homedir;
  const account = library()?.getpwuid(process.getuid?.() ?? 0) ?? null;
  if (account === null) return null;
  const home = read.ptr(account, HOME_AT[process.platform] ?? 0);
  return home === 0 ? null : new CString(home as typeof account).toString();
}

/**
 * Removes variables from the environment that the runtime and its libraries read. Deleting them in JavaScript does not remove
 * them there.
 */
export function unsetVariables(names: readonly string[]): void {
  for (const name of names) library()?.unsetenv(Buffer.from(`${name}\0`));
}
