const SVG = "http://www.w3.org/2000/svg";

/** Makes an HTML element. Texts become text nodes, never markup. */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Makes an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

const waiting = [];

/** Calls `draw` with the element's width, on `drawAll` and when the width changes. */
export function onWidth(element, draw) {
  waiting.push({ element, draw });
}

/**
 * Draws all waiting drawings. Reads all widths first, since reading a width after a drawing makes the browser compute
 * the layout again.
 */
export function drawAll() {
  const measured = waiting.splice(0).map((each) => ({ ...each, width: widthOf(each.element) }));
  for (const each of measured) {
    if (each.width > 0) each.draw(each.width);
    new ResizeObserver(() => requestAnimationFrame(() => redraw(each))).observe(each.element);
  }
}

function redraw(drawn) {
  const width = widthOf(drawn.element);
  if (width === drawn.width || width === 0) return;
  drawn.width = width;
  drawn.draw(width);
}

function widthOf(element) {
  return Math.floor(element.clientWidth);
}
