import { describe, expect, test } from "bun:test";
import { redact } from "../../src/redact/redact.ts";
import { CODE_NAMES, NAME_PLACES } from "./code-names.ts";

test("there are as many names as were promised", () => {
  expect(new Set(CODE_NAMES).size).toBeGreaterThanOrEqual(1_000);
});

describe("paths, calls and identifiers that name a secret are none", () => {
  test.each(NAME_PLACES)("in a %s", (_, put) => {
    const texts = CODE_NAMES.map((name, i) => {
      const other = (step: number) => CODE_NAMES[(i * step + 3) % CODE_NAMES.length] ?? "";
      return put(name, other(7), other(11));
    });
    expect(texts.filter((text) => redact(text) !== text)).toEqual([]);
  });
});

test.each([
  'Grep(pattern="signIdentityJwt") | Edit(apps/api/src/auth/services/issuer.service.ts) | Edit(apps/api/src/identity/identity.controller.ts) | Edit(apps/api/src/auth/auth.service.ts)',
  'Grep(pattern="getFileIpnsPrivateKey") | Read(packages/core/src/ipns.ts) | Edit(packages/core/src/ipns.ts)',
  "Derive the IPNS private key\n- Pass to `updateFileMetadata()`",
  "backend issues JWT (`sub=userId`)",
  "ssh_key=~/.ssh/id_ed25519",
  "status: 'pass' | 'fail' | 'investigate';",
])("%s stays", (text) => {
  expect(redact(text)).toBe(text);
});

test("a value beside such names is taken", () => {
  expect(redact("| signIdentityJwt | issuer.service.ts |\n| password | Walnut-Ferry-19 |")).toBe(
    "| signIdentityJwt | issuer.service.ts |\n| password | [redacted:password] |",
  );
});
