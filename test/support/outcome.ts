/** What a process printed, and how it ended. */
export interface ProcessOutcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Reads what a process prints, both streams at once since a full one would hold it up, until it ends. */
export async function outcomeOf(child: Bun.ReadableSubprocess): Promise<ProcessOutcome> {
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
