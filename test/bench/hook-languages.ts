import { join } from "node:path";
import { parseArgs } from "node:util";
import { isOf, toldOf } from "./ask-hook.ts";
import { openBenchMemory } from "./memory.ts";
import { corpusOf, LANGUAGES, translatedQueries } from "./translated.ts";

/**
 * `bun test/bench/hook-languages.ts --corpus DIR... [--model ID]` asks the prompt hook, in a new session, the labelled
 * queries in nine languages: those of the corpus, and those of the corpora beside it, which it does not answer.
 */
const { values: options } = parseArgs({
  options: { corpus: { type: "string", multiple: true, default: [] }, model: { type: "string" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

say("| history | language | answered | with a right session | unrelated answered |");
say("| --- | --- | ---: | ---: | ---: |");
for (const directory of options.corpus) await askCorpus(directory, options.model);

async function askCorpus(directory: string, model: string | undefined): Promise<void> {
  const { store, prompts, close } = await openBenchMemory(
    join(directory, "projects"),
    undefined,
    undefined,
    model,
  );
  const corpus = corpusOf(directory);
  const queries = translatedQueries(directory);
  for (const language of LANGUAGES) {
    const count = { own: 0, answered: 0, right: 0, others: 0, unrelated: 0 };
    for (const { query, sessions, ...asked } of queries.filter((each) => each.language === language)) {
      const told = await toldOf(query, {
        store: store.search,
        browse: store.browse,
        recall: store.recall,
        journal: { turnsToldIn: async () => new Set() },
        openEmbed: async () => (text) => prompts.embed(text),
        timeLeftMs: () => Number.POSITIVE_INFINITY,
      });
      const isAnswered = Number(told.length > 0);
      if (asked.corpus === corpus) {
        count.own++;
        count.answered += isAnswered;
        count.right += Number(told.some((matter) => isOf(matter, sessions)));
      } else {
        count.others++;
        count.unrelated += isAnswered;
      }
    }
    const { own, answered, right, others, unrelated } = count;
    say(
      `| ${corpus} | ${language} | ${answered} of ${own} | ${right} of ${own} | ${unrelated} of ${others} |`,
    );
  }
  await close();
}
