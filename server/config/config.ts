import { resolve } from "node:path";
import { z } from "zod";
import { emailSchema } from "#contract/order.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import { bitcoinConfig, bitcoinSecrets, bitcoinVariables, type BitcoinConfig } from "./bitcoin.ts";
import { cardConfig, cardVariables, type CardConfig } from "./card.ts";
import { EVM_DEVELOPMENT_CHAINS, evmConfig, evmSecrets, evmVariables, type EvmConfig } from "./evm.ts";
import { marketConfig, marketVariables, type MarketConfig } from "./market.ts";
import { moneroConfig, moneroSecrets, moneroVariables, type MoneroConfig } from "./monero.ts";
import { partnersConfig, partnerSecrets, partnerVariables, type PartnersConfig } from "./partners.ts";
import { pushConfig, pushSecrets, pushVariables, type PushConfig } from "./push.ts";
import { securityContact, securityContactVariables, type SecurityContact } from "./security-contact.ts";
import { siteConfig, siteVariables, type SiteConfig } from "./site.ts";
import { telegramConfig, telegramVariables, type TelegramConfig } from "./telegram.ts";
import { treasuryConfig, treasuryVariables, type TreasuryConfig } from "./treasury.ts";
import { TRON_PUBLIC_CHAINS, tronConfig, tronSecrets, tronVariables, type TronConfig } from "./tron.ts";
import {
  address,
  count,
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
const DEFAULT_UNPAID_ORDERS = 500;
const OWN_BUILD = resolve(import.meta.dirname, "../../dist");
const hexKey = () =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 32 bytes in hex")
    .optional();
const keyOf = (hex: string | undefined): Buffer | null => (hex === undefined ? null : Buffer.from(hex, "hex"));
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
  SECOND_FACTOR_KEY: hexKey(),
  SECOND_FACTOR_KEY_FORMER: hexKey(),
  API_KEYS_KEY: hexKey(),
  API_KEYS_KEY_FORMER: hexKey(),
  KYC_KEY: hexKey(),
  KYC_KEY_FORMER: hexKey(),
  KYC_RETENTION_DAYS: wholeNumber(1, 36_500, "must be a whole number of days above 0").default(30),
  METRICS_PORT: portNumber().optional(),
  METRICS_HOST: hostName().default("127.0.0.1"),
  DRAIN_SECONDS: wholeNumber(0, 60, "must be a whole number from 0 to 60").default(0),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
  SECURITY_LOG: z.string().optional(),
  RATE_LIMIT_READS: count().default(1200),
  RATE_LIMIT_WRITES: count().default(300),
  RATE_LIMIT_SIGN_INS: count().default(40),
  API_KEY_LIMIT_READS: count().default(1200),
  API_KEY_LIMIT_WRITES: count().default(300),
  FIXED_ORDERS_PER_CLIENT: count().default(50),
  UNPAID_ORDERS_PER_CLIENT: count().optional(),
  MAILS_PER_RECIPIENT: count().optional(),
  MAILS_PER_CLIENT: count().optional(),
  PARTNER_REFERRALS: flag().default(true),
  AUTO_REFUND_AFTER: duration().default(null),
  TRUST_PROXY: trustedProxies().default(false),
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
  /** Encrypts the secrets of second factors; null: a key in the database does. */
  secondFactorKey: Buffer | null;
  /** The one before it, for the command that changes it. */
  formerSecondFactorKey: Buffer | null;
  /** Encrypts the secrets of API keys; null: a key in the database does. */
  apiKeysKey: Buffer | null;
  formerApiKeysKey: Buffer | null;
  /** Seals the documents of verification; null: in the sandbox a key in the database does, elsewhere nobody can be verified. */
  kycKey: Buffer | null;
  formerKycKey: Buffer | null;
  /** How many days after a decision the documents that it was made from are deleted. */
  kycRetentionDays: number;
  /** Where metrics are served, apart from the site; null: nowhere. */
  metrics: Readonly<{ host: string; port: number }> | null;
  /** How long a web process still serves after SIGTERM, so that a load balancer can notice. */
  drainSeconds: number;
  logLevel: (typeof logLevels)[number];
  /** Absolute: the file of security events; null: standard output. */
  securityLog: string | null;
  /** Calls per client and minute. */
  rateLimits: Readonly<{ reads: number; writes: number; signIns: number }>;
  /** Signed calls per API key and minute. */
  apiKeyLimits: Readonly<{ reads: number; writes: number }>;
  /** Unpaid fixed-rate orders that one client may have at a time. */
  fixedOrdersPerClient: number;
  /** Unpaid orders of any kind that one client may have at a time; null: any number. */
  unpaidOrdersPerClient: number | null;
  /** Mails about orders that nobody paid, a day; null: any number. */
  firstMails: Readonly<{ perRecipient: number; perClient: number }> | null;
  /** After this long without the customer's choice, deposits go back to the refund address of the creation; null: never by themselves. */
  autoRefundSeconds: number | null;
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
}>;

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
    secondFactorKey: keyOf(value.SECOND_FACTOR_KEY),
    formerSecondFactorKey: keyOf(value.SECOND_FACTOR_KEY_FORMER),
    apiKeysKey: keyOf(value.API_KEYS_KEY),
    formerApiKeysKey: keyOf(value.API_KEYS_KEY_FORMER),
    kycKey: keyOf(value.KYC_KEY),
    formerKycKey: keyOf(value.KYC_KEY_FORMER),
    kycRetentionDays: value.KYC_RETENTION_DAYS,
    metrics:
      value.METRICS_PORT === undefined ? null : Object.freeze({ host: value.METRICS_HOST, port: value.METRICS_PORT }),
    drainSeconds: value.DRAIN_SECONDS,
    logLevel: value.LOG_LEVEL,
    securityLog: value.SECURITY_LOG === undefined ? null : resolve(value.SECURITY_LOG),
    rateLimits: Object.freeze({
      reads: value.RATE_LIMIT_READS,
      writes: value.RATE_LIMIT_WRITES,
      signIns: value.RATE_LIMIT_SIGN_INS,
    }),
    apiKeyLimits: Object.freeze({ reads: value.API_KEY_LIMIT_READS, writes: value.API_KEY_LIMIT_WRITES }),
    fixedOrdersPerClient: value.FIXED_ORDERS_PER_CLIENT,
    // A sandbox has one client, which tries it out.
    unpaidOrdersPerClient: value.UNPAID_ORDERS_PER_CLIENT ?? (sandbox ? null : DEFAULT_UNPAID_ORDERS),
    firstMails: firstMailLimits(value, sandbox),
    autoRefundSeconds: value.AUTO_REFUND_AFTER,
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

/** In the sandbox anyone sets prices and moves time: with a live chain beside it, that is real money. */
function refuseLiveChains(value: {
  EVM_RPC_URL?: unknown;
  EVM_CHAIN_ID: number;
  TRON_RPC_URL?: unknown;
  TRON_CHAIN_ID: number;
}): void {
  const live = [
    ...(value.EVM_RPC_URL !== undefined && !EVM_DEVELOPMENT_CHAINS.has(value.EVM_CHAIN_ID)
      ? [`EVM_CHAIN_ID ${value.EVM_CHAIN_ID}`]
      : []),
    ...(value.TRON_RPC_URL !== undefined && TRON_PUBLIC_CHAINS.has(value.TRON_CHAIN_ID)
      ? [`TRON_CHAIN_ID ${value.TRON_CHAIN_ID}`]
      : []),
  ];
  if (live.length > 0)
    throw new ConfigError(
      `${live.join(" and ")} beside the sandbox: set SANDBOX=off, or use the node of a local chain`,
    );
}

/** A sandbox that sends no mail to anybody lists all of it. */
function firstMailLimits(
  value: { SMTP_URL?: unknown; MAILS_PER_RECIPIENT?: number | undefined; MAILS_PER_CLIENT?: number | undefined },
  sandbox: boolean,
): Config["firstMails"] {
  const { SMTP_URL: smtpUrl, MAILS_PER_RECIPIENT: perRecipient, MAILS_PER_CLIENT: perClient } = value;
  if (sandbox && smtpUrl === undefined && perRecipient === undefined && perClient === undefined) return null;
  return Object.freeze({ perRecipient: perRecipient ?? 5, perClient: perClient ?? 20 });
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
