import { readFileSync } from "node:fs";
import { join } from "node:path";

/** In ms: a fix that never returns ends with this. */
const TIMEOUT_MS = 120_000;

/** Runs all tests under a directory in one process, and returns the files in which every test passed. */
export async function passingFiles(directory: string): Promise<Set<string>> {
  const report = join(directory, "report.xml");
  const args = ["test", "--reporter=junit", `--reporter-outfile=${report}`, "--timeout=5000"];
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: directory,
    env: { ...process.env, TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: TIMEOUT_MS,
  });
  const [stderr] = await Promise.all([child.stderr.text(), child.exited]);
  return filesIn(readReport(report, stderr));
}

function readReport(file: string, stderr: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new Error(`bun test wrote no report: ${stderr.slice(-2_000)}`);
  }
}

/** A file that could not be loaded is not in the report. */
function filesIn(report: string): Set<string> {
  const passing = new Set<string>();
  for (const [suite] of report.matchAll(/<testsuite [^>]*>/g)) {
    const { name, file, tests, failures } = Object.fromEntries(
      [...suite.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
    );
    // A group within a file has its own name, and counts towards its file.
    if (file !== undefined && file === name && Number(tests) > 0 && failures === "0") passing.add(file);
  }
  return passing;
}
