import { resolve } from "node:path";
import { z } from "zod";
import {
  address,
  count,
  flag,
  hostName,
  origin,
  portNumber,
  roles,
  trustedProxies,
  type TrustedProxies,
} from "./config-values.ts";

/** The value of an environment variable is wrong; the message names each wrong variable and never repeats its value. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

const defaultPort = 3000;
const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const variables = z.object({
  NODE_ENV: z.string().optional(),
  PORT: portNumber().default(defaultPort),
  HOST: hostName().default("127.0.0.1"),
  PUBLIC_URL: origin().optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: address(["postgres:", "postgresql:"]).optional(),
  CATALOGUE_FILE: z.string().optional(),
  REDIS_URL: address(["redis:", "rediss:"]).optional(),
  ROLES: roles().default({ web: true, worker: true }),
  SANDBOX: flag().optional(),
  TELEGRAM_BOT_TOKEN: z.string().regex(/^\S+$/, "must be a bot token as BotFather gives it").optional(),
  SMTP_URL: address(["smtp:", "smtps:"]).optional(),
  DEVNET_EVM_PORT: portNumber().default(8545),
  EVM_RPC_URL: address(["http:", "https:"]).optional(),
  EVM_CHAIN_ID: count().default(1),
  EVM_XPUB: z
    .string()
    .regex(/^[xt]pub[1-9A-HJ-NP-Za-km-z]{107,108}$/, "must be an extended public key (xpub…)")
    .optional(),
  EVM_MNEMONIC: z
    .string()
    .regex(/^[a-z]+( [a-z]+){11,23}$/, "must be 12 to 24 lower-case words with one space between them")
    .optional(),
  METRICS_PORT: portNumber().optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
  RATE_LIMIT_READS: count().default(1200),
  RATE_LIMIT_WRITES: count().default(300),
  FIXED_ORDERS_PER_CLIENT: count().default(50),
  TRUST_PROXY: trustedProxies().default(false),
});

export type Config = Readonly<{
  port: number;
  host: string;
  /** The canonical origin, without a slash at its end. */
  publicUrl: string;
  /** Absolute. */
  dataDir: string;
  databaseUrl: string | null;
  /** Absolute; null: the catalogue that comes with the program. */
  catalogueFile: string | null;
  redisUrl: string | null;
  roles: Readonly<{ web: boolean; worker: boolean }>;
  sandbox: boolean;
  production: boolean;
  telegramBotToken: string | null;
  smtpUrl: string | null;
  devnetEvmPort: number;
  /** null: the local devnet. */
  evmRpcUrl: string | null;
  /** A node that serves another chain is refused; the devnet has its own. */
  evmChainId: number;
  evmXpub: string | null;
  /** Signs; null where ROLES=web, because only a worker may hold keys. */
  evmMnemonic: string | null;
  /** null: no metrics are served. */
  metricsPort: number | null;
  logLevel: (typeof logLevels)[number];
  /** Calls per client and minute. */
  rateLimits: Readonly<{ reads: number; writes: number }>;
  /** Unpaid fixed-rate orders that one client may have at a time. */
  fixedOrdersPerClient: number;
  /** Whose X-Forwarded-* headers are believed: nobody's, everybody's, the last n hops', or these addresses'. */
  trustProxy: TrustedProxies;
}>;

/** Reads and checks the environment (contract §6). Throws `ConfigError`, whose message is meant for the person who starts the app. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = variables.safeParse(relevant(env));
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("\n"));
  }
  const value = parsed.data;
  const production = value.NODE_ENV === "production";
  const sandbox = value.SANDBOX ?? !production;
  refuseSharedPorts({
    PORT: value.PORT,
    ...(sandbox && { DEVNET_EVM_PORT: value.DEVNET_EVM_PORT }),
    METRICS_PORT: value.METRICS_PORT,
  });
  return Object.freeze({
    port: value.PORT,
    host: value.HOST,
    publicUrl: value.PUBLIC_URL ?? `http://localhost:${value.PORT}`,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    catalogueFile: value.CATALOGUE_FILE === undefined ? null : resolve(value.CATALOGUE_FILE),
    redisUrl: value.REDIS_URL ?? null,
    roles: Object.freeze(value.ROLES),
    sandbox,
    production,
    telegramBotToken: value.TELEGRAM_BOT_TOKEN ?? null,
    smtpUrl: value.SMTP_URL ?? null,
    devnetEvmPort: value.DEVNET_EVM_PORT,
    evmRpcUrl: value.EVM_RPC_URL ?? null,
    evmChainId: value.EVM_CHAIN_ID,
    evmXpub: value.EVM_XPUB ?? null,
    evmMnemonic: value.EVM_MNEMONIC ?? null,
    metricsPort: value.METRICS_PORT ?? null,
    logLevel: value.LOG_LEVEL,
    rateLimits: Object.freeze({ reads: value.RATE_LIMIT_READS, writes: value.RATE_LIMIT_WRITES }),
    fixedOrdersPerClient: value.FIXED_ORDERS_PER_CLIENT,
    trustProxy: value.TRUST_PROXY,
  });
}

/** Without empty variables, which count as unset, and without the keys that only a worker may look at. */
function relevant(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isWeb = env["ROLES"]?.trim() === "web";
  const given = Object.entries(env).flatMap(([name, value]) => {
    const text = value?.trim() ?? "";
    return text === "" || (isWeb && name === "EVM_MNEMONIC") ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}

function refuseSharedPorts(ports: Record<string, number | undefined>): void {
  const users = new Map<number, string>();
  for (const [name, port] of Object.entries(ports)) {
    if (port === undefined) continue;
    const other = users.get(port);
    if (other !== undefined) throw new ConfigError(`${name} must differ from ${other}`);
    users.set(port, name);
  }
}
