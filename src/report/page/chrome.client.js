import { branchOf, change, listen, momentText, page, plural, sessions, state } from "./data.client.js";
import { byId, el } from "./dom.client.js";

const tip = byId("tip");

/** Shows a tooltip beside a box on the screen. The first line is its title. */
export function showTip(box, lines) {
  tip.replaceChildren(...lines.map((line, i) => el(i === 0 ? "strong" : "span", { dir: "auto" }, line)));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(
    8,
    Math.min(document.documentElement.clientWidth - width - 8, box.left + box.width / 2 - width / 2),
  );
  const above = box.top - height - 8;
  tip.style.left = `${left}px`;
  tip.style.top = `${above < 8 ? box.bottom + 8 : above}px`;
}

export function hideTip() {
  tip.hidden = true;
}

function sessionLines(session) {
  const branch = branchOf(session);
  return [
    session.title,
    `${momentText(session.time)}${branch ? `, on ${branch}` : ""}`,
    `${plural(session.turns, "turn")}, ${plural(session.fileCount, "file")}`,
  ];
}

/**
 * The marks of sessions in all charts, by index of the session. A session that is pointed at in one chart is
 * highlighted in all.
 */
const charts = [];
let pointedAt = -1;

function point(i) {
  for (const { marks } of charts) {
    marks[pointedAt]?.classList.remove("at");
    marks[i]?.classList.add("at");
  }
  pointedAt = i;
}

listen(() => {
  for (const chart of charts) showMatches(chart);
});

function showMatches({ root, marks }) {
  root.classList.toggle("narrowed", state.matches !== null);
  for (const [i, mark] of marks.entries()) {
    mark?.classList.toggle("fits", state.matches?.has(i) ?? false);
    mark?.classList.toggle("selected", i === state.selected);
  }
}

/**
 * Makes a drawing of sessions interactive, by pointer and keyboard. `marks` are its elements by index of the session,
 * `order` the indexes in the order of the arrow keys. Call it again for each new drawing of the chart.
 */
export function explore(name, root, marks, order) {
  const chart = { name, root, marks };
  const old = charts.findIndex((each) => each.name === name);
  charts.splice(old < 0 ? charts.length : old, old < 0 ? 0 : 1, chart);
  const show = (i) => {
    point(i);
    if (i >= 0) showTip(marks[i].getBoundingClientRect(), sessionLines(sessions[i]));
    else hideTip();
  };
  const indexOf = (event) => Number(event.target.dataset?.i ?? -1);
  root.addEventListener("pointermove", (event) => {
    const i = indexOf(event);
    if (i !== pointedAt) show(i);
  });
  root.addEventListener("pointerleave", () => show(-1));
  root.addEventListener("blur", () => show(-1));
  root.addEventListener("click", (event) => {
    const i = indexOf(event);
    if (i >= 0) select(i);
  });
  /** Returns the session that a key moves to; undefined for other keys. */
  const targetOf = (key) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    if (step === undefined) return { Home: order[0], End: order.at(-1), Escape: -1 }[key];
    const at = order.indexOf(pointedAt);
    return order[at < 0 ? order.length - 1 : Math.max(0, Math.min(order.length - 1, at + step))];
  };
  root.addEventListener("keydown", (event) => {
    const target = targetOf(event.key);
    if (target !== undefined) show(target);
    else if ((event.key === "Enter" || event.key === " ") && pointedAt >= 0) select(pointedAt);
    else return;
    event.preventDefault();
  });
  showMatches(chart);
}

/** Opens a session in the table. If the current search hides the session, clears the search. */
export function select(i) {
  hideTip();
  const isHidden = state.matches !== null && !state.matches.has(i);
  if (isHidden) byId("search").value = "";
  change({ selected: i, reveal: true, ...(isHidden && { words: [], branch: null, path: null }) });
  state.reveal = false;
}

/** Lets the reader choose light or dark colours. Until then, the page follows the system. */
export function setUpTheme() {
  const button = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const label = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Change to light colours" : "Change to dark colours");
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  dark.addEventListener("change", label);
  label();
}

export function fileName(path) {
  return page.paths[path] ?? "";
}
