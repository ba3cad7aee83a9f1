import type { Host } from "../host.ts";
import { shWord } from "../text/lines.ts";
import { PROGRAM_PATH } from "./hook-entries.ts";
import { installedProgram, mementorOnPath } from "./install-program.ts";

/** The line for a shell that lets it find the program by its name, after all others of that name. */
export const PATH_LINE = `export PATH="$PATH:$HOME/${PROGRAM_PATH.replace(/\/[^/]+$/, "")}"`;

/** Returns how an agent calls the program in its shell: by its name, or by its path where a shell would not find it. */
export function programCall(host: Pick<Host, "env" | "homeDir" | "platform">): string {
  const isFound = mementorOnPath(host.env.PATH ?? "", host.platform) !== null;
  return isFound ? "mementor" : programByPath(host);
}

/** Returns how a shell calls the program by its path, with slashes that Git Bash takes, too. */
function programByPath(host: Pick<Host, "homeDir" | "platform">): string {
  const program = installedProgram(host);
  return shWord(host.platform === "win32" ? program.replaceAll("\\", "/") : program);
}
