import { oneLine } from "../../agents/notices.ts";
import { MementorError } from "../../errors.ts";
import { originJson, originMark } from "../../recall/telling/origin.ts";
import type { CommitSummary, PrSummary, SessionSummary } from "../../store/browse.ts";
import { CommitHash, type Filter } from "../../store/filter.ts";
import type { BrowseStore, ReadStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { shortHash } from "../../text/identifiers.ts";
import { wrap } from "../../text/width.ts";
import { pullRequestTitle, sessionName, shortId } from "../../turn/title.ts";
import { defineCommand } from "../command-line/command.ts";
import { filterOf, filterOptions, flag, optional, rows, viewOptions } from "../command-line/option.ts";
import { renderList } from "../terminal/list.ts";
import { renderMore, renderWhen, type Screen } from "../terminal/screen.ts";
import { type View, view } from "../terminal/view.ts";
import { renderSessions, sessionJson } from "./sessions.ts";

export const command = defineCommand({
  name: "commits",
  help: { group: "Ask", position: 7 },
  summary: "List commits or pull requests with the turns that made them, or find one",
  readsTeam: true,
  arguments: { hash: optional("hash", CommitHash) },
  options: {
    prs: flag("List pull requests; with --pr, the sessions behind that one"),
    limit: rows,
    ...filterOptions(),
    ...viewOptions,
  },
  examples: [
    "mementor commits",
    "mementor commits 3f2a9c1",
    "mementor commits --prs",
    "mementor commits --prs --pr 12",
  ],
  async run({ args: { hash }, options }, runtime) {
    if (options.prs && hash !== undefined)
      throw new MementorError("usage", "--prs lists pull requests, and a hash names a commit.", {
        hint: `For the pull requests of a commit: mementor commits --prs --commit ${hash}`,
      });
    return view(runtime, options, async ({ browse, search }) => {
      if (options.prs)
        return pullRequests({ browse, search }, options.limit, await filterOf(options, runtime, browse));
      const { requireKnown } = await import("../../recall/unknown.ts");
      const filter = await filterOf(options, runtime, browse);
      const wanted = hash ?? filter.commit;
      if (hash !== undefined) await requireKnown({ commit: hash }, {}, browse);
      const commits = await browse.commits({ limit: options.limit, filter, hash: wanted });
      const total = wanted === undefined ? await browse.count("commits", { filter }) : commits.length;
      return {
        json: () => ({ commits: commits.map(commitJson), total }),
        text: (screen) =>
          wanted === undefined || commits.length === 0
            ? renderCommits({ commits, total }, screen)
            : renderCommit(commits, screen),
      };
    });
  },
});

async function pullRequests(
  { browse, search }: Pick<ReadStore, "browse" | "search">,
  limit: number,
  filter: Filter,
): Promise<View> {
  const prs = await withSessions({ browse, search }, { limit, filter, prNumber: filter.pr });
  const total = filter.pr === undefined ? await browse.count("prs", { filter }) : prs.length;
  return {
    json: () => ({ prs: prs.map(prJson), total }),
    text: (screen) =>
      filter.pr === undefined || prs.length === 0 ? renderPrs({ prs, total }, screen) : renderPr(prs, screen),
  };
}

async function withSessions(
  { browse, search }: Pick<ReadStore, "browse" | "search">,
  options: Parameters<BrowseStore["prs"]>[0],
): Promise<PrWithSessions[]> {
  const prs = await browse.prs(options);
  const turns = new Map(
    (await search.turns(prs.flatMap(({ opened }) => opened?.turnId ?? []))).map((turn) => [
      turn.turnId,
      turn,
    ]),
  );
  return Promise.all(
    prs.map(async (pr) => ({
      ...pr,
      sessions: await browse.summaries(pr.sessionIds),
      turn: pr.opened && (turns.get(pr.opened.turnId) ?? null),
    })),
  );
}

/** A pull request with its sessions, the latest first, and the turn that opened it, where that is known. */
interface PrWithSessions extends PrSummary {
  sessions: SessionSummary[];
  turn: StoredTurn | null;
}

/** Returns a commit for `--json`. */
function commitJson(commit: CommitSummary) {
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

/** Returns a pull request for `--json`. */
function prJson(pr: PrWithSessions) {
  return {
    pr_number: pr.prNumber,
    repository: pr.prRepository,
    url: pr.prUrl,
    title: titleOf(pr),
    turn_id: pr.turn?.turnId ?? null,
    time: pr.time,
    sessions: pr.sessions.map(sessionJson),
  };
}

/** Renders commits for a terminal. */
function renderCommits(
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
      { title: "WHEN", isOptional: true, paint: style.dim },
      { title: "BRANCH", maxWidth: 24, isOptional: true, paint: style.dim },
      { title: "SESSION", isOptional: true, paint: style.dim },
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

/** Renders the commits with one hash for a terminal, each followed by its full message if the list truncates it. */
function renderCommit(commits: readonly CommitSummary[], screen: Screen): string {
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

/** Returns the title under which a pull request was opened; null if the turn does not contain it. */
function titleOf({ turn, opened }: PrWithSessions): string | null {
  return turn && opened && pullRequestTitle(turn.toolSummary, opened);
}

/** Returns a pull request's title or, if unknown, the name of its latest session. */
function wordsOfPr(pr: PrWithSessions): string {
  const title = titleOf(pr);
  if (pr.turn !== null && title !== null) return `${originMark(pr.turn)}${oneLine(title)}`;
  const [latest] = pr.sessions;
  return latest === undefined ? "" : `${originMark(latest)}${sessionName(latest)}`;
}

/** Renders pull requests for a terminal. */
function renderPrs(
  { prs, total }: { prs: readonly PrWithSessions[]; total: number },
  screen: Screen,
): string {
  if (prs.length === 0) return "No pull requests.\n";
  const { style, now } = screen;
  const list = renderList(
    [
      { title: "PR", align: "right", paint: style.yellow },
      { title: "TITLE", cut: "end", maxWidth: 100 },
      { title: "TURN", align: "right", paint: style.cyan },
      { title: "SESSION", isOptional: true, paint: style.dim },
      { title: "WHEN", isOptional: true, paint: style.dim },
      { title: "REPOSITORY", maxWidth: 40, isOptional: true, paint: style.dim },
    ],
    prs.map((pr) => [
      `#${pr.prNumber}`,
      wordsOfPr(pr),
      `${pr.turn?.turnId ?? ""}`,
      sessionsOf(pr),
      renderWhen(pr.time, now),
      pr.prRepository,
    ]),
    screen,
  );
  return list + renderMore(prs.length, total, "pull request", screen);
}

/** Returns the id of the latest session and the number of others, such as `1b7c0a52 +2`. */
function sessionsOf({ sessions: [latest, ...others] }: PrWithSessions): string {
  if (latest === undefined) return "";
  return `${shortId(latest.sessionId)}${others.length === 0 ? "" : ` +${others.length}`}`;
}

/** Renders the pull requests of one number with all their sessions for a terminal. */
function renderPr(prs: readonly PrWithSessions[], screen: Screen): string {
  if (prs.length === 0) return "No pull requests.\n";
  return prs
    .map((pr) => {
      const { prUrl, time, sessions, turn } = pr;
      const { style, now } = screen;
      const heading = `${style.bold(oneLine(prUrl))} ${style.dim(renderWhen(time, now))}\n`;
      const title = titleOf(pr);
      const words =
        turn === null || title === null ? "" : `${style.text(originMark(turn) + oneLine(title))} `;
      const opened = turn === null ? "" : `${words}${style.dim(`(turn ${turn.turnId})`)}\n`;
      return heading + opened + renderSessions({ sessions, total: sessions.length }, screen);
    })
    .join("\n");
}
