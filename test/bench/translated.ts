import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as v from "valibot";
import { readQueries } from "./prompts.ts";

/** Labelled queries in other languages, by the line of the English one in the corpus's own file, counted from 0. */
const TRANSLATED = resolve(import.meta.dir, "../../fixtures/languages/queries.jsonl");
export const LANGUAGES = ["en", "ko", "ja", "zh", "de", "fr", "es", "pt", "ru"] as const;
const TRANSLATION = v.object({
  corpus: v.string(),
  line: v.number(),
  ...v.entriesFromList(LANGUAGES.slice(1), v.string()),
});

/** A labelled query in one of the languages. */
export interface TranslatedQuery {
  corpus: string;
  language: (typeof LANGUAGES)[number];
  query: string;
  /** The sessions of its corpus that answer it. */
  sessions: readonly string[];
}

/** Returns the translated queries of the corpora beside a directory, its own and those of others. */
export function translatedQueries(directory: string): TranslatedQuery[] {
  const corpora = dirname(resolve(directory));
  const lines = readFileSync(TRANSLATED, "utf8").trim().split("\n");
  const all = lines.map((line) => v.parse(TRANSLATION, JSON.parse(line)));
  return [...Map.groupBy(all, ({ corpus }) => corpus)].flatMap(([corpus, of]) => {
    const labelled = readQueries(join(corpora, corpus, "queries.jsonl"));
    return of.flatMap((each) =>
      LANGUAGES.map((language) => {
        const label = labelled[each.line];
        if (label === undefined) throw new Error(`no query ${each.line} in ${corpus}`);
        return {
          corpus,
          language,
          query: language === "en" ? label.query : each[language],
          sessions: label.sessions,
        };
      }),
    );
  });
}

/** The name of a corpus, by its directory. */
export function corpusOf(directory: string): string {
  return basename(resolve(directory));
}
