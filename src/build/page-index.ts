import { join } from "node:path";

const NOTE = `// Made by "bun run build" from .github/docs; do not edit.`;

/** The way from the index to the pages. */
const FROM_INDEX = "../../.github/docs/";

/**
 * Returns the source of `cli/pages.ts`: for each page of the documentation its name, its title and the import of its text.
 * Rejects a page that does not begin with its title.
 */
export async function pageIndex(directory: string): Promise<string> {
  const files = (await Array.fromAsync(new Bun.Glob("*.md").scan(directory))).sort();
  const rows = await Promise.all(
    files.map(async (file) => rowOf(file, await Bun.file(join(directory, file)).text())),
  );
  return `${NOTE}
/** A page of the documentation, which the binary holds too. */
export interface PageEntry {
  title: string;
  load(): Promise<{ default: string }>;
}

/** The pages by their names, as \`mementor help <page>\` takes them. */
export const PAGES: ReadonlyMap<string, PageEntry> = new Map([
${rows.join("\n")}
]);
`;
}

function rowOf(file: string, text: string): string {
  const [, title] = /^# (.+)\n/.exec(text) ?? [];
  if (title === undefined) throw new Error(`${file} does not begin with its title`);
  return `  [
    ${JSON.stringify(file.slice(0, -".md".length))},
    {
      title: ${JSON.stringify(title)},
      load: () => import("${FROM_INDEX}${file}", { with: { type: "text" } }),
    },
  ],`;
}
