import { momentText, page, plural } from "./data.client.js";
import { byId, el } from "./dom.client.js";
import { prose } from "./prose.client.js";

/** Turns whose summaries are made at once; a button makes the next ones. */
const TURNS = 200;

/** Reads the turns of a session, which lie compressed in an element of their own. */
async function turnsOf({ i }) {
  const bytes = Uint8Array.from(atob(byId(`talk-${i}`).textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function saidPart(name, content) {
  return el("div", { class: `said ${name.toLowerCase()}` }, el("h4", {}, name), content);
}

function saidList(name, items) {
  return items.length === 0
    ? null
    : saidPart(
        name,
        el(
          "ul",
          { class: "mono" },
          items.map((item) => el("li", {}, el("bdi", {}, item))),
        ),
      );
}

function turnBody({ prompt, said, tools, errors, files, commits }) {
  return [
    prompt === null ? null : saidPart("Prompt", prose(prompt)),
    said === null ? null : saidPart("Answer", prose(said)),
    saidList("Tools", tools),
    errors === null ? null : saidPart("Errors", el("pre", { tabindex: "0", "aria-label": "Errors" }, errors)),
    saidList("Files", files),
    saidList(
      "Commits",
      commits.map(([hash, message]) => `${hash.slice(0, 8)} ${message}`),
    ),
  ].filter((each) => each !== null);
}

function turnElement(facts) {
  const { id, time, isSubagent, whose, title, files, commits } = facts;
  const notes = [
    momentText(time === null ? Number.NaN : Date.parse(time)),
    isSubagent ? "subagent" : null,
    whose === null ? null : `\u2068${whose}\u2069`,
    files.length > 0 ? plural(files.length, "file") : null,
    commits.length > 0 ? plural(commits.length, "commit") : null,
  ].filter(Boolean);
  const summary = el(
    "summary",
    {},
    el("span", { class: "what", dir: "auto" }, title || "(no prompt)"),
    el("span", { class: "note" }, notes.join(" · ")),
  );
  const element = el("details", { class: "turn", id: `turn-${id}` }, summary);
  element.addEventListener("toggle", () => {
    if (!element.open || element.childElementCount > 1) return;
    const link = el("a", { href: `#turn-${id}` }, "Link to this turn");
    element.append(...turnBody(facts), el("p", { class: "note" }, link, ` · mementor show ${id}`));
  });
  return element;
}

function absence(session) {
  if (!page.hasConversations) return "This page was made without conversations.";
  if (session.turnIds === null)
    return `This page has no room for this conversation: mementor show ${session.id}`;
  return "This browser cannot show conversations: it lacks DecompressionStream.";
}

/** Makes the list of a session's turns, each closed until the reader opens it. Resolves `ready` once it is filled. */
export function conversation(session) {
  const root = el("div", { class: "conversation" }, el("h3", {}, "Conversation"));
  if (session.turnIds === null || !("DecompressionStream" in globalThis)) {
    root.append(el("p", { class: "note" }, absence(session)));
    return { root, ready: Promise.resolve() };
  }
  const fill = (turns) => {
    const more = el("button", { type: "button", class: "plain" });
    const show = (count) => {
      more.before(...turns.splice(0, count).map(turnElement));
      more.hidden = turns.length === 0;
      more.textContent = `Show ${plural(turns.length, "more turn")}`;
    };
    root.append(more);
    more.addEventListener("click", () => show(TURNS));
    root.showAll = () => show(turns.length);
    show(TURNS);
  };
  return { root, ready: turnsOf(session).then(fill) };
}
