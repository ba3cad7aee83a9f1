/** Extensions that mark a bare word as a file name. */
const EXTENSIONS = new Set(
  (
    "astro avif bash bat bib bmp c cc cfg cjs clj cljs cls cmake cmd coffee conf cpp cr cs cshtml csproj css csv cts cu cue cxx " +
    "d dart db diff dockerfile docx dts editorconfig edn eex ejs elm env erb erl ex exs fish fs fsproj fsx gif gitattributes gitignore " +
    "glb gltf go gohtml gql gradle graphql groovy gz h haml hbs hcl heex hh hpp hrl hs html htm http hxx icns ico idl ini ino ipynb " +
    "java jar jl jpeg jpg js json json5 jsonc jsonl jsp jsx key kt kts leex less lhs liquid lock log lua m mako markdown md mdc mdx mjs " +
    "mk ml mli mm mp3 mp4 mts mustache nim nix njk nu odt onnx org out pas patch pdf pem php phtml pl plist pm png po pot pptx prefab " +
    "prisma proj properties proto ps1 psm1 pub pug py pyi pyx qml r rake rb rbi rego res resx rkt rs rst rtf s sass sbt scala scm scss " +
    "sh shader sln slim snap sol sql sqlite sqlite3 srt styl sum sv svelte svg swift tar templ tex tf tfstate tfvars thrift tmpl toml " +
    "tpl ts tsbuildinfo tsv tsx ttf twig txt v vb vbproj vert vhd vim vue wasm wat webp woff woff2 xcodeproj xhtml xls xlsx xml xsd xsl yaml " +
    "yml zig zip zsh"
  ).split(" "),
);

const BARE_NAMES = new Set([
  "Makefile",
  "Dockerfile",
  "Containerfile",
  "Rakefile",
  "Gemfile",
  "Procfile",
  "Justfile",
  "justfile",
  "Jenkinsfile",
  "Vagrantfile",
  "Brewfile",
  "LICENSE",
  "README",
  "CHANGELOG",
  "CODEOWNERS",
]);

/** True for names with a known extension, well-known names (`Makefile`), and names with a leading dot (`.gitignore`). */
export function looksLikeFileName(name: string): boolean {
  if (BARE_NAMES.has(name)) return true;
  const dot = name.lastIndexOf(".");
  if (dot < 0 || dot === name.length - 1) return false;
  if (dot === 0) return /^\.[a-z][\w-]{2,}$/i.test(name);
  return EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}
