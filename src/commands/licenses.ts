import { licensesText } from "../assets/licenses/text.ts";
import type { RunCommand } from "./command.ts";

export const run: RunCommand = async (_input, { host }) => {
  host.stdout.write(licensesText());
  return 0;
};
