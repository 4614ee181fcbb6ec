import { resolve } from "node:path";
import { z } from "zod";
import { ConfigError } from "../base/startup-error.ts";
import { BITCOIN_KEYS, bitcoinNodes, bitcoinVariables, type BitcoinNode } from "./bitcoin.ts";
import { MONERO_KEY, moneroNode, moneroVariables, type MoneroNode } from "./monero.ts";
import { telegramOf, telegramVariables, type Telegram } from "./telegram.ts";
import { pushOf, pushVariables, VAPID_KEY, type PushConfig } from "./push.ts";
import { TRON_KEY, tronNode, tronVariables, type TronNode } from "./tron.ts";
import {
  address,
  count,
  extendedPublicKey,
  duration,
  flag,
  hostName,
  mnemonicPhrase,
  origin,
  portNumber,
  roles,
  slugPairs,
  trustedProxies,
  wholeNumber,
  type TrustedProxies,
} from "./values.ts";

export type { BitcoinNode } from "./bitcoin.ts";
export type { MoneroNode } from "./monero.ts";
export type { TronNode } from "./tron.ts";

const defaultPort = 3000;
const OWN_BUILD = resolve(import.meta.dirname, "../../dist");
const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const variables = z.object({
  NODE_ENV: z.string().optional(),
  PORT: portNumber().default(defaultPort),
  HOST: hostName().default("127.0.0.1"),
  PUBLIC_URL: origin().optional(),
  DATA_DIR: z.string().default(".data"),
  DIST_DIR: z.string().optional(),
  DATABASE_URL: address(["postgres:", "postgresql:"]).optional(),
  CATALOGUE_FILE: z.string().optional(),
  MARKET_VENUES: z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    .pipe(z.array(z.string().regex(/^[a-z0-9_]+$/, "must be ids of ccxt with commas between them")).min(1))
    .optional(),
  MARKET_MIN_VENUES: count().default(2),
  REDIS_URL: address(["redis:", "rediss:"]).optional(),
  ROLES: roles().default({ web: true, worker: true }),
  SANDBOX: flag().optional(),
  ...telegramVariables,
  ...pushVariables,
  SMTP_URL: address(["smtp:", "smtps:"]).optional(),
  DEVNET_EVM_PORT: portNumber().default(8545),
  EVM_RPC_URL: address(["http:", "https:"]).optional(),
  EVM_CHAIN_ID: count().default(1),
  EVM_XPUB: extendedPublicKey().optional(),
  EVM_MNEMONIC: mnemonicPhrase().optional(),
  ...bitcoinVariables,
  ...tronVariables,
  ...moneroVariables,
  CHANGENOW_API_KEY: z.string().optional(),
  CHANGENOW_URL: address(["http:", "https:"]).default("https://api.changenow.io/v2"),
  SIDESHIFT_SECRET: z.string().optional(),
  SIDESHIFT_AFFILIATE_ID: z.string().optional(),
  SIDESHIFT_URL: address(["http:", "https:"]).default("https://sideshift.ai/api/v2"),
  PARTNER_PAIRS: slugPairs().optional(),
  METRICS_PORT: portNumber().optional(),
  DRAIN_SECONDS: wholeNumber(0, 60, "must be a whole number from 0 to 60").default(0),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
  RATE_LIMIT_READS: count().default(1200),
  RATE_LIMIT_WRITES: count().default(300),
  RATE_LIMIT_SIGN_INS: count().default(40),
  FIXED_ORDERS_PER_CLIENT: count().default(50),
  AUTO_REFUND_AFTER: duration().default(null),
  TRUST_PROXY: trustedProxies().default(false),
});

export type Config = Readonly<{
  port: number;
  host: string;
  /** The canonical origin, without a slash at its end. */
  publicUrl: string;
  /** Absolute. */
  dataDir: string;
  /** Absolute: where the built app lies. */
  distDir: string;
  databaseUrl: string | null;
  /** Absolute; null: the catalogue that comes with the program. */
  catalogueFile: string | null;
  /** Where prices come from; empty: the sandbox's own market, and outside the sandbox nothing is quoted. */
  marketVenues: readonly string[];
  /** Venues that must agree on a price. */
  marketMinVenues: number;
  redisUrl: string | null;
  roles: Readonly<{ web: boolean; worker: boolean }>;
  sandbox: boolean;
  production: boolean;
  telegram: Telegram;
  /** null: nobody is told by push. */
  push: PushConfig | null;
  smtpUrl: string | null;
  devnetEvmPort: number;
  /** null: the local devnet. */
  evmRpcUrl: string | null;
  /** A node that serves another chain is refused; the devnet has its own. */
  evmChainId: number;
  evmXpub: string | null;
  /** Signs; null where ROLES=web, because only a worker may hold keys. */
  evmMnemonic: string | null;
  /** By network title: the nodes of Bitcoin's family; in the sandbox they are regtest nodes, and a network without one is played. */
  bitcoin: ReadonlyMap<string, BitcoinNode>;
  /** null: there is no node, and in the sandbox the network is played. */
  tron: TronNode | null;
  /** null: there is no node of it, and in the sandbox the network is played. */
  monero: MoneroNode | null;
  /** Who else fills orders; each is null, and not asked, without its key. A process with ROLES=web has none of them. */
  partners: Readonly<{
    changeNow: Readonly<{ url: string; apiKey: string }> | null;
    sideShift: Readonly<{ url: string; secret: string; affiliateId: string }> | null;
    /** The pairs that they are asked for, by slug. */
    pairs: readonly Readonly<{ from: string; to: string }>[];
  }>;
  /** null: no metrics are served. */
  metricsPort: number | null;
  /** How long a web that was told to stop still serves, so that who sends it requests can notice. */
  drainSeconds: number;
  logLevel: (typeof logLevels)[number];
  /** Calls per client and minute. */
  rateLimits: Readonly<{ reads: number; writes: number; signIns: number }>;
  /** Unpaid fixed-rate orders that one client may have at a time. */
  fixedOrdersPerClient: number;
  /** After this long without their owner, deposits go back to the refund address that was set at creation; null: never by themselves. */
  autoRefundSeconds: number | null;
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
  const publicUrl = value.PUBLIC_URL ?? `http://localhost:${value.PORT}`;
  const telegram = telegramOf(value, { sandbox, publicUrl });
  // The messenger calls no other; the sandbox's may be a server of one's own.
  if (telegram.webhook !== null && !sandbox && !publicUrl.startsWith("https:"))
    throw new ConfigError("TELEGRAM_WEBHOOK_SECRET needs a PUBLIC_URL with https");
  const push = pushOf(value, { sandbox, worker: value.ROLES.worker });
  if (typeof push === "string") throw new ConfigError(push);
  const monero = moneroNode(value, sandbox);
  if (typeof monero === "string") throw new ConfigError(monero);
  return Object.freeze({
    port: value.PORT,
    host: value.HOST,
    publicUrl,
    dataDir: resolve(value.DATA_DIR),
    distDir: value.DIST_DIR === undefined ? OWN_BUILD : resolve(value.DIST_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    catalogueFile: value.CATALOGUE_FILE === undefined ? null : resolve(value.CATALOGUE_FILE),
    marketVenues: Object.freeze(value.MARKET_VENUES ?? []),
    marketMinVenues: value.MARKET_MIN_VENUES,
    redisUrl: value.REDIS_URL ?? null,
    roles: Object.freeze(value.ROLES),
    sandbox,
    production,
    telegram,
    push,
    smtpUrl: value.SMTP_URL ?? null,
    devnetEvmPort: value.DEVNET_EVM_PORT,
    evmRpcUrl: value.EVM_RPC_URL ?? null,
    evmChainId: value.EVM_CHAIN_ID,
    evmXpub: value.EVM_XPUB ?? null,
    evmMnemonic: value.EVM_MNEMONIC ?? null,
    bitcoin: bitcoinNodes(value),
    tron: tronNode(value),
    monero,
    partners: partnersOf(value),
    metricsPort: value.METRICS_PORT ?? null,
    drainSeconds: value.DRAIN_SECONDS,
    logLevel: value.LOG_LEVEL,
    rateLimits: Object.freeze({
      reads: value.RATE_LIMIT_READS,
      writes: value.RATE_LIMIT_WRITES,
      signIns: value.RATE_LIMIT_SIGN_INS,
    }),
    fixedOrdersPerClient: value.FIXED_ORDERS_PER_CLIENT,
    autoRefundSeconds: value.AUTO_REFUND_AFTER,
    trustProxy: value.TRUST_PROXY,
  });
}

const WORKERS_ALONE = new Set<string>([
  "CHANGENOW_API_KEY",
  "SIDESHIFT_SECRET",
  "EVM_MNEMONIC",
  ...BITCOIN_KEYS,
  TRON_KEY,
  MONERO_KEY,
  VAPID_KEY,
]);

/** Without empty variables, which count as unset, and without the keys that only a worker may look at. */
function relevant(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isWeb = env["ROLES"]?.trim() === "web";
  const given = Object.entries(env).flatMap(([name, value]) => {
    const text = value?.trim() ?? "";
    return text === "" || (isWeb && WORKERS_ALONE.has(name)) ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}

/** A partner that could not do anything is a mistake, not a wish. */
function partnersOf(value: z.output<typeof variables>): Config["partners"] {
  const { CHANGENOW_API_KEY: apiKey, SIDESHIFT_SECRET: secret, SIDESHIFT_AFFILIATE_ID: affiliateId } = value;
  if (secret !== undefined && affiliateId === undefined)
    throw new ConfigError("SIDESHIFT_SECRET needs SIDESHIFT_AFFILIATE_ID");
  if ((apiKey ?? secret) !== undefined && value.PARTNER_PAIRS === undefined)
    throw new ConfigError("PARTNER_PAIRS must name the pairs that a partner is asked for");
  return Object.freeze({
    changeNow: apiKey === undefined ? null : Object.freeze({ url: value.CHANGENOW_URL, apiKey }),
    sideShift:
      secret === undefined || affiliateId === undefined
        ? null
        : Object.freeze({ url: value.SIDESHIFT_URL, secret, affiliateId }),
    pairs: Object.freeze(value.PARTNER_PAIRS ?? []),
  });
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
