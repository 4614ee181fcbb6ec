import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { TELEGRAM_KEY, TELEGRAM_TEST_KEY } from "../../tests/support/services/launch-vectors.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import { readConfig } from "./config.ts";
import { requirePublicUrl } from "./public-url.ts";
import { siteSettings } from "./site.ts";

const NO_APPROVAL = { aboveUsd: null, hourlyUsd: null, networkHourlyUsd: null };

const BOT_TOKEN = "7:the-tests-have-no-bot-of-their-own";
const xpub =
  "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";
const mnemonic = "test test test test test test test test test test test junk";
const tronParts = {
  rpcUrl: "http://node:8090",
  solidityUrl: "http://node:8090",
  apiKey: null,
  xpub: null,
  mnemonic: null,
};
const tronKeys = { ...tronParts, chainId: 3_448_148_188, apiKey: "key-1", xpub, mnemonic };
const tron = {
  SANDBOX: "off",
  TRON_RPC_URL: tronKeys.rpcUrl,
  TRON_CHAIN_ID: "3448148188",
  TRON_API_KEY: "key-1",
  TRON_XPUB: xpub,
  TRON_MNEMONIC: mnemonic,
};
const moneroParts = {
  daemonUrl: "http://node:18081",
  zmqUrl: null,
  viewWalletUrl: "http://view:18083",
  walletUrl: "http://hot:18083",
  sandboxWalletUrl: "http://customer:18083",
};
const monero = {
  XMR_DAEMON_URL: moneroParts.daemonUrl,
  XMR_VIEW_WALLET_URL: moneroParts.viewWalletUrl,
  XMR_WALLET_URL: moneroParts.walletUrl,
  XMR_SANDBOX_WALLET_URL: moneroParts.sandboxWalletUrl,
};
const litecoinParts = { rpcUrl: "http://user:word@node:9332", otherRpcUrls: [], zmqUrl: null, xpub, mnemonic };
const litecoin = { LTC_RPC_URL: litecoinParts.rpcUrl, LTC_XPUB: xpub, LTC_MNEMONIC: mnemonic };

test.each([
  { MARKET_VENUES: "kraken" },
  { MARKET_VENUES: "kraken, kraken" },
  { MARKET_VENUES: "kraken, binance", MARKET_MIN_VENUES: "3" },
])("fewer venues than must agree are refused, because nothing would be quoted: %j", (env) => {
  expect(() => readConfig(env)).toThrow(/MARKET_VENUES .* MARKET_MIN_VENUES/);
});

test("an empty environment gives the defaults", () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: "127.0.0.1",
    publicUrl: "http://localhost:3000",
    isPublicUrlSet: false,
    dataDir: resolve(".data"),
    distDir: resolve("dist"),
    databaseUrl: null,
    site: {
      settings: {
        connectivityUrl: "https://cloudflare-dns.com/dns-query?name=example.com",
        isSeoChecked: false,
        isAnalyticsOn: false,
        partnerCode: null,
        miniAppUrl: null,
        sourceUrl: null,
      },
      redirectsFile: null,
      siteFile: null,
      ratingUrl: null,
      operatorEmail: "operator@wherry.example",
      contentUrl: null,
    },
    secondFactorKey: null,
    formerSecondFactorKey: null,
    apiKeysKey: null,
    formerApiKeysKey: null,
    kycKey: null,
    formerKycKey: null,
    kycRetentionDays: 30,
    securityContact: null,
    market: { venues: [], minVenues: 2 },
    catalogueFile: null,
    redisUrl: null,
    roles: { web: true, worker: true },
    hasWorkerProcess: true,
    sandbox: true,
    production: false,
    telegram: {
      launch: { token: "1000000000:sandbox-has-no-bot" },
      botToken: null,
      apiUrl: "https://api.telegram.org",
      webhook: null,
    },
    push: {
      keys: null,
      subject: "mailto:sandbox@wherry.example",
      services: [
        "fcm.googleapis.com",
        "jmt17.google.com",
        "updates.push.services.mozilla.com",
        "push.apple.com",
        "notify.windows.com",
      ],
      sandboxService: null,
    },
    smtpUrl: null,
    evm: { rpcUrl: null, otherRpcUrls: [], chainId: 1, xpub: null, mnemonic: null, devnetPort: 8545 },
    treasury: { approval: NO_APPROVAL, walletCapUsd: null },
    tron: null,
    bitcoin: new Map(),
    monero: null,
    partners: { changeNow: null, sideShift: null, pairs: [] },
    card: {
      noKycThreshold: "150",
      questionsPerMinute: 120,
      mercuryo: {
        url: "http://127.0.0.1:3000/sandbox/mercuryo/v1.6",
        pagesUrl: "http://localhost:3000/sandbox/mercuryo",
        widgetId: "sandbox",
        feeBps: 50n,
        keys: null,
      },
    },
    metrics: null,
    drainSeconds: 0,
    logLevel: "info",
    securityLog: null,
    rateLimits: { reads: 1200, writes: 300, signIns: 40 },
    apiKeyLimits: { reads: 1200, writes: 300 },
    fixedOrdersPerClient: 50,
    unpaidOrdersPerClient: null,
    firstMails: null,
    autoRefundSeconds: null,
    undecidedSeconds: 604_800,
    arePartnerReferralsOn: true,
    trustProxy: false,
  });
});

test.each([
  [{ PORT: "8080" }, { port: 8080, publicUrl: "http://localhost:8080" }],
  [{ PORT: "" }, { port: 3000 }],
  [{ PORT: " 8080 " }, { port: 8080 }],
  [{ HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
  [{ HOST: "::1" }, { host: "::1" }],
  [{ PUBLIC_URL: "https://Example.org/" }, { publicUrl: "https://example.org" }],
  [{ PUBLIC_URL: "http://localhost:4000" }, { publicUrl: "http://localhost:4000" }],
  [{ DATA_DIR: "/var/lib/wherry" }, { dataDir: "/var/lib/wherry" }],
  [{ DATA_DIR: "elsewhere" }, { dataDir: resolve("elsewhere") }],
  [{ DIST_DIR: "other/dist" }, { distDir: resolve("other/dist") }],
  [{ DATABASE_URL: "postgres://a:b@db/c" }, { databaseUrl: "postgres://a:b@db/c" }],
  [{ DATABASE_URL: "postgresql:///c?host=/run" }, { databaseUrl: "postgresql:///c?host=/run" }],
  [{ REDIS_URL: "rediss://cache:6380" }, { redisUrl: "rediss://cache:6380" }],
  [{ SMTP_URL: "smtp://mail:25" }, { smtpUrl: "smtp://mail:25" }],
  [{ ROLES: "web" }, { roles: { web: true, worker: false } }],
  [{ ROLES: "worker" }, { roles: { web: false, worker: true } }],
  [{ ROLES: "worker, web" }, { roles: { web: true, worker: true } }],
  [{ NODE_ENV: "production" }, { sandbox: false, production: true }],
  [
    { NODE_ENV: "production", SANDBOX: "on" },
    { sandbox: true, production: true },
  ],
  [{ SANDBOX: "off" }, { sandbox: false, production: false }],
  [{ SANDBOX: "0" }, { sandbox: false }],
  [{ DEVNET_EVM_PORT: "9545" }, { evm: { devnetPort: 9545 } }],
  [
    { DEVNET_EVM_PORT: "3000", SANDBOX: "off" },
    { port: 3000, evm: { devnetPort: 3000 } },
  ],
  [{ SANDBOX: "off", EVM_RPC_URL: "https://rpc.example.org/key" }, { evm: { rpcUrl: "https://rpc.example.org/key" } }],
  [
    { EVM_RPC_URL: "http://a, https://b/,http://c", EVM_CHAIN_ID: "31337" },
    { evm: { rpcUrl: "http://a", otherRpcUrls: ["https://b/", "http://c"] } },
  ],
  [
    { ...litecoin, LTC_RPC_URL: "http://u:a%2Cb@one,http://u:p@two" },
    {
      bitcoin: new Map([["LTC", { ...litecoinParts, rpcUrl: "http://u:a%2Cb@one", otherRpcUrls: ["http://u:p@two"] }]]),
    },
  ],
  [
    { ...monero, XMR_DAEMON_URL: "http://one:1,http://two:2" },
    { monero: { daemonUrl: "http://one:1", otherDaemonUrls: ["http://two:2"] } },
  ],
  [
    { ...tron, TRON_RPC_URL: "http://a:1,http://b:1", TRON_SOLIDITY_URL: "http://a:2,http://b:2" },
    { tron: { solidityUrl: "http://a:2", others: [{ rpcUrl: "http://b:1", solidityUrl: "http://b:2" }] } },
  ],
  [{ EVM_XPUB: xpub }, { evm: { xpub } }],
  [{ EVM_MNEMONIC: mnemonic }, { evm: { mnemonic } }],
  [{ EVM_MNEMONIC: mnemonic, ROLES: "worker" }, { evm: { mnemonic } }],
  [{ EVM_MNEMONIC: mnemonic, ROLES: "web" }, { evm: { mnemonic: null } }],
  [{ EVM_MNEMONIC: "Not One", ROLES: "web" }, { evm: { mnemonic: null } }],
  [{ EVM_MNEMONIC: mnemonic, ROLES: "web,web" }, { evm: { mnemonic: null } }],
  [{ EVM_MNEMONIC: mnemonic, ROLES: "web, worker" }, { evm: { mnemonic } }],
  [{ SANDBOX: "off", TRON_RPC_URL: tronParts.rpcUrl }, { tron: { ...tronParts, chainId: 728_126_428 } }],
  [{ ...tron, TRON_SOLIDITY_URL: "http://node:8091" }, { tron: { ...tronKeys, solidityUrl: "http://node:8091" } }],
  [{ ...tron, ROLES: "web" }, { tron: { ...tronKeys, mnemonic: null } }],
  [{ TRON_MNEMONIC: "Not One", ROLES: "web" }, { tron: null }],
  [{ SMTP_URL: "smtp://user:hunter2@mail", ROLES: "web" }, { smtpUrl: null }],
  [
    { ...litecoin, LTC_ZMQ_URL: "tcp://node:28332" },
    { bitcoin: new Map([["LTC", { ...litecoinParts, zmqUrl: "tcp://node:28332" }]]) },
  ],
  [{ ...litecoin, ROLES: "worker" }, { bitcoin: new Map([["LTC", litecoinParts]]) }],
  [{ ...litecoin, ROLES: "web" }, { bitcoin: new Map([["LTC", { ...litecoinParts, mnemonic: null }]]) }],
  [{ DOGE_MNEMONIC: "Not One", ROLES: "web" }, { bitcoin: new Map() }],
  [
    { BTC_RPC_URL: "http://u:p@node:8332", DOGE_RPC_URL: "http://u:p@node:22555" },
    {
      bitcoin: new Map([
        ["BTC", { rpcUrl: "http://u:p@node:8332", otherRpcUrls: [], zmqUrl: null, xpub: null, mnemonic: null }],
        ["DOGE", { rpcUrl: "http://u:p@node:22555", otherRpcUrls: [], zmqUrl: null, xpub: null, mnemonic: null }],
      ]),
    },
  ],
  [{ ...monero, ROLES: "worker" }, { monero: moneroParts }],
  [{ ...monero, ROLES: "web" }, { monero: { ...moneroParts, walletUrl: null } }],
  [{ ...monero, SANDBOX: "off" }, { monero: { ...moneroParts, sandboxWalletUrl: null } }],
  [
    { CHANGENOW_API_KEY: "key", PARTNER_PAIRS: "eth>btc, btc>xmr" },
    {
      partners: {
        changeNow: { url: "https://api.changenow.io/v2", apiKey: "key" },
        sideShift: null,
        pairs: [
          { from: "eth", to: "btc" },
          { from: "btc", to: "xmr" },
        ],
      },
    },
  ],
  [
    {
      SIDESHIFT_SECRET: "secret",
      SIDESHIFT_AFFILIATE_ID: "us",
      SIDESHIFT_URL: "http://localhost:1",
      PARTNER_PAIRS: "eth>btc",
    },
    { partners: { changeNow: null, sideShift: { url: "http://localhost:1", secret: "secret", affiliateId: "us" } } },
  ],
  [
    { CHANGENOW_API_KEY: "key", SIDESHIFT_SECRET: "secret", SIDESHIFT_AFFILIATE_ID: "us", ROLES: "web" },
    { partners: { changeNow: null, sideShift: null } },
  ],
  [
    { MARKET_VENUES: "kraken, binance", MARKET_MIN_VENUES: "1" },
    { market: { venues: ["kraken", "binance"], minVenues: 1 } },
  ],
  [
    {
      CONNECTIVITY_URL: "https://dns.example/q",
      SEO_CHECK: "on",
      ANALYTICS: "1",
      PARTNER_CODE: "p1",
      MINI_APP_URL: "https://t.me/a_bot/app",
      SOURCE_URL: "https://code.example/wherry",
      REDIRECTS_FILE: "redirects.json",
      CONTENT_URL: "https://articles.example/",
    },
    {
      site: {
        settings: {
          connectivityUrl: "https://dns.example/q",
          isSeoChecked: true,
          isAnalyticsOn: true,
          partnerCode: "p1",
          miniAppUrl: "https://t.me/a_bot/app",
          sourceUrl: "https://code.example/wherry",
        },
        redirectsFile: resolve("redirects.json"),
        contentUrl: "https://articles.example",
      },
    },
  ],
  [{ METRICS_PORT: "9100" }, { metrics: { host: "127.0.0.1", port: 9100 } }],
  [
    { METRICS_PORT: "9100", HOST: "0.0.0.0" },
    { host: "0.0.0.0", metrics: { host: "127.0.0.1", port: 9100 } },
  ],
  [{ METRICS_PORT: "9100", METRICS_HOST: "10.0.0.7" }, { metrics: { host: "10.0.0.7", port: 9100 } }],
  [{ LOG_LEVEL: "debug" }, { logLevel: "debug" }],
  [
    { RATE_LIMIT_READS: "10", RATE_LIMIT_WRITES: "5", RATE_LIMIT_SIGN_INS: "2" },
    { rateLimits: { reads: 10, writes: 5, signIns: 2 } },
  ],
  [{ RATE_LIMIT_CARD_RATES: "7" }, { card: { questionsPerMinute: 7 } }],
  [{ FIXED_ORDERS_PER_CLIENT: "1" }, { fixedOrdersPerClient: 1 }],
  [{ SANDBOX: "off" }, { unpaidOrdersPerClient: 500, firstMails: { perRecipient: 5, perClient: 20 } }],
  [{ SMTP_URL: "smtp://localhost" }, { firstMails: { perRecipient: 5, perClient: 20 } }],
  [{ MAILS_PER_RECIPIENT: "2" }, { firstMails: { perRecipient: 2, perClient: 20 } }],
  [{ MAILS_PER_CLIENT: "9" }, { firstMails: { perRecipient: 5, perClient: 9 } }],
  [{ UNPAID_ORDERS_PER_CLIENT: "7" }, { unpaidOrdersPerClient: 7 }],
  [{ AUTO_REFUND_AFTER: "90m" }, { autoRefundSeconds: 5_400 }],
  [{ AUTO_REFUND_AFTER: "7d" }, { autoRefundSeconds: 604_800 }],
  [{ AUTO_REFUND_AFTER: "off" }, { autoRefundSeconds: null }],
  [{ UNDECIDED_AFTER: "30d" }, { undecidedSeconds: 2_592_000 }],
  [{ UNDECIDED_AFTER: "off" }, { undecidedSeconds: null }],
  [{}, { treasury: { approval: NO_APPROVAL } }],
  [
    { SANDBOX: "off" },
    {
      treasury: {
        approval: { aboveUsd: 25_000, hourlyUsd: 50_000, networkHourlyUsd: 250_000 },
        walletCapUsd: 250_000,
      },
    },
  ],
  [{ SANDBOX: "off", APPROVAL_ABOVE_USD: "off" }, { treasury: { approval: { aboveUsd: null } } }],
  [
    { APPROVAL_ABOVE_USD_PER_HOUR: "70", APPROVAL_ABOVE_USD_PER_HOUR_OF_NETWORK: "90" },
    { treasury: { approval: { aboveUsd: null, hourlyUsd: 70, networkHourlyUsd: 90 } } },
  ],
  [{ HOT_WALLET_CAP_USD: "9000" }, { treasury: { walletCapUsd: 9_000 } }],
  [{ APPROVAL_ABOVE_USD: "1000" }, { treasury: { approval: { aboveUsd: 1_000 } } }],
  [{ TRUST_PROXY: "off" }, { trustProxy: false }],
  [{ TRUST_PROXY: "2" }, { trustProxy: 2 }],
  [{ TRUST_PROXY: "loopback, 10.0.0.0/8,::1" }, { trustProxy: ["loopback", "10.0.0.0/8", "::1"] }],
])("%o is read", (env, expected) => {
  expect(readConfig(env)).toMatchObject(expected);
});

test.each([
  ["PORT", "http"],
  ["PORT", "0"],
  ["PORT", "65536"],
  ["PORT", "3000.5"],
  ["PORT", "-1"],
  ["PORT", "0x50"],
  ["HOST", "http://localhost"],
  ["PUBLIC_URL", "wherry.example"],
  ["PUBLIC_URL", "https://example.org/app"],
  ["PUBLIC_URL", "https://user@example.org"],
  ["PUBLIC_URL", "javascript:alert(1)"],
  ["DATABASE_URL", "mysql://root:hunter2@db/x"],
  ["DATABASE_URL", "localhost"],
  ["REDIS_URL", "http://cache"],
  ["SMTP_URL", "mail.example.org"],
  ["ROLES", "web,cook"],
  ["ROLES", "web worker"],
  ["SANDBOX", "maybe"],
  ["NODE_ENV", "Production"],
  ["NODE_ENV", "prod"],
  ["TELEGRAM_BOT_TOKEN", "two words"],
  ["TELEGRAM_BOT_TOKEN", "abc"],
  ["TELEGRAM_BOT_TOKEN", "7:a"],
  ["TELEGRAM_BOT_TOKEN", "wherry_bot:AAF0-J7yXb_9wWm3pQx2kLr8sTz1vNc5dEo"],
  ["TELEGRAM_BOT_ID", "@wherry"],
  ["TELEGRAM_API_URL", "telegram"],
  ["TELEGRAM_ENVIRONMENT", "staging"],
  ["TELEGRAM_WEBHOOK_SECRET", "short"],
  ["TELEGRAM_WEBHOOK_SECRET", "with a space in its words"],
  ["VAPID_PUBLIC_KEY", "hunter2"],
  ["VAPID_PRIVATE_KEY", "hunter2"],
  ["VAPID_SUBJECT", "push@wherry.test"],
  ["PUSH_SERVICES", "https://fcm.googleapis.com"],
  ["PUSH_SERVICES", "127.0.0.1"],
  ["PUSH_SERVICES", "com"],
  ["SANDBOX_PUSH_SERVICE", "http://127.0.0.1:8099/push"],
  ["DEVNET_EVM_PORT", "x"],
  ["EVM_RPC_URL", "ws://node"],
  ["EVM_RPC_URL", "http://node,"],
  ["LTC_RPC_URL", "http://u:p@node,hunter2"],
  [
    "EVM_XPUB",
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
  ],
  ["EVM_MNEMONIC", "hunter2 hunter2"],
  ["EVM_MNEMONIC", mnemonic.replace("junk", "test")],
  ["LTC_MNEMONIC", mnemonic.replace("junk", "tes")],
  ["SMTP_URL", "smtp://mail.example.org?from=hunter2"],
  ["TRON_CHAIN_ID", "4294967296"],
  ["TRON_XPUB", "xpub"],
  ["PARTNER_PAIRS", "eth-btc"],
  ["CHANGENOW_URL", "ftp://changenow"],
  ["MERCURYO_FEE_BPS", "0.5"],
  ["MERCURYO_FEE_BPS", "1001"],
  ["MERCURYO_FEE_BPS", "-1"],
  ["CONNECTIVITY_URL", "ftp://x"],
  ["CONTENT_URL", "articles.example"],
  ["SEO_CHECK", "perhaps"],
  ["SOURCE_URL", "javascript:1"],
  ["SECURITY_CONTACT", "security@wherry.test"],
  ["SECURITY_EXPIRES", "next year"],
  ["MARKET_VENUES", "kraken;binance"],
  ["METRICS_PORT", "3000"],
  ["METRICS_PORT", "8545"],
  ["METRICS_HOST", "http://10.0.0.7"],
  ["LOG_LEVEL", "loud"],
  ["RATE_LIMIT_READS", "0"],
  ["RATE_LIMIT_WRITES", "many"],
  ["FIXED_ORDERS_PER_CLIENT", "1e3"],
  ["LTC_ZMQ_URL", "http://node:28332"],
  ["XMR_ZMQ_URL", "node:18083"],
  ["TRUST_PROXY", "10.0.0.0/33"],
  ["TRUST_PROXY", "everyone"],
  ["TRUST_PROXY", "on"],
  ["TRUST_PROXY", "true"],
  ["TRUST_PROXY", "0.0.0.0/1,128.0.0.0/1"],
  ["TRUST_PROXY", "10.0.0.0/8,::/0"],
])("%s=%s is refused by name and not repeated", (name, value) => {
  const read = (): unknown => readConfig({ [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new RegExp(`\\b${name} must `));
  if (value.length > 5) expect(read).not.toThrow(value);
});

test("a commission out of range is refused with the range and its unit", () => {
  const bounds = "MERCURYO_FEE_BPS must be a whole number from 0 to 1000, in hundredths of a percent";
  for (const MERCURYO_FEE_BPS of ["1001", "0.5"]) expect(() => readConfig({ MERCURYO_FEE_BPS })).toThrow(bounds);
});

describe("the public address", () => {
  const required = (env: Parameters<typeof readConfig>[0]) => () => requirePublicUrl(readConfig(env));

  test.each([{}, { PUBLIC_URL: "http://wherry.test" }, { NODE_ENV: "production", SANDBOX: "on" }])(
    "of a sandbox may be any: %o",
    (env) => expect(required(env)).not.toThrow(),
  );

  test.each([{ SANDBOX: "off" }, { NODE_ENV: "production" }])("is needed outside the sandbox: %o", (env) =>
    expect(required(env)).toThrow("PUBLIC_URL is needed outside the sandbox"),
  );

  test.each([
    ["https://wherry.test", true],
    ["http://localhost:3000", true],
    ["http://127.0.0.1", true],
    ["http://[::1]:3000", true],
    ["http://wherryexchange.onion", true],
    ["http://wherry.test", false],
    ["http://10.0.0.7", false],
    ["http://127.0.0.1.wherry.test", false],
  ])("%s outside the sandbox: %s", (PUBLIC_URL, isTaken) => {
    const start = required({ NODE_ENV: "production", PUBLIC_URL });
    if (isTaken) expect(start).not.toThrow();
    else expect(start).toThrow("PUBLIC_URL must begin with https://");
  });
});

describe("the sandbox beside a live chain", () => {
  const evm = { EVM_RPC_URL: "http://user:hunter2@node:8545", EVM_MNEMONIC: mnemonic };
  const nile = { ...tron, SANDBOX: "" };

  test.each([
    ["Ethereum, which nobody named", evm, "EVM_CHAIN_ID 1 "],
    ["Polygon", { ...evm, EVM_CHAIN_ID: "137" }, "EVM_CHAIN_ID 137 "],
    ["TRON, which nobody named", { TRON_RPC_URL: "http://node", TRON_XPUB: xpub }, "TRON_CHAIN_ID 728126428 "],
    ["TRON's test network", nile, "TRON_CHAIN_ID 3448148188 "],
  ])("is refused: %s", (_name, env, named) => {
    for (const sandbox of ["", "on"]) {
      const read = () => readConfig({ ...env, SANDBOX: sandbox });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(`${named}beside the sandbox: set SANDBOX=off`);
      expect(read).not.toThrow("hunter2");
    }
    expect(readConfig({ ...env, SANDBOX: "off" }).sandbox).toBe(false);
    expect(readConfig({ ...env, NODE_ENV: "production" }).sandbox).toBe(false);
  });

  test("is no matter for a local chain, and a bot's token or a mail server changes nothing", () => {
    expect(readConfig({ ...evm, EVM_CHAIN_ID: "31337" }).sandbox).toBe(true);
    expect(readConfig({ TRON_RPC_URL: "http://node", TRON_CHAIN_ID: "7", TRON_XPUB: xpub }).sandbox).toBe(true);
    expect(readConfig({ TELEGRAM_BOT_TOKEN: BOT_TOKEN, SMTP_URL: "smtp://localhost:25" }).sandbox).toBe(true);
  });
});

test("every node of TRON has its own place for solidified blocks, or none has", () => {
  const two = { ...tron, TRON_RPC_URL: "http://a,http://b" };
  expect(readConfig(two).tron?.others).toEqual([{ rpcUrl: "http://b", solidityUrl: "http://b" }]);
  expect(() => readConfig({ ...two, TRON_SOLIDITY_URL: "http://a" })).toThrow(
    "TRON_SOLIDITY_URL needs one URL for each",
  );
});

test.each([
  [{ CHANGENOW_API_KEY: "hunter2" }, /PARTNER_PAIRS must/],
  [{ SIDESHIFT_SECRET: "hunter2", PARTNER_PAIRS: "eth>btc" }, /SIDESHIFT_SECRET needs SIDESHIFT_AFFILIATE_ID/],
])("a partner that could do nothing is refused", (env, message) => {
  expect(() => readConfig(env)).toThrow(message);
  expect(() => readConfig(env)).not.toThrow("hunter2");
});

describe("the message", () => {
  test("names every wrong variable, one a line", () => {
    expect(() => readConfig({ PORT: "x", LOG_LEVEL: "y" })).toThrow(/^PORT must .*\nLOG_LEVEL must .*$/);
  });
});

test("nobody can change it later", () => {
  const config = readConfig({});
  expect([config, config.roles, config.rateLimits].every((part) => Object.isFrozen(part))).toBe(true);
});

test("pages name the whole minutes of the catalogue's rate lock", () => {
  expect(siteSettings(readConfig({}).site, { rateLockSeconds: 959 }, true)).toEqual({
    ...readConfig({}).site.settings,
    isCardTaken: true,
    rateLockMinutes: 15,
  });
});

describe("the Telegram bot", () => {
  test.each([
    [
      { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_BOT_ID: "7" },
      { launch: { token: BOT_TOKEN }, botToken: BOT_TOKEN },
    ],
    [{ TELEGRAM_BOT_ID: "7" }, { launch: { id: "7", publicKey: TELEGRAM_KEY }, botToken: null }],
    [
      { TELEGRAM_BOT_ID: "7", TELEGRAM_ENVIRONMENT: "test" },
      { launch: { id: "7", publicKey: TELEGRAM_TEST_KEY }, botToken: null },
    ],
    [{ SANDBOX: "off" }, { launch: null, botToken: null }],
    [{ TELEGRAM_WEBHOOK_SECRET: "secret-of-the-tests" }, { webhook: null }],
    [
      { TELEGRAM_BOT_ID: "7", TELEGRAM_WEBHOOK_SECRET: "secret-of-the-tests", PUBLIC_URL: "https://wherry.test" },
      { webhook: { url: "https://wherry.test/api/v1/telegram/webhook", secret: "secret-of-the-tests" } },
    ],
  ])("of %o", (env, telegram) => {
    expect(readConfig(env).telegram).toMatchObject(telegram);
  });

  test("is one of Telegram's test environment only in the sandbox", () => {
    expect(() => readConfig({ TELEGRAM_ENVIRONMENT: "test", SANDBOX: "off" })).toThrow(
      "TELEGRAM_ENVIRONMENT=test is for the sandbox",
    );
  });

  test("has a webhook without https only in the sandbox", () => {
    const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_WEBHOOK_SECRET: "secret-of-the-tests" };

    expect(() => readConfig({ ...env, SANDBOX: "off" })).toThrow("needs a PUBLIC_URL with https");
    expect(readConfig(env).telegram.webhook?.url).toBe("http://localhost:3000/api/v1/telegram/webhook");
  });
});

describe("the contact for weaknesses", () => {
  test("is nobody's unless the operator names one, with an end", () => {
    expect(readConfig({}).securityContact).toBeNull();
    for (const env of [{ SECURITY_CONTACT: "mailto:a@wherry.test" }, { SECURITY_EXPIRES: "2027-06-30T00:00:00Z" }])
      expect(() => readConfig(env)).toThrow("SECURITY_CONTACT and SECURITY_EXPIRES belong together");
    const contacts = ["mailto:a@wherry.test", "https://wherry.test/report"];
    expect(
      readConfig({ SECURITY_CONTACT: contacts.join(", "), SECURITY_EXPIRES: "2027-06-30T00:00:00Z" }).securityContact,
    ).toEqual({ contacts, expires: new Date("2027-06-30T00:00:00Z") });
  });
});

describe("web push", () => {
  const PUBLIC_KEY = "BN9-Rw1cN8Vvxh92mhivVLNr7Zc0XTQOHStlVAMhMWcpyc6gdg5ZvNzwSHbrSLELzjD70H-9tvvl88-7B3Gdz9Y";
  const PRIVATE_KEY = "xvn6BV0Zs1z6JAZc5a1GilpPKSgHiz10bFQQmIYiaT0";
  const live = { SANDBOX: "off", VAPID_PUBLIC_KEY: PUBLIC_KEY };
  const whole = { ...live, VAPID_PRIVATE_KEY: PRIVATE_KEY, VAPID_SUBJECT: "mailto:push@wherry.test" };

  test("is off without keys, except in the sandbox, which creates its own", () => {
    expect(readConfig({ SANDBOX: "off" }).push).toBeNull();
    expect(readConfig({}).push).toMatchObject({ keys: null });
  });

  test("uses the configured keys, also in the sandbox", () => {
    const expected = {
      keys: { publicKey: PUBLIC_KEY, privateKey: PRIVATE_KEY },
      subject: "mailto:push@wherry.test",
    };
    expect(readConfig(whole).push).toMatchObject(expected);
    expect(readConfig({ ...whole, SANDBOX: "on" }).push).toMatchObject(expected);
  });

  test("needs only the public key in a web process, which never reads the private one", () => {
    expect(readConfig({ ...whole, ROLES: "web" }).push).toMatchObject({
      keys: { publicKey: PUBLIC_KEY, privateKey: null },
    });
    expect(readConfig({ ...live, ROLES: "web" }).push).toMatchObject({ keys: { publicKey: PUBLIC_KEY } });
  });

  test("allows an own service only in the sandbox", () => {
    const own = { SANDBOX_PUSH_SERVICE: "http://127.0.0.1:8099" };
    expect(readConfig(own).push?.sandboxService).toBe("http://127.0.0.1:8099");
    expect(readConfig({ ...whole, ...own }).push?.sandboxService).toBeNull();
    expect(readConfig({ PUSH_SERVICES: "push.example.org, other.example.org" }).push?.services).toEqual([
      "push.example.org",
      "other.example.org",
    ]);
  });

  test.each([
    [{ VAPID_PRIVATE_KEY: PRIVATE_KEY }, "need VAPID_PUBLIC_KEY"],
    [live, "needs VAPID_PRIVATE_KEY"],
    [{ ...live, VAPID_PRIVATE_KEY: PRIVATE_KEY }, "needs VAPID_SUBJECT"],
    [
      {
        ...whole,
        VAPID_PUBLIC_KEY: "BI159rcUXwkseQZfx4eqq8PfmvZP_4GhlEZItG0oIM7S5gPWYCqKk4Z2lwdbBYMYQ2s8jD2tg5PihHAIu366Txg",
      },
      "must belong together",
    ],
    [{ ...whole, VAPID_PRIVATE_KEY: "A".repeat(43) }, "must belong together"],
  ])("that could not be sent is refused: %#", (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
    expect(() => readConfig(env)).not.toThrow(PRIVATE_KEY);
  });
});

describe("the card provider", () => {
  const keys = { MERCURYO_WIDGET_ID: "w", MERCURYO_SECRET: "s", MERCURYO_PARTNER_TOKEN: "t" };

  test("is none outside the sandbox without its keys", () => {
    expect(readConfig({ SANDBOX: "off" }).card.mercuryo).toBeNull();
  });

  test("is Mercuryo with all of them", () => {
    expect(readConfig({ ...keys, MERCURYO_FEE_BPS: "100" }).card.mercuryo).toEqual({
      url: "https://api.mercuryo.io/v1.6",
      pagesUrl: "https://payments.mercuryo.io",
      widgetId: "w",
      feeBps: 100n,
      keys: { secret: "s", partnerToken: "t" },
    });
  });

  test.each(Object.keys(keys))("needs %s beside the others", (name) => {
    expect(() => readConfig({ ...keys, [name]: "" })).toThrow("need each other");
  });
});
