// mementor's plugin for opencode. "mementor disable" removes this file.
//
// It starts the installed program like the hooks of other agents do. A hook of a plugin that fails ends the user's
// prompt, so each one catches everything, and waits for at most LIMIT_MS, or as often as MEMENTOR_PATIENCE says.
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const patience = Number(process.env.MEMENTOR_PATIENCE);
const LIMIT_MS = 1000 * (patience >= 1 && patience <= 100 ? patience : 1);
/** Number of messages whose recall is kept, and number of sessions whose parent is known. */
const KEPT = 200;

const PROGRAM = join(homedir(), ".local/share/mementor/bin/mementor");

export const Mementor = async ({ client, directory }) => {
  /** What the memory knows about a message of the user, by the message's id. */
  const recalls = new Map();
  /** The parent of each session; null for a session that is no subagent's. */
  const parents = new Map();

  const parentOf = async (session) => {
    if (!parents.has(session)) {
      const { data } = await client.session.get({ path: { id: session } });
      keep(parents, session, data.parentID ?? null);
    }
    return parents.get(session);
  };

  return {
    "chat.message": limited(async (input, { message, parts }) => {
      const prompt = typedIn(parts);
      // Only a session that the interface or a subagent started has an id for its message.
      if (prompt === "" || (input.messageID && (await parentOf(input.sessionID)) !== null)) return;
      const event = { session_id: input.sessionID, hook_event_name: "UserPromptSubmit", prompt };
      const text = contextIn(await answered("user-prompt-submit", { ...event, cwd: directory }));
      if (text !== "") keep(recalls, message.id, text);
    }),
    // opencode asks for this before each request, and does not store what is added here.
    "experimental.chat.messages.transform": limited(async (_, { messages }) => {
      for (const { info, parts } of messages) {
        const text = recalls.get(info.id);
        const last = parts.at(-1);
        if (text === undefined || parts.some((part) => part.text === text)) continue;
        // The model gets the parts in the order of their ids.
        const id = `${last?.id ?? ""}z`;
        const place = { id, sessionID: info.sessionID, messageID: info.id };
        parts.push({ ...place, type: "text", text, synthetic: true });
      }
    }),
    event: limited(async ({ event: { type, properties } }) => {
      if (type === "session.created") {
        const { id, parentID } = properties.info;
        keep(parents, id, parentID ?? null);
        if (!parentID)
          run("session-start", { session_id: id, hook_event_name: "SessionStart", cwd: directory });
      }
      if (type !== "session.idle") return;
      const session = properties.sessionID;
      const parent = parents.get(session) ?? null;
      run(parent === null ? "stop" : "subagent-stop", {
        session_id: parent ?? session,
        ...(parent !== null && { agent_id: session }),
        hook_event_name: parent === null ? "Stop" : "SubagentStop",
        cwd: directory,
      });
    }),
  };
};

/** Limits the time of a hook, and keeps its errors from the prompt. */
function limited(hook) {
  return async (...args) => {
    let timer;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, LIMIT_MS);
    });
    try {
      await Promise.race([hook(...args), limit]);
    } catch {
      // The prompt goes on without the memory.
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Returns what the user typed: the parts that neither the client nor a plugin added. */
function typedIn(parts) {
  const typed = parts.filter(({ type, synthetic, ignored }) => type === "text" && !synthetic && !ignored);
  const text = typed
    .map((part) => part.text)
    .join("\n")
    .trim();
  // "opencode run" puts quotes around a prompt of several words.
  return /^"[\s\S]*\s[\s\S]*"$/.test(text) ? text.slice(1, -1).replaceAll('\\"', '"') : text;
}

function contextIn(output) {
  return output.trim() === "" ? "" : (JSON.parse(output).hookSpecificOutput?.additionalContext ?? "");
}

function program() {
  return [PROGRAM, `${PROGRAM}.exe`].find((file) => existsSync(file));
}

const argsOf = (event) => ["hook", event, "--from", "opencode"];

/** Runs a hook of the program, and resolves to its output. */
function answered(event, payload) {
  const { promise, resolve } = Promise.withResolvers();
  const file = program();
  if (file === undefined) return "";
  const options = { timeout: LIMIT_MS, killSignal: "SIGKILL", encoding: "utf8", windowsHide: true };
  const child = execFile(file, argsOf(event), options, (error, stdout) => resolve(error ? "" : stdout));
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(payload));
  return promise;
}

/** Runs a hook without an answer. Waits for it, since opencode may end right after. It takes a few milliseconds. */
function run(event, payload) {
  const file = program();
  if (file === undefined) return;
  const limits = { timeout: LIMIT_MS, killSignal: "SIGKILL", windowsHide: true };
  spawnSync(file, argsOf(event), {
    ...limits,
    input: JSON.stringify(payload),
    stdio: ["pipe", "ignore", "ignore"],
  });
}

/** Adds an entry to a map of limited size. */
function keep(map, key, value) {
  map.set(key, value);
  if (map.size > KEPT) map.delete(map.keys().next().value);
}
