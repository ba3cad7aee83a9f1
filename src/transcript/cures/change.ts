import type { Change } from "../events.ts";
import { namesIn } from "./names.ts";
import type { ErrorLine } from "./signature.ts";

/** Files that say how a project is built, checked and run. */
const CONFIGURES =
  /(?:^|[\\/])(?:package\.json|tsconfig[\w.-]*\.json|biome\.jsonc?|\.?eslint[\w.-]*|[\w.-]+\.config\.[cm]?[jt]s|Cargo\.toml|go\.(?:mod|work)|mix\.exs|config[\\/][\w.-]+\.exs|pyproject\.toml|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|tox\.ini|Makefile|justfile|\.?mise\.toml|\.tool-versions|\.?golangci\.ya?ml|\.gitignore|\.gitattributes|docker-compose[\w.-]*|Dockerfile|\.npmrc|bunfig\.toml|deno\.jsonc?|Gemfile|build\.gradle[\w.]*|pom\.xml|\.husky[\\/][\w-]+|\.pre-commit-config\.yaml|\.(?:formatter|credo|dialyzer_ignore)\.exs)$/i;

const BLOCK = { lines: 4, chars: 160 } as const;

/** A line that a change added, with those after it. */
interface Added {
  callId: string;
  path: string;
  line: string;
  block: string;
}

/**
 * Returns the change that is of use without the code around it, and the errors that it is about: a setting of the
 * project that one of them names. Null when there is none. What a line of code had to become is of use to that line
 * alone.
 */
export function tellingChange(
  changes: readonly (Change & { callId: string })[],
  errors: readonly ErrorLine[],
): { change: Omit<Added, "block">; errors: ErrorLine[] } | null {
  for (const { path, line, block, callId } of changes.flatMap(addedBy)) {
    if (!CONFIGURES.test(path)) continue;
    const names = namesIn(line);
    const about = errors.filter(({ text }) => namesIn(text).intersection(names).size > 0);
    if (about.length > 0) return { change: { path, callId, line: block }, errors: about };
  }
  return null;
}

function addedBy({ path, before, after, callId }: Change & { callId: string }): Added[] {
  const old = new Set(before.split("\n").map((line) => line.trim()));
  const lines = after
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !old.has(line));
  return lines.map((line, at) => ({
    path,
    callId,
    line,
    block: lines
      .slice(at, at + BLOCK.lines)
      .join(" ")
      .slice(0, BLOCK.chars),
  }));
}
