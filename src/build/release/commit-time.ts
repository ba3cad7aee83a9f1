/** What archives are dated where there is no commit; zip knows no earlier time. */
const EARLIEST = new Date("1980-01-01T00:00:00Z");

/** Returns the time of the current commit, by which files in archives are dated. */
export function commitTime(): Date {
  try {
    const { stdout, exitCode } = Bun.spawnSync(["git", "log", "-1", "--format=%ct"], { stderr: "ignore" });
    const seconds = Number(stdout.toString().trim());
    return exitCode === 0 && seconds > 0 ? new Date(seconds * 1000) : EARLIEST;
  } catch {
    return EARLIEST;
  }
}
