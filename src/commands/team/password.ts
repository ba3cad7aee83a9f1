import type { Host } from "../../host.ts";
import type { Runtime } from "../../runtime.ts";
import { findPassword } from "../../store/postgres/client/password.ts";
import { nameOf, parseTarget } from "../../store/postgres/client/target.ts";
import { canAsk } from "../shared/ask.ts";
import { unlessInterrupted } from "../shared/interrupted.ts";

export { withoutPassword } from "../../store/postgres/client/target.ts";

/**
 * Returns the password for a server: from standard input if the user says so, from where passwords are, or from the person.
 * Null when nobody has one: a server may not ask for it.
 */
export async function passwordFor(
  { host }: Runtime,
  url: string,
  { passwordStdin }: { passwordStdin: boolean },
): Promise<string | null> {
  if (passwordStdin) return unlessInterrupted(host, host.stdin.readLine());
  const target = parseTarget(url);
  const known = await findPassword(target, { env: host.env, home: host.homeDir });
  if (known !== null || !canAsk(host)) return known;
  return askPassword(host, `Password of ${nameOf(target)} (Enter if it has none): `);
}

/** Asks without showing what is typed, where the terminal can hide it. */
async function askPassword(host: Host, question: string): Promise<string | null> {
  host.stderr.write(question);
  const echo = (word: "echo" | "-echo") => {
    if (host.platform !== "win32") Bun.spawnSync(["stty", word], { stdin: "inherit" });
  };
  echo("-echo");
  try {
    return (await unlessInterrupted(host, host.stdin.readLine())) || null;
  } finally {
    echo("echo");
    host.stderr.write("\n");
  }
}
