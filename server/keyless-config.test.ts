import { createECDH } from "node:crypto";
import { expect, it } from "vitest";
import { readConfig } from "./config/config.ts";
import { withoutKeys } from "./keyless-config.ts";

const mnemonic = "test test test test test test test test test test test junk";
const pair = createECDH("prime256v1");
pair.generateKeys();

const secrets = {
  EVM_MNEMONIC: mnemonic,
  BTC_MNEMONIC: mnemonic,
  LTC_MNEMONIC: mnemonic,
  DOGE_MNEMONIC: mnemonic,
  TRON_MNEMONIC: mnemonic,
  XMR_WALLET_URL: "http://spending-wallet:18083",
  VAPID_PRIVATE_KEY: pair.getPrivateKey("base64url").padStart(43, "A"),
  CHANGENOW_API_KEY: "change-now-key",
  SIDESHIFT_SECRET: "side-shift-secret",
};
const env = {
  ...secrets,
  SANDBOX: "off",
  DATABASE_URL: "postgres://localhost/wherry",
  EVM_RPC_URL: "http://node:8545",
  BTC_RPC_URL: "http://user:word@node:8332",
  LTC_RPC_URL: "http://user:word@node:9332",
  DOGE_RPC_URL: "http://user:word@node:22555",
  TRON_RPC_URL: "http://node:8090",
  XMR_DAEMON_URL: "http://node:18081",
  XMR_VIEW_WALLET_URL: "http://view:18083",
  VAPID_PUBLIC_KEY: pair.getPublicKey("base64url"),
  VAPID_SUBJECT: "mailto:push@example.com",
  SIDESHIFT_AFFILIATE_ID: "affiliate",
  PARTNER_PAIRS: "eth>btc",
};

it("the web's part of a configuration has no secret of the worker, and the public keys that follow from them", () => {
  const config = withoutKeys(readConfig(env));
  const text = JSON.stringify({ ...config, bitcoin: [...config.bitcoin] });
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  const xpubs = [config.evm.xpub, config.tron?.xpub, ...[...config.bitcoin.values()].map(({ xpub }) => xpub)];
  expect(new Set(xpubs).size).toBe(5);
  for (const xpub of xpubs) expect(xpub).toMatch(/^xpub/);
});

it("it is what ROLES=web reads beside the same public keys", () => {
  const config = withoutKeys(readConfig(env));
  const xpubOf = (title: string) => config.bitcoin.get(title)?.xpub ?? "";
  const given = {
    EVM_XPUB: config.evm.xpub ?? "",
    TRON_XPUB: config.tron?.xpub ?? "",
    BTC_XPUB: xpubOf("BTC"),
    LTC_XPUB: xpubOf("LTC"),
    DOGE_XPUB: xpubOf("DOGE"),
  };
  expect(config).toEqual(readConfig({ ...env, ...given, ROLES: "web" }));
});

it("a public key that is configured without its mnemonic stays", () => {
  const { EVM_MNEMONIC: _, ...rest } = env;
  const { xpub } = withoutKeys(readConfig(env)).evm;
  expect(withoutKeys(readConfig({ ...rest, EVM_XPUB: xpub ?? "" })).evm).toMatchObject({ xpub, mnemonic: null });
});
