import { CString, dlopen, read } from "bun:ffi";
import { userInfo } from "node:os";
import { lazily } from "../lazily.ts";

/** The C library's name on each system: the first that is there is taken. */
const LIBRARIES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
  darwin: ["/usr/lib/libSystem.B.dylib"],
};
/** Where the home directory stands in what the C library knows of an account, in bytes. */
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
      // Another C library is there.
    }
  return null;
});

/** Returns the home directory that the system's accounts name, whatever HOME says; null where there is none. */
export function accountHome(): string | null {
  // Windows asks the account itself. Elsewhere this would be HOME.
  if (process.platform === "win32") return userInfo().homedir;
  const account = library()?.getpwuid(process.getuid?.() ?? 0) ?? null;
  if (account === null) return null;
  const home = read.ptr(account, HOME_AT[process.platform] ?? 0);
  return home === 0 ? null : new CString(home as typeof account).toString();
}

/**
 * Takes variables out of the environment that the runtime and its libraries read: there they stay when they are deleted from
 * what the runtime shows of it.
 */
export function unset(names: readonly string[]): void {
  for (const name of names) library()?.unsetenv(Buffer.from(`${name}\0`));
}
