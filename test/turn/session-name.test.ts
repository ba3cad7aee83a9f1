import { expect, test } from "bun:test";
import { shortId } from "../../src/turn/title.ts";

test("short ids differ for sessions that were started minutes apart, with any agent", () => {
  expect(
    [
      "0fccf939-a272-4ef8-a9d0-01c7df276089",
      "01a20216-8f1c-7aa0-9d3e-0123456789ab",
      "ses_dfde86414ffewJl8tWwEKqzVZh",
      "1795331273082_plcor",
      "session",
    ].map(shortId),
  ).toEqual(["0fccf939", "01a20216-8f1c", "ses_dfde8641", "1795331273082", "session"]);
});
