import { agentName, agentOf, resumeCommand } from "../../agents/list.ts";
import { NOTE } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { statIfExists } from "../../io/read.ts";
import type { Resumption } from "../../render/resume.ts";
import type { Runtime } from "../../runtime.ts";
import { requireSession } from "../../search/require-session.ts";
import type { SessionSummary } from "../../store/browse/types.ts";
import { findTurn } from "../shared/turn.ts";

/** Finds how to continue a session, named by one of its turns or by its id. */
export async function findResumption(runtime: Runtime, wanted: string): Promise<Resumption> {
  return resumptionOf(await sessionOf(runtime, wanted));
}

async function sessionOf(runtime: Runtime, wanted: string): Promise<SessionSummary> {
  const store = await runtime.openToRead();
  try {
    const turn = await findTurn(store.search, wanted);
    return await requireSession(store.browse, turn?.sessionId ?? wanted);
  } finally {
    await store.close();
  }
}

/** Throws `not_found` where the agent could not continue the session: it keeps its sessions for a limited time. */
function resumptionOf(session: SessionSummary): Resumption {
  const { sessionId, client, transcriptPath, projectDir, author } = session;
  const words = resumeCommand(client, sessionId);
  if (client === NOTE.client)
    throw new MementorError("usage", `${sessionId} is a note: it has no conversation to continue.`, {
      hint: `To read it, run: mementor show ${sessionId.slice(0, 8)}`,
    });
  if (author !== null)
    throw new MementorError("usage", `Session ${sessionId} was held by ${author}, on another machine.`, {
      hint: `To read it, run: mementor show ${sessionId.slice(0, 8)}`,
    });
  if (words === null)
    throw new MementorError("usage", `${agentName(client)} has no command that continues a session.`);
  if (transcriptPath === null || !statIfExists(agentOf(transcriptPath).container(transcriptPath)))
    throw new MementorError("not_found", `The transcript of session ${sessionId} is gone.`, {
      hint: `${agentName(client)} cannot continue it. Run "mementor show ${sessionId.slice(0, 8)}" to read what is kept of it.`,
    });
  const isGone = projectDir !== null && !statIfExists(projectDir)?.isDirectory();
  return { sessionId, client, words, directory: projectDir, isGone };
}

/** Runs the agent in the session's directory, on this terminal, and returns its exit code. */
export async function execute({ words, directory, isGone, client }: Resumption): Promise<number> {
  const [program = "", ...rest] = words;
  const found = Bun.which(program);
  if (found === null)
    throw new MementorError("not_found", `"${program}" is not in PATH.`, {
      hint: "Install the agent, or run the printed command where it is installed.",
    });
  if (isGone)
    throw new MementorError("not_found", `The session's directory is gone: ${directory}`, {
      hint: `${agentName(client)} finds the session only there. Make the directory again to continue it.`,
    });
  // Ctrl-C belongs to the agent.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    const child = Bun.spawn([found, ...rest], {
      ...(directory !== null && { cwd: directory }),
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    });
    return await child.exited;
  } finally {
    process.off("SIGINT", ignore);
  }
}
