import { pino, type DestinationStream, type Logger } from "pino";

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
  "ip",
  "remoteAddress",
  "destinationAddress",
  "refundAddress",
  "memo",
];
const redactedPaths = hidden.flatMap((name) => {
  const key = /^\w+$/.test(name) ? `.${name}` : `["${name}"]`;
  return [key.replace(/^\./, ""), `*${key}`, `*.*${key}`];
});

/** The JSON log of the process: one line per event, without secrets and personal data. */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: "[hidden]" },
    serializers: { err: serializeError, error: serializeError, reason: withoutSecretsIn },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

// PostgreSQL repeats the values of the row in `detail` and `where`, a fetch error its request: only these fields are safe.
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
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

/** Providers of nodes put keys into paths and queries, and clients repeat what was asked: addresses, and what they hold. */
function withoutSecrets(text: string): string {
  return text
    .replace(/(\w+:\/\/)[^\s/@]+@/g, "$1[hidden]@")
    .replace(/\b(https?:\/\/[^\s/?#"'),]+)[/?#][^\s"'),]+/g, "$1/[hidden]")
    .replace(/^(\s*Request body:).*$/gm, "$1 [hidden]");
}
