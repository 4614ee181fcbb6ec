import { pino, type DestinationStream, type LogFn, type Logger } from "pino";
import { logHash, withHashedIds } from "./log-hash.ts";

export type Log = Logger;

// A logged object is redacted at its own level and one and two levels below it.
const hidden = [
  "password",
  "secret",
  "token",
  "accessToken",
  "refreshToken",
  "initData",
  "authorization",
  "cookie",
  "set-cookie",
  "mnemonic",
  "privateKey",
  "xpub",
  "databaseUrl",
  "redisUrl",
  "smtpUrl",
  "botToken",
  "connectionString",
  "email",
  "phone",
  "firstName",
  "lastName",
  "birthDate",
  "identityNumber",
  "ip",
  "remoteAddress",
  "destinationAddress",
  "refundAddress",
  "depositAddress",
  "recipient",
  "userEmail",
  "endpoint",
  "memo",
];
const redactedPaths = hidden.flatMap((name) => {
  const key = /^\w+$/.test(name) ? `.${name}` : `["${name}"]`;
  return [key.replace(/^\./, ""), `*${key}`, `*.*${key}`];
});

/** Whoever reads the log must not be able to open an order: its id stands there as a keyed hash. */
const hashedPaths = ["*.orderId", "*.*.orderId"];
const hashedId = (id: unknown): unknown => (typeof id === "string" ? logHash(id) : id);

/** The JSON log of the process: one line per event, without secrets and personal data. */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [...redactedPaths, ...hashedPaths],
      censor: (value: unknown, path: string[]) => (path.at(-1) === "orderId" ? hashedId(value) : "[hidden]"),
    },
    serializers: { err: serializeError, error: serializeError, reason: withoutSecretsIn, orderId: hashedId },
    hooks: { logMethod: logWithoutSecrets },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** Without a message pino takes the error's own, as it is. */
function logWithoutSecrets(this: Logger, given: Parameters<LogFn>, method: LogFn): void {
  const [first, message]: unknown[] = given;
  const error: unknown = typeof first === "object" && first !== null && "err" in first ? first.err : first;
  if (message === undefined && error instanceof Error) method.call(this, first, withoutSecrets(error.message));
  else method.apply(this, given.map(withoutSecretsIn) as Parameters<LogFn>);
}

// PostgreSQL repeats the values of the row in `detail` and `where`, a fetch error its request: only these fields are safe.
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) };
  return {
    type: error.name,
    message: withoutSecrets(error.message),
    stack: error.stack && withoutSecrets(error.stack),
    ...("code" in error && { code: error.code }),
    ...("constraint" in error && { constraint: error.constraint }),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  };
}

const withoutSecretsIn = (reason: unknown): unknown => (typeof reason === "string" ? withoutSecrets(reason) : reason);

/**
 * Providers of nodes put keys into paths and queries, and clients repeat what was asked: addresses, and what they hold. The frames of
 * a stack, which name functions and files, stay as they are.
 */
function withoutSecrets(text: string): string {
  return withoutPersons(text)
    .replace(/\b(https?:\/\/[^\s/?#"'),]+)[/?#][^\s"'),]+/g, "$1/[hidden]")
    .replace(/^(\s*Request body:).*$/gm, "$1 [hidden]")
    .replace(/^(?!\s+at ).*$/gm, withHashedIds);
}

/** A password may hold any sign. File names of stack frames have no credentials and may have an @. */
const CREDENTIALS = /(?<![\w+.-])(?!file:)([a-z][a-z\d+.-]*:\/\/)[^\s"'<>]*@/gi;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi;
/** Of EVM, of Bitcoin's family, and extended keys. Ids of transactions and blocks are longer, and hexadecimal. */
const ADDRESSES = [
  /\b0x[\da-f]{40}\b/gi,
  /\b(?:bc|tb|bcrt|ltc|tltc|rltc)1[02-9ac-hj-np-z]{20,90}\b/gi,
  /\b(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])(?=[A-Za-z]*\d)[1-9A-HJ-NP-Za-km-z]{26,115}\b/g,
];

/** Whoever reads the log must neither sign in anywhere nor learn who sends what to whom. */
const withoutPersons = (text: string): string =>
  ADDRESSES.reduce(
    (rest, address) => rest.replace(address, "[hidden]"),
    text.replace(CREDENTIALS, "$1[hidden]@").replace(EMAIL, "[hidden]"),
  );

/** A text as the log shows it, for what is printed elsewhere. */
export const safeText = (text: string): string => withoutSecrets(text);
