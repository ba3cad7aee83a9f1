import { branchOf, change, colourOf, dayText, listen, plural, sessions, state } from "./data.client.js";
import { details } from "./detail.client.js";
import { byId, el, svg } from "./dom.client.js";

/** Number of rows to make at a time, as the reader scrolls. */
const CHUNK = 60;

const COLUMNS = [
  {
    name: "Title",
    text: true,
    value: ({ title }) => title.toLowerCase(),
    cell: (session) => title(session),
    head: true,
  },
  {
    name: "Date",
    first: -1,
    value: ({ time }) => time || 0,
    cell: ({ time }) => dayText(time),
    class: "date",
  },
  { name: "Branch", text: true, value: branchOf, cell: (session) => branch(session), class: "branch" },
  { name: "Turns", first: -1, value: ({ turns }) => turns, noun: "turn" },
  { name: "Files", first: -1, value: ({ fileCount }) => fileCount, noun: "file" },
  { name: "Commits", first: -1, value: ({ commits }) => commits.length, noun: "commit" },
  { name: "PRs", first: -1, value: ({ prs }) => prs.length, noun: "PR" },
];

const body = byId("rows");
let order = { column: 1, direction: -1 };
let listed = [];
let made = 0;
const rowOf = new Map();

function title(session) {
  const button = el(
    "button",
    { type: "button", class: "title", "aria-expanded": "false", dir: "auto" },
    session.title,
  );
  button.addEventListener("click", () => change({ selected: state.selected === session.i ? -1 : session.i }));
  return button;
}

function branch(session) {
  const name = branchOf(session);
  if (name === "") return "";
  const square = svg("rect", { width: 8, height: 8, fill: `var(--c${colourOf(session)})` });
  return [
    svg("svg", { viewBox: "0 0 8 8", class: "dot", "aria-hidden": "true" }, square),
    el("bdi", {}, name),
  ];
}

function count(value, noun) {
  return el(
    "span",
    { class: value === 0 ? "dim" : "" },
    `${value}`,
    el("span", { class: "unit" }, ` ${value === 1 ? noun : `${noun}s`}`),
  );
}

function row(session) {
  const cells = COLUMNS.map((column) =>
    column.noun
      ? el(
          "td",
          { class: column.value(session) === 0 ? "num zero" : "num" },
          count(column.value(session), column.noun),
        )
      : el(
          column.head ? "th" : "td",
          { class: column.class, scope: column.head && "row" },
          column.cell(session),
        ),
  );
  return el("tr", {}, cells);
}

function open(element, session) {
  element.classList.add("open");
  element.querySelector("button").setAttribute("aria-expanded", "true");
  element.after(el("tr", { class: "more" }, el("td", { colspan: COLUMNS.length }, details(session))));
}

function close(element) {
  element.classList.remove("open");
  element.querySelector("button").setAttribute("aria-expanded", "false");
  element.nextElementSibling.remove();
}

function makeRows(until) {
  for (; made < Math.min(until, listed.length); made++) {
    const session = listed[made];
    const element = row(session);
    rowOf.set(session.i, element);
    body.append(element);
    if (session.i === state.selected) open(element, session);
  }
}

function list() {
  const { value, text } = COLUMNS[order.column];
  const compare = text ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : (a, b) => a - b;
  listed = sessions
    .filter(({ i }) => state.matches?.has(i) ?? true)
    .map((session) => ({ session, key: value(session) }))
    .sort((a, b) => order.direction * compare(a.key, b.key) || a.session.i - b.session.i)
    .map(({ session }) => session);
  rowOf.clear();
  body.replaceChildren();
  made = 0;
  makeRows(CHUNK);
  byId("count").textContent =
    listed.length === sessions.length
      ? plural(sessions.length, "session")
      : `${listed.length} of ${plural(sessions.length, "session")}`;
}

function sortBy(column, direction) {
  order = { column, direction };
  for (const [i, cell] of [...byId("head").children].entries()) {
    if (i === column) cell.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    else cell.removeAttribute("aria-sort");
  }
  byId("sort").value = `${column} ${direction}`;
  list();
}

function setUpSorting() {
  byId("head").append(
    ...COLUMNS.map(({ name, first = 1, noun }, i) => {
      const button = el("button", { type: "button" }, name);
      button.addEventListener("click", () => sortBy(i, order.column === i ? -order.direction : first));
      return el("th", { scope: "col", class: noun && "num" }, button);
    }),
  );
  const choices = COLUMNS.flatMap((column, i) => {
    const [ascending, descending] = orderNames(column, i);
    const up = el("option", { value: `${i} 1` }, ascending);
    const down = el("option", { value: `${i} -1` }, descending);
    return column.text ? [up, down] : [down, up];
  });
  byId("sort").append(...choices);
  byId("sort").addEventListener("change", ({ target }) => sortBy(...target.value.split(" ").map(Number)));
}

/** Returns the names of a column's orders: ascending, descending. */
function orderNames({ name, text }, i) {
  if (text) return [`${name}, A to Z`, `${name}, Z to A`];
  if (i === 1) return ["Oldest first", "Newest first"];
  const noun = name === "PRs" ? name : name.toLowerCase();
  return [`Fewest ${noun}`, `Most ${noun}`];
}

function reveal(i) {
  makeRows(listed.findIndex((session) => session.i === i) + CHUNK / 2);
  const element = rowOf.get(i);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element?.scrollIntoView({ block: "center", behavior: isStill ? "auto" : "smooth" });
  element?.querySelector("button").focus({ preventScroll: true });
}

export function setUpTable() {
  setUpSorting();
  // What is printed is all that the page says it lists, not only the rows that were scrolled to.
  addEventListener("beforeprint", () => makeRows(listed.length));
  let shown = state.matches;
  let opened = state.selected;
  listen(() => {
    if (state.matches !== shown) list();
    else if (state.selected !== opened) {
      const [before, now] = [rowOf.get(opened), rowOf.get(state.selected)];
      if (before?.classList.contains("open")) close(before);
      if (now && !now.classList.contains("open")) open(now, sessions[state.selected]);
    }
    shown = state.matches;
    opened = state.selected;
    byId("clear").hidden = state.matches === null;
    if (state.reveal) reveal(state.selected);
  });
  const search = byId("search");
  search.addEventListener("input", () =>
    change({ words: search.value.toLowerCase().split(/\s+/).filter(Boolean) }),
  );
  byId("clear").addEventListener("click", () => {
    search.value = "";
    change({ words: [], branch: null, path: null });
    search.focus();
  });
  new IntersectionObserver(
    (entries) => entries.some((each) => each.isIntersecting) && makeRows(made + CHUNK),
    {
      rootMargin: "800px",
    },
  ).observe(byId("more"));
  sortBy(order.column, order.direction);
}
