import { el } from "./dom.client.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
/** Longer code is shown without colours: to find them would take longer than a reader waits. */
const MAX_COLOURED = 20_000;

/** Splits a text into runs of words and blocks of code; a block without an end reaches to the end of the text. */
function blocksOf(text) {
  const blocks = [];
  let mark = null;
  for (const line of text.split("\n")) {
    const [, fence, language] = FENCE.exec(line) ?? [];
    const last = blocks.at(-1);
    if (mark !== null && fence?.startsWith(mark)) {
      mark = null;
      blocks.push({ isCode: false, lines: [] });
    } else if (mark !== null) last.lines.push(line);
    else if (fence !== undefined) {
      mark = fence;
      blocks.push({ isCode: true, language: language.toLowerCase(), lines: [] });
    } else if (last === undefined) blocks.push({ isCode: false, lines: [line] });
    else last.lines.push(line);
  }
  return blocks;
}

/** Copies coloured code as elements: only spans with a class, and texts. */
function coloured(node) {
  return [...node.childNodes].map((child) =>
    child.nodeType === Node.TEXT_NODE
      ? child.textContent
      : el("span", { class: child.className }, coloured(child)),
  );
}

function codeBlock({ language, lines }) {
  const text = lines.join("\n");
  const library = globalThis.hljs;
  const isKnown = language !== "" && library?.getLanguage(language) !== undefined;
  const content =
    isKnown && text.length <= MAX_COLOURED
      ? coloured(
          new DOMParser().parseFromString(library.highlight(text, { language }).value, "text/html").body,
        )
      : [text];
  return el(
    "pre",
    { tabindex: "0", "aria-label": language ? `Code, ${language}` : "Code" },
    el("code", {}, content),
  );
}

const INLINE =
  /(`[^`\n]+`|\*\*[^*\n]+\*\*|(?<![\w\])])!?\[[^[\]\n]+\]\((?:https?:\/\/|#|[\w.-]*[/.])[^()\s]*\))/;

/** Makes a line's code in backquotes, its bold words and its links visible. */
function inline(text) {
  return text.split(INLINE).flatMap((piece) => {
    if (piece.length > 2 && piece.startsWith("`") && piece.endsWith("`"))
      return el("code", {}, piece.slice(1, -1));
    if (piece.length > 4 && piece.startsWith("**")) return el("strong", {}, piece.slice(2, -2));
    const [, label, address] = /^!?\[(.+)\]\((.+)\)$/.exec(piece) ?? [];
    return label === undefined ? piece : linked(label, address);
  });
}

/** A link that leads to the web; of any other, as to a file of the project, only its words. */
function linked(label, address) {
  if (!/^https?:\/\//i.test(address)) return inline(label);
  return el("a", { href: address, rel: "noreferrer" }, inline(label));
}

function paragraph({ lines }) {
  const text = lines.join("\n").trim();
  if (text === "") return null;
  const pieces = text.split("\n").flatMap((line, i) => {
    const [, heading] = /^#{1,6}\s+(.+)$/.exec(line) ?? [];
    const shown = heading === undefined ? inline(line) : [el("strong", {}, inline(heading))];
    return i === 0 ? shown : ["\n", ...shown];
  });
  return el("p", { dir: "auto" }, pieces);
}

/** Makes elements of what was said: paragraphs as typed, blocks of code in colours. */
export function prose(text) {
  return blocksOf(text)
    .map((block) => (block.isCode ? codeBlock(block) : paragraph(block)))
    .filter((block) => block !== null);
}
