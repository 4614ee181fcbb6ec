/** What the network charges, in sun, by the names of its parameters. */
export const PARAMETERS = {
  getTransactionFee: 1_000,
  getEnergyFee: 100,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getCreateAccountFee: 100_000,
  getFreeNetLimit: 600,
} as const;

/** What a transfer of tokens takes: to somebody who holds some, and to somebody who holds none. */
export const ENERGY = { known: 64_285, first: 130_285 } as const;

const TRANSFER_TOPIC = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TRANSFER_SELECTOR = "a9059cbb";
const BALANCE_SELECTOR = "70a08231";

/** Addresses are their 20 bytes in lower-case hex. */
export type State = {
  coins: Map<string, bigint>;
  bandwidthUsed: Map<string, number>;
  tokens: Map<string, Map<string, bigint>>;
  /** What a token's issuer has frozen: transfers to it revert. */
  frozen: Set<string>;
};

export type Log = { address: string; topics: string[]; data: string };
export type CallResult = { ok: true; energy: number; returned: string; logs: Log[] } | { ok: false; energy: number };

export const copyOf = (state: State): State => ({
  coins: new Map(state.coins),
  bandwidthUsed: new Map(state.bandwidthUsed),
  tokens: new Map([...state.tokens].map(([contract, balances]) => [contract, new Map(balances)])),
  frozen: new Set(state.frozen),
});

const word = (hex: string): string => hex.padStart(64, "0");

/** Runs `transfer` or `balanceOf` of a token on the state that it is given; null where there is no contract. */
export function callToken(state: State, from: string, contract: string, data: string): CallResult | null {
  const balances = state.tokens.get(contract);
  if (balances === undefined) return null;
  const selector = data.slice(0, 8);
  const subject = data.slice(8 + 24, 8 + 64);
  if (selector === BALANCE_SELECTOR && data.length === 8 + 64)
    return { ok: true, energy: 935, returned: word((balances.get(subject) ?? 0n).toString(16)), logs: [] };
  if (selector !== TRANSFER_SELECTOR || data.length !== 8 + 128) return { ok: false, energy: 200 };
  const amount = BigInt(`0x${data.slice(8 + 64)}`);
  const held = balances.get(from) ?? 0n;
  if (held < amount || state.frozen.has(subject)) return { ok: false, energy: 3_000 };
  const energy = (balances.get(subject) ?? 0n) > 0n ? ENERGY.known : ENERGY.first;
  balances.set(from, held - amount);
  balances.set(subject, (balances.get(subject) ?? 0n) + amount);
  const log = {
    address: contract,
    topics: [TRANSFER_TOPIC, word(from), word(subject)],
    data: word(amount.toString(16)),
  };
  return { ok: true, energy, returned: word("1"), logs: [log] };
}

/** Takes bandwidth: the free one of the day, else coins by the byte. Gives what was burnt, null where neither is enough. */
export function takeBandwidth(state: State, owner: string, size: number): number | null {
  const used = state.bandwidthUsed.get(owner) ?? 0;
  if (used + size <= PARAMETERS.getFreeNetLimit) {
    state.bandwidthUsed.set(owner, used + size);
    return 0;
  }
  const burnt = size * PARAMETERS.getTransactionFee;
  return takeCoins(state, owner, burnt) ? burnt : null;
}

export function takeCoins(state: State, owner: string, amount: bigint | number): boolean {
  const held = state.coins.get(owner) ?? 0n;
  if (held < BigInt(amount)) return false;
  state.coins.set(owner, held - BigInt(amount));
  return true;
}
