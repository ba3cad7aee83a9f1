import { join } from "node:path";

/**
 * Prints, as JSON, the patterns that the program puts together from pieces, when its modules are loaded and in functions: `file:line`,
 * source and flags.
 */

const SOURCE = join(import.meta.dir, "..", "..", "src");
/** What runs a command as soon as it is loaded, and what is for a browser. */
const NOT_LOADED = /^(?:main\.ts$|build\/)|\.client\.ts$/;

const made: { place: string; source: string; flags: string }[] = [];
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args, newTarget) {
    const pattern: RegExp = Reflect.construct(target, args, newTarget);
    const from = new Error().stack?.split("\n").find((line) => line.includes(SOURCE));
    const place = /src[/\\](.+?:\d+)/.exec(from ?? "")?.[1];
    if (place !== undefined)
      made.push({ place: place.replaceAll("\\", "/"), source: pattern.source, flags: pattern.flags });
    return pattern;
  },
});

for (const file of new Bun.Glob("**/*.ts").scanSync(SOURCE))
  if (!NOT_LOADED.test(file.replaceAll("\\", "/"))) await import(join(SOURCE, file));

/** Functions that put patterns together when they are called. */
const { configValue } = await import("../../src/io/git/gitdir.ts");
const { withoutAgentFrame } = await import("../../src/text/headline.ts");
const { wordsInOrder } = await import("../../src/text/keywords.ts");
const { lineObjects } = await import("../../src/ingest/transcript/objects.ts");
configValue("/nowhere", "worktree");
withoutAgentFrame('{"type":"task_assignment","subject":"Build it"}');
wordsInOrder("Überläufe im 倉庫");
for (const start of [/\{"type":"/, /\{\s*"parentUuid"\s*:/])
  lineObjects('{"type":"a"}{"type":"b"}', { start, isRecord: () => true });

await Bun.write(Bun.stdout, JSON.stringify(made));
process.exit(0);
