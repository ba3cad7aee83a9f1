/** Maximum hints; more than a person names, even around a long paste. */
const MAX_FILE_HINTS = 20;

const EXTENSIONS = new Set(
  `astro bash bat bazel bzl c cc cfg cjs clj cljs cmake conf cpp cs csproj css cts csv cxx dart db diff dockerfile ejs elm env erl ex
  exs fish fs fsx gemspec gleam go gql gradle graphql groovy h haml hbs hcl hpp hrl hs html http ini ipynb j2 java jinja jl js json
  json5 jsonc jsonl jsx kt kts less lhs liquid lock lua m md mdx mjs ml mli mm mod mts mustache nim nix nu patch php pl plist pm prisma
  proto ps1 pug py pyi pyx r rake rb re res rkt rs rst sass sbt scala scss sh sln sol sql sqlite sum svelte svg swift tcl tex tf tfvars
  toml ts tsx twig txt v vb vue wasm wat xml xsd yaml yml zig zsh onnx snap log map png jpg ico`
    .split(/\s+/)
    .filter((extension) => extension !== ""),
);
const KNOWN_NAMES = new Set(
  "dockerfile makefile gemfile rakefile justfile procfile jenkinsfile vagrantfile brewfile caddyfile codeowners".split(
    " ",
  ),
);
/** Product names that look like file names. */
const PRODUCTS =
  /^(?:node|next|nuxt|vue|react|angular|ember|express|three|d3|chart|backbone|socket|moment|p5|discord)\.(?:js|io)$/i;
const URL =
  /^(?:[a-z][a-z\d+.-]*:\/\/|www\.|mailto:|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|co|test|local)(?:[/:]|$))/i;
/** A word ends at any character that occurs in no path or URL, such as quotes and brackets. */
const WORD = /[^\s"'`<>|;,{}*?!=\u2018-\u201f\u3001\u3002\uff0c]+/gu;
const POSITION = /(?::\d+(?:[:-]\d+){0,3}|#L?\d+(?:-L?\d+)?|\(\d+(?:,\d+)?\))$/;
const SEGMENT = /^[\p{L}\p{N}_.@+~$[\]()-]+$/u;
/** Length of a prompt's start to search. File names in a pasted log are no hints. */
const HEAD = 4_000;

/**
 * Finds the files that a prompt mentions: names with a known extension, anything with `/` that looks like a path, and bare file
 * names. Leaves out URLs and packages such as `@scope/name`. Returns paths with `/` and without `./`.
 */
export function fileHints(prompt: string): string[] {
  const hints = new Set<string>();
  for (const [word] of prompt.slice(0, HEAD).matchAll(WORD)) {
    const hint = hintOf(word);
    if (hint !== null) hints.add(hint);
    if (hints.size >= MAX_FILE_HINTS) break;
  }
  return [...hints];
}

function hintOf(word: string): string | null {
  if (URL.test(trimmed(word))) return null;
  const bare = trimmed(word).replace(POSITION, "").replaceAll("\\", "/");
  const mention = bare.startsWith("@");
  const path = (mention ? bare.slice(1) : bare).replace(/^(?:\.{1,2}\/)+/, "").replace(/(?<!\/)\/+$/, "");
  const segments = path.split("/").filter((segment) => segment !== "");
  const name = segments.at(-1);
  if (name === undefined || URL.test(path) || !segments.every((segment) => SEGMENT.test(segment)))
    return null;
  if (isFileName(name)) return path;
  if (segments.length < 2 || mention) return null;
  return looksLikeFolders(segments) ? path : null;
}

function trimmed(word: string): string {
  const opened = word.replace(/^[([\]]+(?!\w+[)\]]\/)/, "").replace(/(?<![.:…])[.:…]+$/, "");
  const closed = opened.includes("(") ? opened : opened.replace(/(?<!\))\)+[.:]*$/, "");
  return closed.includes("[") ? closed : closed.replace(/(?<!\])\]+[.:]*$/, "");
}

function isFileName(name: string): boolean {
  if (KNOWN_NAMES.has(name.toLowerCase())) return true;
  if (PRODUCTS.test(name)) return false;
  if (/^\.[a-z][\w.-]{2,}$/i.test(name)) return true;
  const dot = name.lastIndexOf(".");
  return (
    dot > 0 && EXTENSIONS.has(name.slice(dot + 1).toLowerCase()) && /[\p{L}\p{N}_]/u.test(name.slice(0, dot))
  );
}

/** Distinguishes `src/search` from `and/or`, `24/7`, `I/O` and `2024/01/02`: folder names are longer words. */
function looksLikeFolders(segments: readonly string[]): boolean {
  const letters = segments.every((segment) => /\p{L}/u.test(segment));
  return letters && (segments.length > 2 || segments.every((segment) => segment.length > 2));
}
