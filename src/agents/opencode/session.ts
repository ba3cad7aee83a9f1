import type { JsonObject } from "../../io/json.ts";

/** The facts that opencode stores about a session, in a database or a file. */
export interface SessionInfo {
  id: string;
  /** The session that started this one as a subagent. */
  parentId: string | null;
  /** The working directory. */
  directory: string | null;
  title: string | null;
  version: string | null;
  /** The kind of agent, such as `build` or `general`. */
  agent: string | null;
  createdMs: number;
  /** The message from which on the user has undone the session; null when all of it stands. */
  revertedFrom: string | null;
}

/** A message with its parts, in order. */
export interface Message {
  data: JsonObject;
  parts: readonly JsonObject[];
}

/** A session that was read. */
export interface Session {
  info: SessionInfo;
  messages: readonly Message[];
}
