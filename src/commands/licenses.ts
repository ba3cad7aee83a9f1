import { licensesText } from "../assets/licenses.ts";
import type { RunCommand } from "./command.ts";

export const run: RunCommand = async (_input, { host }) => {
  host.stdout.write(await licensesText());
  return 0;
};
