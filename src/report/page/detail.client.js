import { fileName, select } from "./chrome.client.js";
import { conversation } from "./conversation.client.js";
import { dayText, momentText, plural, sessions } from "./data.client.js";
import { el } from "./dom.client.js";

function part(title, ...children) {
  return el("div", { class: "part" }, el("h3", {}, title), children);
}

function items(shown, total, noun) {
  const rest = total - shown.length;
  return el("ul", {}, shown, rest > 0 ? el("li", { class: "dim" }, `and ${plural(rest, noun)} more`) : null);
}

function files({ files: touched, fileCount }) {
  const item = ([path, touches, changes]) =>
    el(
      "li",
      {},
      el("bdi", { class: "mono" }, fileName(path)),
      el(
        "span",
        { class: "dim" },
        changes > 0 ? ` ${plural(changes, "change")}` : ` ${plural(touches, "touch")}`,
      ),
    );
  return touched.length === 0
    ? null
    : part("Files", items(touched.map(item), Math.max(fileCount, touched.length), "file"));
}

function commits({ commits: made }) {
  const item = ([hash, message]) =>
    el("li", {}, el("span", { class: "mono dim" }, hash.slice(0, 8)), " ", el("bdi", {}, message));
  return made.length === 0 ? null : part("Commits", items(made.map(item), made.length, "commit"));
}

function pullRequests({ prs }) {
  const item = ([pr, url, repository]) => {
    const name = `${repository} #${pr}`;
    return el(
      "li",
      {},
      url === null
        ? el("bdi", {}, name)
        : el("a", { href: url, rel: "noopener noreferrer", dir: "auto" }, name),
    );
  };
  return prs.length === 0 ? null : part("Pull requests", items(prs.map(item), prs.length, "pull request"));
}

function near({ near: others }) {
  const item = (i) => {
    const button = el("button", { type: "button", class: "link", dir: "auto" }, sessions[i].title);
    button.addEventListener("click", () => select(i));
    return el("li", { class: "near" }, button, el("span", { class: "dim" }, `${dayText(sessions[i].time)}`));
  };
  return others.length === 0
    ? null
    : part("Worked on similar files", items(others.map(item), others.length, "session"));
}

/** The conversation that is shown for each session, by index; a promise, since it is decompressed first. */
const shown = new Map();

/** Resolves to the conversation of an open session once it is filled; undefined for a session that is closed. */
export function shownConversation(session) {
  return shown.get(session.i);
}

/** Makes the details of a session, below its row in the table. */
export function details(session) {
  const { root, ready } = conversation(session);
  shown.set(
    session.i,
    ready.then(() => root),
  );
  const facts = [
    `${momentText(session.time)} to ${momentText(session.end === null ? Number.NaN : Date.parse(session.end))}`,
    session.client,
    session.automated ? "automated" : null,
    session.whose,
  ];
  return el(
    "div",
    { class: "details" },
    el("p", { class: "note" }, facts.filter(Boolean).join(", ")),
    session.prompt === null
      ? null
      : part("First prompt", el("p", { dir: "auto", class: "prompt" }, session.prompt)),
    el("div", { class: "parts" }, files(session), commits(session), pullRequests(session), near(session)),
    root,
    el(
      "p",
      { class: "note" },
      el("a", { href: `#session-${session.id}` }, "Link to this session"),
      " · ",
      el("span", { class: "mono" }, `mementor show ${session.id}`),
    ),
  );
}
