import { NOTE } from "../../constants.ts";
import { lazyEmbedder } from "../../embed/optional.ts";
import { MementorError } from "../../errors.ts";
import { saveNote } from "../../mcp/save-note.ts";
import { renderJson } from "../../render/json.ts";
import { noteJson, renderNote } from "../../render/note.ts";
import type { Runtime } from "../../runtime.ts";
import type { ReadStore } from "../../store/store.ts";
import { unlessInterrupted } from "../shared/interrupted.ts";
import { screenOf } from "../shared/view.ts";

/** Stands for the standard input. */
const STDIN = "-";
/** A character takes up to four bytes; a little more, so that a longer text is refused and not cut. */
const MAX_BYTES = 4 * NOTE.maxChars + 4_096;

/** Stores a note; `-` reads it from stdin. Rejects with `usage` for one that is too long. */
export async function note(typed: string, { json }: { json: boolean }, runtime: Runtime): Promise<number> {
  const { host } = runtime;
  const text = typed === STDIN ? await fromStdin(runtime) : typed;
  await using embedder = embedderOf(runtime);
  const saved = await saveNote(runtime, { text, author: "user", embed: embedder.embed });
  host.stdout.write(json ? renderJson(noteJson(saved)) : renderNote(saved, screenOf(runtime).program));
  return 0;
}

async function fromStdin({ host }: Runtime): Promise<string> {
  const bytes = await unlessInterrupted(host, host.stdin.read(MAX_BYTES));
  if (bytes === null)
    throw new MementorError("usage", `The note has more than ${NOTE.maxChars} characters.`, {
      hint: "Write down the decision and its reason, and name the file that holds the rest.",
    });
  return new TextDecoder().decode(bytes);
}

function embedderOf(runtime: Runtime) {
  let opened: ReturnType<typeof lazyEmbedder> | null = null;
  return {
    async embed(text: string, { models }: ReadStore): Promise<Float32Array | null> {
      const model = (await models.active())?.id;
      opened ??= lazyEmbedder(
        () => runtime.openEmbedder("prompt", model),
        async (error) => (await runtime.log()).warn("embedder", { error }),
      );
      return opened.embed(text);
    },
    [Symbol.asyncDispose]: async () => opened?.close(),
  };
}
