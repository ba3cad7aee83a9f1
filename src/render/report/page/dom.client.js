const SVG = "http://www.w3.org/2000/svg";

/** Makes an HTML element; texts become text nodes, never markup. */
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

/** Calls `draw` with the element's width now and whenever that changes. */
export function onWidth(element, draw) {
  let width = 0;
  const redraw = () => {
    const now = Math.floor(element.clientWidth);
    if (now === width || now === 0) return;
    width = now;
    draw(now);
  };
  redraw();
  new ResizeObserver(() => requestAnimationFrame(redraw)).observe(element);
}
