import type { Runtime } from "../runtime.ts";
import type { Paragraph } from "../statement/held.ts";

/** With less time than this before the deadline, no instructions are read, in ms. */
const MIN_TIME_MS = 50;

/**
 * Returns a test of whether the instructions of the agent `client` in a project, or its own memory, have a statement.
 * They are read once, when there is a first statement to tell.
 */
export function instructedTo(
  client: string,
  memory: Runtime,
  timeLeftMs: () => number,
): (statement: string) => Promise<boolean> {
  let read: Promise<readonly Paragraph[]> | undefined;
  return async (statement) => {
    read ??= instructions(client, memory, () => timeLeftMs() < MIN_TIME_MS);
    const [paragraphs, { isHeld }] = [await read, await import("../statement/held.ts")];
    return timeLeftMs() > 0 && isHeld(statement, paragraphs);
  };
}

/** Instructions that cannot be read must not keep a hook from telling. */
async function instructions(client: string, memory: Runtime, isLate: () => boolean): Promise<Paragraph[]> {
  if (isLate()) return [];
  const { host, project, memory: place } = memory;
  const [{ projectInstructions }, { nativeMemory }, { indexedParagraphs }] = await Promise.all([
    import("../project/instructions/files.ts"),
    import("../agents/native-memory.ts"),
    import("../project/instructions/paragraphs.ts"),
  ]);
  const files = [...projectInstructions(project), ...nativeMemory(client, project.root, host)];
  try {
    return indexedParagraphs(files, place.directory, isLate);
  } catch (error) {
    (await memory.log()).warn("instructions", { error });
    return [];
  }
}
