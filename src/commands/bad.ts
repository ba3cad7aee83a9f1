import { answerMarkCommand } from "./marks/answer-command.ts";

export const command = answerMarkCommand(
  "bad",
  3,
  "Mark an answer as bad: its turns are not told for prompts like it",
);
