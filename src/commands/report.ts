import { basename } from "node:path";
import * as v from "valibot";
import { defineCommand } from "../command/command.ts";
import { MementorError } from "../errors.ts";
import { writeAtomic } from "../io/write.ts";
import { filterOf, filterOptions, isOfTimeOnly } from "./shared/filter.ts";
import { outputFile } from "./shared/output.ts";

/** The page contains what the memory contains, so only its owner may read it. */
const MODE = 0o600;

export const command = defineCommand({
  name: "report",
  help: { group: "More", position: 1 },
  summary: "Write an HTML page: sessions over time, a map of the work, the busiest files",
  arguments: {},
  options: {
    html: {
      value: "file",
      description: "File to write the page to; - prints it",
      schema: v.optional(v.string()),
    },
    ...filterOptions(),
  },
  examples: ["mementor report --html report.html", "mementor report --html - --since 3mo > report.html"],
  async run({ options: { html: file, ...narrowing } }, runtime) {
    if (file === undefined || file === "")
      throw new MementorError("usage", "--html is missing.", {
        hint: 'Name the file: "mementor report --html report.html", or - to print the page.',
      });
    const { renderReport, renderReportWritten } = await import("../render/report/report.ts");
    const { recallStats } = await import("../report/activity.ts");
    const { reportOf } = await import("../report/report.ts");
    const { host } = runtime;
    const now = host.now();
    const store = await runtime.openStore("readonly");
    const made = async () => {
      const filter = await filterOf(narrowing, runtime, store.browse);
      const recall = isOfTimeOnly(filter) ? recallStats(await store.browse.recalls(filter)) : null;
      return { filter, recall, report: await reportOf(store.browse, filter) };
    };
    const { filter, recall, report } = await made().finally(() => store.close());
    const page = renderReport({ report, recall, filter, project: basename(runtime.project.root), now });
    if (file === "-") host.stdout.write(page);
    else {
      writeAtomic(outputFile(file, "--html", runtime), page, { mode: MODE, replace: true });
      host.stdout.write(renderReportWritten(file, report.totals.sessions, Buffer.byteLength(page)));
    }
    return 0;
  },
});
