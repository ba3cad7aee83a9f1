import type { HookPayload } from "../agents/hook-payload.ts";
import { runningTurn } from "../agents/running.ts";
import type { Config } from "../config/settings.ts";
import { trustedFilter } from "../recall/hidden.ts";
import type { AgentText } from "../recall/telling/agent-text.ts";
import type { Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { partText } from "../turn/parts.ts";
import type { RunningMatter } from "./file-memory-text.ts";
import { hookAsker } from "./payload.ts";
import { withheldTurns } from "./untold.ts";

/** Number of turns to read from the history of a file. */
const MAX_TURNS = 24;

interface FileRequest {
  sessionId: string;
  event: string;
  payload: HookPayload;
  config: Config;
  memory: Runtime;
  /** Stored path of the file. */
  path: string;
}

/** The text about a file, and the turns that it quotes. */
interface FileMemory {
  text: AgentText;
  turns: { turnId: number; passage: string }[];
}

/**
 * Returns what turns outside the agent's context say about a file and the current work; null if there is nothing, or if this
 * session was told about the file since its last compaction.
 */
export async function fileMemory(
  { path, sessionId, event, payload, config, memory }: FileRequest,
  store: SqliteStore,
): Promise<FileMemory | null> {
  const { browse, journal, search } = store;
  const subjects = await journal.subjectsToldIn(sessionId, event);
  if (subjects.has(path)) return null;
  const hidden = await withheldTurns(memory, store, { file: path });
  const limit = MAX_TURNS + hidden.size;
  const filter = { ...(await trustedFilter(config, store)), inContext: hookAsker(sessionId, payload) };
  const history = await browse.fileTurns(path, { limit, filter });
  const toldBefore = await journal.turnsToldIn(sessionId);
  const turnIds = history
    .filter((turnId) => !hidden.has(turnId))
    .slice(0, MAX_TURNS)
    .filter((turnId) => !toldBefore.has(turnId) && !subjects.has(quotedSubject(turnId)));
  if (turnIds.length === 0) return null;
  const matter = await runningMatter(payload, sessionId, store);
  if (matter === null) return null;
  const [{ filePast }, { matterWords, renderFileMemory }, { programCall }] = await Promise.all([
    import("../recall/file-past.ts"),
    import("./file-memory-text.ts"),
    import("../setup/program/install-program.ts"),
  ]);
  const wordsIn = (texts: readonly string[]) => matterWords(matter, path, texts);
  const statements = await filePast(path, turnIds, { search, wordsIn });
  const text = renderFileMemory(path, statements, {
    budget: config.budgets.prompt,
    program: programCall(memory.host),
  });
  if (text === null) return null;
  return { text, turns: statements.map(({ turn, text }) => ({ turnId: turn.turnId, passage: text })) };
}

/** Returns the journal's subject for a quoted turn, so that it is not quoted again for another file. */
export function quotedSubject(turnId: number): string {
  return `turn ${turnId}`;
}

/**
 * The prompt that the agent works on, from the transcript or else from the session's latest turn; null when neither is
 * known.
 */
async function runningMatter(
  { client, transcript_path: transcript, tool_input: input }: HookPayload,
  sessionId: string,
  { recall, search }: SqliteStore,
): Promise<RunningMatter | null> {
  const edited = EDITED_FIELDS.map((field) => input[field])
    .filter((value) => typeof value === "string")
    .join("\n")
    .slice(0, EDITED_CHARS);
  const running = transcript === null ? null : await runningTurn(client, transcript);
  if (running !== null) return { ...running, edited };
  const [latest] = await search.turns(await recall.latestTurns(sessionId, 1));
  const prompt = latest && partText(latest, "prompt");
  return prompt == null && edited === "" ? null : { prompt: prompt ?? "", before: "", said: "", edited };
}

/** Fields of a tool's input with the text that an edit replaces or writes. */
const EDITED_FIELDS = ["old_string", "new_string", "content", "new_source"];
const EDITED_CHARS = 4_000;
