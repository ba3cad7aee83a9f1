import type { CommitSummary, PrSummary, SessionSummary } from "../store/contract/types/browse.ts";
import { shortHash } from "../text/short-hash.ts";
import { wrap } from "../text/wrap.ts";
import { oneLine, renderList } from "./list.ts";
import { originJson, originMark } from "./origin.ts";
import { renderMore, type Screen, shortId } from "./screen.ts";
import { sessionName } from "./session-name.ts";
import { renderSessions, sessionJson } from "./sessions.ts";
import { renderWhen } from "./time.ts";

/** A pull request with its sessions, the latest first. */
export interface PrWithSessions extends PrSummary {
  sessions: SessionSummary[];
}

/** A commit as `--json` gives it. */
export function commitJson(commit: CommitSummary) {
  return {
    hash: commit.hash,
    message: commit.message,
    turn_id: commit.turnId,
    session_id: commit.sessionId,
    session_title: commit.sessionTitle,
    first_words: commit.firstWords,
    time: commit.createdAt,
    branch: commit.branch,
    ...(commit.foreign !== null && { foreign: commit.foreign }),
    ...originJson(commit),
  };
}

/** A pull request as `--json` gives it. */
export function prJson(pr: PrWithSessions) {
  return {
    pr_number: pr.prNumber,
    repository: pr.prRepository,
    url: pr.prUrl,
    time: pr.time,
    sessions: pr.sessions.map(sessionJson),
  };
}

/** Renders commits for a terminal. */
export function renderCommits(
  { commits, total }: { commits: readonly CommitSummary[]; total: number },
  screen: Screen,
): string {
  if (commits.length === 0) return "No commits.\n";
  const { style, now } = screen;
  const list = renderList(
    [
      { title: "COMMIT", paint: style.yellow },
      { title: "MESSAGE", cut: "end", maxWidth: 100 },
      { title: "TURN", align: "right", paint: style.cyan },
      { title: "WHEN", mayGo: true, paint: style.dim },
      { title: "BRANCH", maxWidth: 24, mayGo: true, paint: style.dim },
      { title: "SESSION", mayGo: true, paint: style.dim },
    ],
    commits.map((commit) => [
      shortHash(commit.hash),
      `${originMark(commit)}${commit.message.split("\n")[0] ?? ""}`,
      `${commit.turnId}`,
      renderWhen(commit.createdAt, now),
      commit.branch ?? "",
      shortId(commit.sessionId),
    ]),
    screen,
  );
  return list + renderMore(commits.length, total, "commit", screen);
}

/** Renders the commits of one hash for a terminal, below each of them its whole message where the list cuts it. */
export function renderCommit(commits: readonly CommitSummary[], screen: Screen): string {
  return commits
    .map((commit) => {
      const list = renderCommits({ commits: [commit], total: 1 }, screen);
      const message = commit.message.trim();
      if (list.includes(message)) return list;
      const lines = message.split("\n").flatMap((line) => wrap(oneLine(line), messageWidth(screen)));
      return `${list}\n${lines.map((line) => `    ${screen.style.text(line)}`.trimEnd()).join("\n")}\n`;
    })
    .join("\n");
}

function messageWidth({ width }: Screen): number {
  return width === null ? Number.POSITIVE_INFINITY : Math.max(1, width - 4);
}

/** Renders pull requests for a terminal. */
export function renderPrs(
  { prs, total }: { prs: readonly PrWithSessions[]; total: number },
  screen: Screen,
): string {
  if (prs.length === 0) return "No pull requests.\n";
  const { style, now } = screen;
  const list = renderList(
    [
      { title: "PR", align: "right", paint: style.yellow },
      { title: "LATEST SESSION", cut: "end", maxWidth: 100 },
      { title: "SESSIONS", align: "right", mayGo: true },
      { title: "WHEN", mayGo: true, paint: style.dim },
      { title: "REPOSITORY", maxWidth: 40, mayGo: true, paint: style.dim },
    ],
    prs.map((pr) => [
      `#${pr.prNumber}`,
      pr.sessions[0]
        ? `${shortId(pr.sessions[0].sessionId)} ${originMark(pr.sessions[0])}${sessionName(pr.sessions[0])}`
        : "",
      `${pr.sessions.length}`,
      renderWhen(pr.time, now),
      pr.prRepository,
    ]),
    screen,
  );
  return list + renderMore(prs.length, total, "pull request", screen);
}

/** Renders the pull requests of one number with all their sessions for a terminal. */
export function renderPr(prs: readonly PrWithSessions[], screen: Screen): string {
  if (prs.length === 0) return "No pull requests.\n";
  return prs
    .map(({ prUrl, time, sessions }) => {
      const heading = `${screen.style.bold(oneLine(prUrl))} ${screen.style.dim(renderWhen(time, screen.now))}\n`;
      return heading + renderSessions({ sessions, total: sessions.length }, screen);
    })
    .join("\n");
}
