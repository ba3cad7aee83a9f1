import { type ErrorCode, MementorError } from "../../../errors.ts";
import { nameOf, type Target } from "./target.ts";

/**
 * An error of the server or the connection, without its message, detail and context, because these can quote values of the
 * statement.
 */
class ServerError extends Error {
  /** SQLSTATE, such as `23505`; null for an error of the connection. */
  readonly sqlState: string | null;
  /** The driver's code, such as `ERR_POSTGRES_CONNECTION_REFUSED`. */
  readonly driverCode: string;
  readonly table: string | null;
  readonly constraint: string | null;

  constructor(error: object) {
    const text = (key: string) => {
      const value: unknown = Reflect.get(error, key);
      return typeof value === "string" && value !== "" ? value : null;
    };
    const driverCode = text("code") ?? "";
    const sqlState = driverCode.startsWith("ERR_POSTGRES") ? text("errno") : null;
    super(
      [driverCode, sqlState, text("constraint"), text("routine")].filter((part) => part !== null).join(" "),
    );
    this.name = "ServerError";
    this.driverCode = driverCode;
    this.sqlState = sqlState;
    this.table = text("table");
    this.constraint = text("constraint");
  }
}

/** Returns the SQLSTATE behind a client error; null when no server sent one. */
export function findSqlState(error: unknown): string | null {
  if (error instanceof ServerError) return error.sqlState;
  return error instanceof MementorError ? findSqlState(error.cause) : null;
}

interface Meaning {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

const CERTIFICATE =
  "Trust its authority with sslrootcert=FILE in the URL or PGSSLROOTCERT, or ask its administrator.";
const LATER = "Nothing is lost; try again later.";

/** Error code of a login that `relay.ts` aborted, in addition to those of the driver. */
export const PASSWORD_ASKED = "MEMENTOR_PASSWORD_ASKED";

/** Meanings by SQLSTATE or driver code. The longest matching prefix counts. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  "08": unreachable("the connection to the server broke"),
  "22": internal("the server refused a value"),
  "23": internal("the server refused a row"),
  "25006": {
    code: "server_read_only",
    message: "the server takes no changes now: it is read-only",
    hint: "It may be a replica, or its provider has stopped writing, as when the disk is full. Ask its administrator.",
  },
  "28": refused("the server refused the login"),
  "3D000": refused("the server has no such database"),
  "40": { code: "server_busy", message: "other changes were in the way at each attempt", hint: LATER },
  "42501": {
    code: "server_denied",
    message: "the server does not permit this to your role",
    hint: "Ask an administrator of the team for the right (`mementor team add NAME --admin`).",
  },
  "42704": schema("the server lacks something that mementor needs"),
  "42883": schema("the server lacks a function that mementor needs"),
  "42P01": schema("the server lacks a table that mementor needs"),
  "3F000": schema("the server lacks the tables of mementor"),
  "42": internal("the server refused a statement"),
  "53100": {
    code: "server_full",
    message: "the disk of the server is full",
    hint: `Tell its administrator. ${LATER}`,
  },
  MM001: {
    code: "server_full",
    message: "the quota is used up",
    hint: "Remove turns, or ask an admin of the project for a larger quota.",
  },
  MM002: {
    code: "server_full",
    message: "the project takes no more models",
    hint: "An administrator removes models: mementor team models --erase.",
  },
  "53200": { code: "server_busy", message: "the server is out of memory", hint: LATER },
  "53300": { code: "server_busy", message: "the server takes no more connections", hint: LATER },
  "53400": {
    code: "server_full",
    message: "the quota is used up",
    hint: "Ask an administrator of the team for more, or remove what the team does not need.",
  },
  "53": { code: "server_busy", message: "the server lacks resources", hint: LATER },
  "0A000": {
    code: "server_unsupported",
    message: "the server cannot do something that mementor needs",
    hint: "mementor needs PostgreSQL 15 or later with pgvector 0.7 or later.",
  },
  "58P01": {
    code: "server_unsupported",
    message: "the server has no pgvector",
    hint: "Install the extension `vector` on the server, or choose a provider that has it.",
  },
  "55P03": {
    code: "server_busy",
    message: "somebody else's change holds a lock on the server",
    hint: `${LATER} If it stays so, an administrator finds in pg_locks who holds it.`,
  },
  "57014": { code: "timeout", message: "the server took too long", hint: LATER },
  "57": unreachable("the server is stopping or starting"),
  "58": {
    code: "server_full",
    message: "the server cannot read or write its files",
    hint: "Tell its administrator.",
  },
  XX: internal("the server failed inside"),
  ERR_POSTGRES_CONNECTION_REFUSED: unreachable("the server cannot be reached"),
  ERR_POSTGRES_CONNECTION_CLOSED: unreachable("the connection to the server broke"),
  ERR_POSTGRES_CONNECTION_FAILED: unreachable("the server ended the connection at once"),
  ERR_POSTGRES_CONNECTION_TIMEOUT: unreachable("the server does not answer"),
  ERR_POSTGRES_TLS_NOT_AVAILABLE: untrusted(
    "the server has no TLS",
    "Switch TLS on at the server. Only in a network that you fully trust: sslmode=disable in the URL and --insecure.",
  ),
  ERR_POSTGRES_UNEXPECTED_MESSAGE: stranger("what answers does not speak as a PostgreSQL server does"),
  ERR_POSTGRES_INVALID_MESSAGE: stranger("what answers does not speak as a PostgreSQL server does"),
  [PASSWORD_ASKED]: {
    code: "server_untrusted",
    message: "the server asked for the password in a way that gives it away, and did not get it",
    hint: "Have it ask by scram-sha-256 (pg_hba.conf), or reach it by verified TLS (sslmode=verify-full).",
  },
  ERR_POSTGRES_SASL_SIGNATURE: stranger("the server does not know the password of its own user"),
  CERT_HAS_EXPIRED: untrusted(
    "the certificate of the server has expired",
    "Its administrator must renew it; check the clock of this machine.",
  ),
  CERT_NOT_YET_VALID: untrusted(
    "the certificate of the server is not valid yet",
    "Check the clock of this machine.",
  ),
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted(
    "the certificate of the server is for another host",
    "Use the host name that the certificate names.",
  ),
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted("the server signed its certificate itself", CERTIFICATE),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted(
    "an authority that is not trusted here signed the certificate of the server",
    CERTIFICATE,
  ),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted(
    "an authority that is not trusted here signed the certificate of the server",
    CERTIFICATE,
  ),
  UNABLE_TO_GET_ISSUER_CERT: untrusted(
    "an authority that is not trusted here signed the certificate of the server",
    CERTIFICATE,
  ),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted(
    "an authority that is not trusted here signed the certificate of the server",
    CERTIFICATE,
  ),
};

/** PostgreSQL's own function behind `RAISE`. Such messages come from the schema's functions and are readable. */
const RAISE = "exec_stmt_raise";

/** Converts a driver error to a `MementorError` that names the server. Returns other errors unchanged. */
export function mapServerError(error: unknown, target: Target): unknown {
  if (error instanceof MementorError || !isDriverError(error)) return error;
  const cause = new ServerError(error);
  const meaning =
    refusedByPooler(cause, error) ?? meaningOf(cause) ?? internal("the server answered with an error");
  const [message, hint] = raised(error) ?? [meaning.message, null];
  const code = meaning.code === "internal" ? ` (${codeOf(cause)})` : "";
  return new MementorError(meaning.code, `${message}${code}: ${nameOf(target)}`, {
    hint: hint ?? meaning.hint,
    cause,
  });
}

function codeOf({ sqlState, driverCode }: ServerError): string {
  return sqlState === null ? driverCode : `SQLSTATE ${sqlState}`;
}

/** Tells whether the same transaction may succeed when it is repeated at once. */
export function isTransient(error: unknown): boolean {
  const cause = error instanceof MementorError ? error.cause : error;
  if (!(cause instanceof ServerError)) return false;
  const { sqlState, driverCode } = cause;
  return sqlState === null
    ? driverCode === "ERR_POSTGRES_CONNECTION_CLOSED"
    : /^(?:40001|40P01|08(?!P01)|57P0[123])/.test(sqlState);
}

function isDriverError(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  return error.code.startsWith("ERR_POSTGRES") || error.code in MEANINGS;
}

function meaningOf({ sqlState, driverCode }: ServerError): Meaning | undefined {
  const key = sqlState ?? driverCode;
  for (let length = key.length; length >= 2; length--) {
    const meaning = MEANINGS[key.slice(0, length)];
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

/**
 * Recognises a login that a pooler refused. Poolers use states of their own choice, such as 08P01 (PgBouncer) and XX000
 * (Supavisor).
 */
function refusedByPooler({ sqlState }: ServerError, error: Error): Meaning | undefined {
  const isOfPooler = sqlState === "08P01" || sqlState === "XX000";
  const isLogin = /password|authentication|no such (?:user|database)|user not found/i.test(error.message);
  return isOfPooler && isLogin && Reflect.get(error, "severity") === "FATAL"
    ? refused("the pooler before the server refused the login")
    : undefined;
}

/** Returns message and hint of an error that the schema's functions raised. */
function raised(error: Error): [message: string, hint: string | null] | null {
  if (Reflect.get(error, "routine") !== RAISE) return null;
  const hint: unknown = Reflect.get(error, "hint");
  return [error.message, typeof hint === "string" && hint !== "" ? hint : null];
}

function unreachable(message: string): Meaning {
  return {
    code: "server_unreachable",
    message,
    hint: "Check the network and the URL.",
  };
}

function refused(message: string): Meaning {
  return {
    code: "server_login",
    message,
    hint: "Check user, database and password (PGPASSWORD, ~/.pgpass, or `mementor team join` again).",
  };
}

function untrusted(message: string, hint: string): Meaning {
  return { code: "server_untrusted", message: `${message}, so nothing was sent`, hint };
}

function stranger(message: string): Meaning {
  return {
    code: "server_untrusted",
    message,
    hint: "Check host and port, and who runs what listens there.",
  };
}

function schema(message: string): Meaning {
  return {
    code: "server_unsupported",
    message,
    hint: "An administrator of the team runs `mementor team init` with this version.",
  };
}

function internal(message: string): Meaning {
  return {
    code: "internal",
    message,
    hint: "Please report this with the code in brackets; the transaction changed nothing.",
  };
}
