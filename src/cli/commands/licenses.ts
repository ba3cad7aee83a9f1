import { defineCommand } from "../command-line/command.ts";

export const command = defineCommand({
  name: "licenses",
  help: { group: "For programs", position: 8 },
  summary: "Print the licences of everything in the binary",
  arguments: {},
  options: {},
  examples: ["mementor licenses | less"],
  async run(_, { host }) {
    const { licensesText } = await import("../../assets/licenses/text.ts");
    host.stdout.write(licensesText());
    return 0;
  },
});
