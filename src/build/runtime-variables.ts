/**
 * Variables by which Bun's runtime runs, loads, listens to or writes something else than the program, each with all that begin
 * with it. A repository can set variables for its agent, and the runtime reads these before the program starts.
 */
const REFUSED = ["BUN_BE_BUN", "BUN_OPTIONS", "BUN_INSPECT", "BUN_BYTECODE_"] as const;

/**
 * Takes the names of these variables out of a built program: with a zero at its start no name of a variable is like them.
 * Throws an `Error` where the runtime does not have one of them, since it may have another in its place.
 */
export async function refuseRuntimeVariables(file: string): Promise<void> {
  const bytes = Buffer.from(await Bun.file(file).arrayBuffer());
  for (const name of REFUSED) {
    const places = placesOf(name, bytes);
    if (places.length === 0) throw new Error(`${file} has no variable ${name}: see what Bun calls it now`);
    for (const at of places) bytes[at] = 0;
  }
  await Bun.write(file, bytes);
}

/** Finds the strings that start so. In a script or a message, something else than a name or a zero stands before it. */
function placesOf(name: string, bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1))
    if (/[\0A-Za-z\d]/.test(String.fromCharCode(bytes[at - 1] ?? 0))) places.push(at);
  return places;
}
