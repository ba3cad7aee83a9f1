import { basename, dirname, join } from "node:path";
import { stringOf } from "../../io/json.ts";
import type { Agent, Environment } from "../agent.ts";
import { absolutePath, entriesOf, fileStamp, filesBelow } from "../files.ts";
import { headRecords } from "../head-lines.ts";

const SESSION = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/i;

/** Returns where Qwen Code keeps its sessions: `~/.qwen`, unless a variable says otherwise. */
function qwenDirectory({ env, homeDir }: Environment): string {
  return absolutePath(env.QWEN_RUNTIME_DIR) ?? absolutePath(env.QWEN_HOME) ?? join(homeDir, ".qwen");
}

/** Settings are in the home directory even if the sessions are elsewhere. */
function qwenHome({ env, homeDir }: Environment): string {
  return absolutePath(env.QWEN_HOME) ?? join(homeDir, ".qwen");
}

function owns(path: string): boolean {
  return SESSION.test(basename(path)) && basename(dirname(path)) === "chats";
}

/** Qwen Code: one file of JSON lines for each session, `projects/<directory>/chats/<session>.jsonl`. */
export const qwen: Agent = {
  id: "qwen",
  resumeCommand: (sessionId) => ["qwen", "--resume", sessionId],
  home: qwenHome,
  roots: (environment) => [join(qwenDirectory(environment), "projects")],
  owns,
  growth: () => "appended",
  stampOf: fileStamp,
  projectSessions({ environment, belongs, isWanted }) {
    const found: string[] = [];
    for (const file of qwen.roots(environment).flatMap(chatsBelow)) {
      if (!owns(file) || !isWanted(file)) continue;
      const cwd = cwdOf(file);
      if (cwd !== null && belongs(cwd)) found.push(file);
    }
    return found;
  },
  discover: (path) => filesBelow(path, owns),
  sourceOf: (path) => ({ sessionId: basename(path, ".jsonl"), isNamed: owns(path), agentId: null }),
  reader: async () => (await import("./reader.ts")).readChat,
};

function chatsBelow(root: string): string[] {
  return entriesOf(root).flatMap((folder) => {
    const chats = join(root, folder.name, "chats");
    return entriesOf(chats).map(({ name }) => join(chats, name));
  });
}

/** Every record contains its directory. */
function cwdOf(file: string): string | null {
  for (const { cwd } of headRecords(file)) if (stringOf(cwd) !== null) return stringOf(cwd);
  return null;
}
