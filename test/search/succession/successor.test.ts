import { expect, test } from "bun:test";
import fc from "fast-check";
import { fuse } from "../../../src/search/fusion.ts";
import { successionFeatures } from "../../../src/search/succession/features.ts";
import { statementOf } from "../../../src/search/succession/statement.ts";
import { probabilityOf, Successors } from "../../../src/search/succession/successor.ts";
import { wordsIn } from "../../../src/search/succession/words.ts";
import { SUCCESSION } from "../../../src/search/weights.ts";
import { aCandidate, aQuery, aTurn } from "../made.ts";

const QUESTION = "how are print jobs handed to the printers?";
const PIECES = [
  "Print jobs get to the printers",
  "RabbitMQ hands print jobs over.",
  "by the print_jobs table now.",
  "RabbitMQ is gone.",
  "instead of RabbitMQ",
  "within 15 minutes",
  "within 24 hours",
  "The door is green.",
];

test("the likeliest successor that matters is found without comparing each pair in full", () => {
  const text = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
    .map((pieces) => `[User] How?\n\n[Assistant] ${pieces.join(" ")}`);
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (texts) => {
      const turns = new Map(texts.map((text, i) => [i + 1, aTurn({ turnId: i + 1, text })]));
      const candidates = [...turns.keys()].map((turnId) => aCandidate({ turnId, distance: 0.2 }));
      const all = fuse(candidates, { turns, passages: new Map() }, aQuery({ text: QUESTION }), null);
      const words = wordsIn(QUESTION).map(({ form }) => form);
      const successors = new Successors(QUESTION, all);
      for (const older of all) {
        const later = all.filter(({ turn }) => (turn.createdAt ?? "") > (older.turn.createdAt ?? ""));
        const probabilities = later.map((newer) =>
          probabilityOf(successionFeatures(QUESTION, statementOf(older, words), statementOf(newer, words))),
        );
        const likeliest = Math.max(0, ...probabilities);
        const found = successors.of(older)?.probability ?? 0;
        expect(found >= SUCCESSION.beside ? found : 0).toBe(likeliest >= SUCCESSION.beside ? likeliest : 0);
      }
    }),
  );
});
