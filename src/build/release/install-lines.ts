const START = '<!-- Made by "bun run build" from "repository" in package.json. -->\n';
const END = "<!-- End -->";

/**
 * Returns a text whose lines to install are those for a repository; null while package.json names none. Throws without
 * their place.
 */
export function withInstallLines(markdown: string, repository: string | null): string {
  const [start, end] = [markdown.indexOf(START), markdown.indexOf(END)];
  if (start < 0 || end < start) throw new Error("the text has no place for the lines to install");
  const head = markdown.slice(0, start + START.length);
  return `${head}\`\`\`sh\n${installLines(repository)}\`\`\`\n${markdown.slice(end)}`;
}

function installLines(repository: string | null): string {
  if (repository === null)
    return 'sh install.sh        # beside the files of a release, which "bun run release" makes in dist/release/; Windows: ./install.ps1\n';
  const latest = latestDownloads(repository);
  return `curl -fsSL ${latest}/install.sh | sh
scoop install ${latest}/mementor.json     # Windows
`;
}

/** Returns where the newest release's files are; empty while there is no repository. */
export function latestDownloads(repository: string | null): string {
  return repository === null ? "" : `${repository}/releases/latest/download`;
}
