import { renderResult } from "../../render/result.ts";
import { renderIndexed } from "../../render/team/admin.ts";
import { buildVectorIndexes } from "../../store/postgres/vectors/build-indexes.ts";
import { withAdmin } from "./admin.ts";
import type { TeamAction } from "./options.ts";

/** Builds the vector indexes of projects that have grown large. Members read and write meanwhile. */
export const index: TeamAction = ({ options }, runtime) =>
  withAdmin(runtime, options, async (server) => {
    const { stdout, stderr } = runtime.host;
    const built = await buildVectorIndexes(server, {
      onStart: ({ name }) => stderr.write(`Building the index of ${name}\n`),
    });
    const projects = built.map(({ name }) => name);
    stdout.write(options.json ? renderResult({ indexed: projects }) : renderIndexed(projects));
    return 0;
  });
