import { resolve } from "node:path";
import { z } from "zod";
import { emailSchema } from "#contract/order.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import { bitcoinConfig, bitcoinSecrets, bitcoinVariables, type BitcoinConfig } from "./bitcoin.ts";
import { cardConfig, cardVariables, type CardConfig } from "./card.ts";
import { evmConfig, evmSecrets, evmVariables, type EvmConfig } from "./evm.ts";
import { keysConfig, keyVariables, type KeysConfig } from "./keys.ts";
import { limitsConfig, limitVariables, type LimitsConfig } from "./limits.ts";
import { marketConfig, marketVariables, type MarketConfig } from "./market.ts";
import { moneroConfig, moneroSecrets, moneroVariables, type MoneroConfig } from "./monero.ts";
import { partnersConfig, partnerSecrets, partnerVariables, type PartnersConfig } from "./partners.ts";
import { pushConfig, pushSecrets, pushVariables, type PushConfig } from "./push.ts";
import { refuseLiveChains, refuseSharedPorts } from "./refusals.ts";
import { securityContact, securityContactVariables, type SecurityContact } from "./security-contact.ts";
import { siteConfig, siteVariables, type SiteConfig } from "./site.ts";
import { telegramConfig, telegramVariables, type TelegramConfig } from "./telegram.ts";
import { treasuryConfig, treasuryVariables, type TreasuryConfig } from "./treasury.ts";
import { tronConfig, tronSecrets, tronVariables, type TronConfig } from "./tron.ts";
import {
  address,
  duration,
  flag,
  hostName,
  origin,
  portNumber,
  roles,
  trustedProxies,
  wholeNumber,
  type TrustedProxies,
} from "./values.ts";

const defaultPort = 3000;
const OWN_BUILD = resolve(import.meta.dirname, "../../dist");
const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const variables = z.object({
  // A misspelt production would open the sandbox to everybody.
  NODE_ENV: z.enum(["production", "development", "test"], "must be production, development or test").optional(),
  PORT: portNumber().default(defaultPort),
  HOST: hostName().default("127.0.0.1"),
  PUBLIC_URL: origin().optional(),
  DATA_DIR: z.string().default(".data"),
  DIST_DIR: z.string().optional(),
  DATABASE_URL: address(["postgres:", "postgresql:"]).optional(),
  CATALOGUE_FILE: z.string().optional(),
  REDIS_URL: address(["redis:", "rediss:"]).optional(),
  ROLES: roles().default({ web: true, worker: true }),
  WORKER_PROCESS: flag().default(true),
  SANDBOX: flag().optional(),
  SMTP_URL: address(["smtp:", "smtps:"])
    .refine(hasUsableSender, "must name an email address as from, or none")
    .optional(),
  KYC_RETENTION_DAYS: wholeNumber(1, 36_500, "must be a whole number of days above 0").default(30),
  METRICS_PORT: portNumber().optional(),
  METRICS_HOST: hostName().default("127.0.0.1"),
  DRAIN_SECONDS: wholeNumber(0, 60, "must be a whole number from 0 to 60").default(0),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
  SECURITY_LOG: z.string().optional(),
  PARTNER_REFERRALS: flag().default(true),
  AUTO_REFUND_AFTER: duration().default(null),
  UNDECIDED_AFTER: duration().default(7 * 86_400),
  TRUST_PROXY: trustedProxies().default(false),
  ...keyVariables,
  ...limitVariables,
  ...treasuryVariables,
  ...siteVariables,
  ...securityContactVariables,
  ...marketVariables,
  ...telegramVariables,
  ...pushVariables,
  ...evmVariables,
  ...bitcoinVariables,
  ...tronVariables,
  ...moneroVariables,
  ...partnerVariables,
  ...cardVariables,
});

/** Variables that a process without the worker role never reads. */
const WORKER_SECRETS = new Set<string>([
  "SMTP_URL",
  ...pushSecrets,
  ...evmSecrets,
  ...bitcoinSecrets,
  ...tronSecrets,
  ...moneroSecrets,
  ...partnerSecrets,
]);

export type Config = Readonly<{
  port: number;
  host: string;
  /** The canonical origin, without a slash at its end. */
  publicUrl: string;
  /** False: it is a guess, this machine. */
  isPublicUrlSet: boolean;
  /** Absolute. */
  dataDir: string;
  /** Absolute: where the built app lies. */
  distDir: string;
  databaseUrl: string | null;
  /** Absolute; null: the catalogue that comes with the program. */
  catalogueFile: string | null;
  redisUrl: string | null;
  roles: Readonly<{ web: boolean; worker: boolean }>;
  /** Whether the worker runs in a process of its own where both roles are started. */
  hasWorkerProcess: boolean;
  sandbox: boolean;
  production: boolean;
  smtpUrl: string | null;
  /** How many days after a decision the documents that it was made from are deleted. */
  kycRetentionDays: number;
  /** Where metrics are served, apart from the site; null: nowhere. */
  metrics: Readonly<{ host: string; port: number }> | null;
  /** How long a web process still serves after SIGTERM, so that a load balancer can notice. */
  drainSeconds: number;
  logLevel: (typeof logLevels)[number];
  /** Absolute: the file of security events; null: standard output. */
  securityLog: string | null;
  /** After this long without the customer's choice, deposits go back to the refund address of the creation; null: never by themselves. */
  autoRefundSeconds: number | null;
  /** How long an order waits for its customer before operators are notified; null: for ever. */
  undecidedSeconds: number | null;
  /** Whether referral links count (contract §9). */
  arePartnerReferralsOn: boolean;
  /** Whose X-Forwarded-* headers are accepted: nobody's, the last n hops', or these addresses'. */
  trustProxy: TrustedProxies;
  treasury: TreasuryConfig;
  site: SiteConfig;
  securityContact: SecurityContact;
  market: MarketConfig;
  telegram: TelegramConfig;
  /** Null: push is off. */
  push: PushConfig | null;
  evm: EvmConfig;
  bitcoin: BitcoinConfig;
  tron: TronConfig | null;
  monero: MoneroConfig | null;
  partners: PartnersConfig;
  card: CardConfig;
}> &
  KeysConfig &
  LimitsConfig;

/** Reads and checks the environment (contract §6). Throws `ConfigError`, whose message names every wrong variable. */
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
  if (sandbox) refuseLiveChains(value);
  const publicUrl = value.PUBLIC_URL ?? `http://localhost:${value.PORT}`;
  const process = { sandbox, worker: value.ROLES.worker, publicUrl };
  return Object.freeze({
    port: value.PORT,
    host: value.HOST,
    publicUrl,
    isPublicUrlSet: value.PUBLIC_URL !== undefined,
    dataDir: resolve(value.DATA_DIR),
    distDir: value.DIST_DIR === undefined ? OWN_BUILD : resolve(value.DIST_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    catalogueFile: value.CATALOGUE_FILE === undefined ? null : resolve(value.CATALOGUE_FILE),
    redisUrl: value.REDIS_URL ?? null,
    roles: Object.freeze(value.ROLES),
    hasWorkerProcess: value.WORKER_PROCESS,
    sandbox,
    production,
    smtpUrl: value.SMTP_URL ?? null,
    ...keysConfig(value),
    kycRetentionDays: value.KYC_RETENTION_DAYS,
    metrics:
      value.METRICS_PORT === undefined ? null : Object.freeze({ host: value.METRICS_HOST, port: value.METRICS_PORT }),
    drainSeconds: value.DRAIN_SECONDS,
    logLevel: value.LOG_LEVEL,
    securityLog: value.SECURITY_LOG === undefined ? null : resolve(value.SECURITY_LOG),
    ...limitsConfig(value, sandbox),
    autoRefundSeconds: value.AUTO_REFUND_AFTER,
    undecidedSeconds: value.UNDECIDED_AFTER,
    arePartnerReferralsOn: value.PARTNER_REFERRALS,
    trustProxy: value.TRUST_PROXY,
    treasury: treasuryConfig(value, process),
    site: siteConfig(value, sandbox),
    securityContact: securityContact(value),
    market: marketConfig(value),
    telegram: telegramConfig(value, process),
    push: pushConfig(value, process),
    evm: evmConfig(value),
    bitcoin: bitcoinConfig(value),
    tron: tronConfig(value),
    monero: moneroConfig(value, process),
    partners: partnersConfig(value),
    card: cardConfig(value, { sandbox, publicUrl, apiUrl: `http://${reachableHost(value.HOST)}:${value.PORT}` }),
  });
}

/** Where this process answers itself. */
const reachableHost = (host: string): string =>
  host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;

/** Without empty variables, which count as unset, and without the secrets of workers where ROLES names no worker. */
function relevant(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = roles().safeParse(env["ROLES"]);
  const isWithoutWorker = given.success && !given.data.worker;
  const entries = Object.entries(env).flatMap(([name, value]) => {
    const text = value?.trim() ?? "";
    return text === "" || (isWithoutWorker && WORKER_SECRETS.has(name)) ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}

function hasUsableSender(smtpUrl: string): boolean {
  const sender = URL.parse(smtpUrl)?.searchParams.get("from") ?? null;
  return sender === null || emailSchema.safeParse(sender).success;
}
