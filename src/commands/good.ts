import { answerMarkCommand } from "./marks/answer-command.ts";

export const command = answerMarkCommand(
  "good",
  2,
  "Mark an answer of the hooks as good; without a number, the newest",
);
