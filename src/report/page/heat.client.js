import { fileName, hideTip, showTip } from "./chrome.client.js";
import { change, dateOf, dayText, listen, page, plural, state } from "./data.client.js";
import { byId, el, onWidth, svg } from "./dom.client.js";

const ROW = 16;
const STEPS = 5;
const { heat } = page;
const maxTouches = heat.rows.reduce((all, [, , counts]) => Math.max(all, ...counts), 1);

/** Shades grow with the square root, so that small numbers of touches still differ. */
function step(count) {
  return count === 0 ? 0 : Math.max(1, Math.ceil(Math.sqrt(count / maxTouches) * STEPS));
}

function strip([, touches, counts], width) {
  const cell = width / counts.length;
  const gap = cell > 5 ? 1 : 0.5;
  const busiest = counts.indexOf(Math.max(...counts));
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${ROW}`,
      role: "img",
      "aria-label": `${plural(touches, "touch")}, most in the ${heat.period} of ${dayText(dateOf(heat.starts[busiest]))}`,
    },
    // One shape per shade: a shape per cell would be most of the page's elements.
    Array.from({ length: STEPS + 1 }, (_, shade) =>
      svg("path", {
        fill: `var(--h${shade})`,
        d: counts
          .map((count, column) =>
            step(count) === shade
              ? `M${(column * cell).toFixed(2)} 0h${(cell - gap).toFixed(2)}v${ROW - 1}h${(gap - cell).toFixed(2)}z`
              : "",
          )
          .join(""),
      }),
    ),
  );
}

/** Shows a tooltip for the cell under the pointer. */
function tellCell([path, , counts], element, { clientX }) {
  const { left, top, bottom, width } = element.getBoundingClientRect();
  const cell = width / counts.length;
  const column = Math.max(0, Math.min(counts.length - 1, Math.floor((clientX - left) / cell)));
  const when = `${heat.period === "day" ? "" : `${heat.period} of `}${dayText(dateOf(heat.starts[column]))}`;
  showTip({ left: left + column * cell, width: cell, top, bottom }, [
    fileName(path),
    `${plural(counts[column], "touch")}, ${when}`,
  ]);
}

function label(path) {
  const name = fileName(path);
  const cut = name.lastIndexOf("/") + 1;
  const button = el(
    "button",
    { type: "button", class: "file", "aria-pressed": "false", title: name },
    el("bdi", { class: "dir" }, name.slice(0, cut)),
    el("bdi", { class: "base" }, name.slice(cut)),
  );
  button.addEventListener("click", () => change({ path: state.path === path ? null : path }));
  listen(() => button.setAttribute("aria-pressed", `${state.path === path}`));
  return button;
}

function legend() {
  return el(
    "p",
    { class: "steps note", "aria-hidden": "true" },
    "fewer",
    svg(
      "svg",
      { viewBox: `0 0 ${(STEPS + 1) * 14} 12` },
      Array.from({ length: STEPS + 1 }, (_, i) =>
        svg("rect", { x: i * 14, width: 13, height: 12, fill: `var(--h${i})` }),
      ),
    ),
    `more (at most ${maxTouches})`,
  );
}

export function setUpHeat() {
  const root = byId("heat");
  if (heat.rows.length === 0) {
    byId("heat-note").textContent = "No session has touched a file.";
    return;
  }
  byId("heat-note").textContent =
    `Touches by ${heat.period}, ${dayText(dateOf(heat.starts[0]))} to ${dayText(dateOf(heat.starts.at(-1)))}. A file's name narrows the page to its sessions.`;
  const strips = heat.rows.map(() => el("div", { class: "strip" }));
  root.replaceChildren(
    el(
      "ul",
      { class: "heat" },
      heat.rows.map((row, i) => el("li", {}, label(row[0]), strips[i])),
    ),
    legend(),
  );
  onWidth(strips[0], (width) => {
    for (const [i, each] of strips.entries()) each.replaceChildren(strip(heat.rows[i], width));
  });
  for (const [i, each] of strips.entries()) {
    each.addEventListener("pointermove", (event) => tellCell(heat.rows[i], each, event));
    each.addEventListener("pointerleave", hideTip);
  }
}
