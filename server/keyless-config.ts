import { chainOf } from "./chains/bitcoin/chain-params.ts";
import { depositXpub } from "./chains/bitcoin/keys.ts";
import { tronDepositXpub } from "./chains/tron/keys.ts";
import type { Config } from "./config/config.ts";
import { evmKeysOf } from "./devnet/evm/keys.ts";

/**
 * The configuration of a web process that has a worker of its own: without keys, and with what the web needs of them, the extended
 * public keys (engine law 14).
 */
export function withoutKeys(config: Config): Config {
  const { evm, bitcoin, tron, monero, push, partners } = config;
  const kind = config.sandbox ? "regtest" : "main";
  const publicOf = (keys: { xpub: string | null; mnemonic: string | null }, xpubOf: (mnemonic: string) => string) => ({
    xpub: keys.mnemonic === null ? keys.xpub : xpubOf(keys.mnemonic),
    mnemonic: null,
  });
  return {
    ...config,
    roles: { web: true, worker: false },
    evm: { ...evm, ...publicOf(evm, (mnemonic) => evmKeysOf(mnemonic).xpub) },
    bitcoin: new Map(
      [...bitcoin].map(([title, node]) => [
        title,
        { ...node, ...publicOf(node, (mnemonic) => depositXpub(chainOf(title, kind), mnemonic)) },
      ]),
    ),
    tron: tron && { ...tron, ...publicOf(tron, tronDepositXpub) },
    monero: monero && { ...monero, walletUrl: null },
    push: push && { ...push, keys: push.keys && { ...push.keys, privateKey: null } },
    partners: { ...partners, changeNow: null, sideShift: null },
  };
}
