import { basename } from "node:path";
import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { writeAtomic } from "../io/write.ts";
import { renderReport, renderReportWritten } from "../render/report/report.ts";
import { recallStats } from "../report/activity.ts";
import { reportOf } from "../report/report.ts";
import type { RunCommand } from "./command.ts";
import { parseOptions } from "./options.ts";
import { filterOf, isOfTimeOnly } from "./shared/filter.ts";
import { outputFile } from "./shared/output.ts";

const Options = v.object({ html: v.optional(v.string()), ...filterEntries(filtersBut()) });

/** A page tells as much as the memory does: only its owner may read it, until they say otherwise. */
const MODE = 0o600;

export const run: RunCommand = async (input, runtime) => {
  const { html: file, ...narrowing } = parseOptions(Options, input.options);
  if (file === undefined || file === "")
    throw new MementorError("usage", "--html: a file is missing.", {
      hint: 'Write where the page shall go: "mementor report --html report.html", or - to print it.',
    });
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
};
