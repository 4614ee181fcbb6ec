import { NETWORK_TITLES, type NetworkTitle } from "#contract/network-titles.ts";

/** What commands must know of a network without asking its node. */
type NetworkTraits = {
  /** Networks of unspent outputs: the wallet pays with deposits where they lie, and sweeps nothing. */
  readonly spendsDeposits: boolean;
  /** A contract can send coins that no block lists, so the follower compares balances. */
  readonly hasUnlistedDeposits: boolean;
};

const UTXO: NetworkTraits = { spendsDeposits: true, hasUnlistedDeposits: false };
const EVM: NetworkTraits = { spendsDeposits: false, hasUnlistedDeposits: true };
const ACCOUNTS: NetworkTraits = { spendsDeposits: false, hasUnlistedDeposits: false };

const TRAITS: Readonly<Record<NetworkTitle, NetworkTraits>> = {
  ETH: EVM,
  BTC: UTXO,
  LTC: UTXO,
  DOGE: UTXO,
  BCH: UTXO,
  XRP: ACCOUNTS,
  XLM: ACCOUNTS,
  TON: ACCOUNTS,
  SOL: ACCOUNTS,
  ADA: ACCOUNTS,
  TRX: ACCOUNTS,
  XMR: UTXO,
  // Has no driver, so that nothing compares its balances.
  IOTX: ACCOUNTS,
};

/** The networks with a trait. */
export const networksWith = (trait: keyof NetworkTraits): readonly NetworkTitle[] =>
  NETWORK_TITLES.filter((title) => TRAITS[title][trait]);
