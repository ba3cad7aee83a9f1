/** Runs another program on this terminal, to which Ctrl-C belongs meanwhile. Resolves to its exit code. */
export async function runOnTerminal(
  words: string[],
  options: { cwd?: string; env?: Record<string, string | undefined> } = {},
): Promise<number> {
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    return await Bun.spawn(words, { ...options, stdio: ["inherit", "inherit", "inherit"] }).exited;
  } finally {
    process.off("SIGINT", ignore);
  }
}
