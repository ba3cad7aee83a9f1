import { expect, test } from "bun:test";
import { findSqlState, isTransient, mapServerError } from "../../../../src/store/postgres/client/errors.ts";
import { parseTarget } from "../../../../src/store/postgres/client/target.ts";

const target = parseTarget("postgres://ada:hunter2@db.acme.example/memory");

function driverError(errno: string | null, message = "about hunter2", severity = "ERROR"): Error {
  const code = errno === null ? "ERR_POSTGRES_CONNECTION_CLOSED" : "ERR_POSTGRES_SERVER_ERROR";
  return Object.assign(new Error(message), { code, ...(errno === null ? {} : { errno, severity }) });
}

test.each([
  [null, "server_unreachable", true],
  ["08006", "server_unreachable", true],
  ["08P01", "server_unreachable", false],
  ["22P02", "internal", false],
  ["25006", "server_read_only", false],
  ["28P01", "server_login", false],
  ["28000", "server_login", false],
  ["3D000", "server_login", false],
  ["40001", "server_busy", true],
  ["40P01", "server_busy", true],
  ["42501", "server_denied", false],
  ["42P01", "server_unsupported", false],
  ["42P02", "internal", false],
  ["53100", "server_full", false],
  ["53300", "server_busy", false],
  ["53400", "server_full", false],
  ["57014", "timeout", false],
  ["57P01", "server_unreachable", true],
  ["57P03", "server_unreachable", true],
  ["58P01", "server_unsupported", false],
  ["XX001", "internal", false],
  ["ZZ999", "internal", false],
] as const)("SQLSTATE %p becomes %s; run again at once: %p", (state, code, again) => {
  const error = mapServerError(driverError(state), target);
  expect(error).toMatchObject({ code, hint: expect.stringMatching(/./) });
  expect([findSqlState(error), isTransient(error)]).toEqual([state, again]);
  expect(Bun.inspect(error, { depth: 9 })).not.toContain("hunter2");
  expect(String(error)).toContain("postgres://ada@db.acme.example/memory");
});

test.each([
  ["08P01", "SASL authentication failed"],
  ["08P01", "no such database: memory"],
  ["XX000", "Tenant or user not found"],
])("a pooler that answers %s, %s, refused the login", (state, message) => {
  expect(mapServerError(driverError(state, message, "FATAL"), target)).toMatchObject({
    code: "server_login",
  });
});

test("errors of others pass as they are", () => {
  const other = new TypeError("mine");
  expect(mapServerError(other, target)).toBe(other);
  expect([isTransient(other), findSqlState(other)]).toEqual([false, null]);
});
