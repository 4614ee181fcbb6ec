import {
  NotEnoughFundsError,
  PaymentRefusedError,
  type DepositSource,
  type Handle,
  type Payment,
  type SweepingWallet,
} from "../port.ts";
import { checkChainOnce, readHead, readSolidHead } from "./blocks.ts";
import { broadcastSigned } from "./broadcast.ts";
import { CallRefusedError, safeBalance, transferEnergy } from "./contract-calls.ts";
import { bandwidthCost, energyCap, nativeCost, readPrices } from "./fees.ts";
import type { TronInstruments } from "./instruments.ts";
import type { TronAccount } from "./keys.ts";
import { deadAt, lookUp } from "./lookup.ts";
import { createRecentPayments } from "./recent-payments.ts";
import type { TronRpc } from "./rpc.ts";
import { handleSchema, signPayment, type TronHandle } from "./transaction.ts";

type TronWalletOptions = {
  networkTitle: string;
  chainId: number;
  instruments: TronInstruments;
  account: TronAccount;
  /** What a call may burn for its energy at most, in sun. */
  feeLimit: bigint;
  depositAccountAt(index: bigint): TronAccount;
};

/**
 * How long after the newest block others may take a payment: as long as nodes give one by default. What was signed before a restore must run out
 * before anything else is signed, and one that never arrived before it is signed anew.
 */
const LIFETIME_MS = 60_000;
/** By how much the clocks of the chain and of the database may differ. */
const CLOCKS_APART_MS = 60_000;

/** The paying side of TRON (`port.ts`): accounts that sign here, payments that run out. */
export function createTronWalletFrom(http: TronRpc, options: TronWalletOptions): SweepingWallet {
  const { networkTitle, chainId, instruments, account } = options;
  const checkChain = checkChainOnce(http, chainId);
  const lifeMs = LIFETIME_MS + CLOCKS_APART_MS;
  const readRecentPayments = createRecentPayments(http, { instruments, from: account.address, lifeMs });

  const balanceOf = async (owner: string, slug: string): Promise<bigint> => {
    await checkChain();
    return safeBalance(http, owner, instruments.contractOf(slug));
  };

  /** What a payment may burn, and the part of that which is its call's cap. Throws when the call would fail. */
  const costOf = async (from: string, { slug, toAddress: to, amount }: Payment) => {
    const prices = await readPrices(http);
    const contract = instruments.contractOf(slug);
    if (contract === null) return { cost: nativeCost(prices), feeLimit: null };
    const feeLimit = energyCap(await transferEnergy(http, { from, to, contract, amount }).catch(refuseRevert), prices);
    if (feeLimit > options.feeLimit)
      throw new PaymentRefusedError("fee_over_cap", `the call may burn ${feeLimit} sun, more than ${options.feeLimit}`);
    return { cost: feeLimit + bandwidthCost(prices), feeLimit };
  };

  const handleFor = async (from: string, cost: Awaited<ReturnType<typeof costOf>>, reserved: readonly Handle[]) => {
    const [solid, head] = await Promise.all([readSolidHead(http), readHead(http)]);
    const taken = new Set(reserved.flatMap(({ keys }) => keys));
    let expiration = head.timestamp + LIFETIME_MS;
    // Two payments at the same time, of the same amount, to the same receiver would be the same bytes, and so one payment.
    while (taken.has(keyOf(from, expiration))) expiration += 1;
    const data = {
      from,
      refBlockBytes: solid.hash.slice(12, 16),
      refBlockHash: solid.hash.slice(16, 32),
      expiration,
      timestamp: solid.timestamp,
      cost: `${cost.cost}`,
      feeLimit: cost.feeLimit === null ? null : `${cost.feeLimit}`,
    };
    return { handle: { keys: [keyOf(from, expiration)], data }, now: solid.timestamp };
  };

  const prepareFrom = (payer: TronAccount, payment: Payment, handle: Handle) => {
    const read = handleSchema.parse(handle.data);
    if (read.feeLimit !== null && read.feeLimit > options.feeLimit)
      throw new PaymentRefusedError(
        "fee_over_cap",
        `the call may burn ${read.feeLimit} sun, more than ${options.feeLimit}`,
      );
    if (read.from !== payer.address) throw new Error(`the handle ${handle.keys.join()} belongs to another wallet`);
    return signPayment(payer, instruments.contractOf(payment.slug), payment, read);
  };

  const depositAccount = ({ address, index }: DepositSource): TronAccount => {
    const found = options.depositAccountAt(index);
    if (found.address !== address) throw new Error(`the deposit address ${index} is not ${address}`);
    return found;
  };

  return {
    networkTitle,
    showsMinedOnly: true,
    longestLifeMs: lifeMs,
    hotAddress: () => account.address,
    hotBalance: (slug) => balanceOf(account.address, slug),
    chooseHandle: async (payment, reserved) => {
      await checkChain();
      const cost = await costOf(account.address, payment);
      const { handle, now } = await handleFor(account.address, cost, reserved);
      // A call that can't burn what it needs fails on the chain and still costs: it waits here instead.
      const spent = instruments.contractOf(payment.slug) === null ? payment.amount : 0n;
      const needed = spent + cost.cost + pendingCost(account.address, reserved, now);
      const held = await balanceOf(account.address, instruments.native);
      if (held < needed)
        throw new NotEnoughFundsError(`the hot wallet holds ${held} sun and needs ${needed} to pay the network`);
      return handle;
    },
    maxCost: ({ data }) => handleSchema.parse(data).cost,
    prepare: (payment, handle) => prepareFrom(account, payment, handle),
    broadcast: (prepared) => broadcastSigned(http, prepared, checkChain),
    lookup: async (txId) => {
      await checkChain();
      return lookUp(http, txId);
    },
    deadAt: async (prepared, height) => {
      await checkChain();
      return deadAt(http, prepared, height);
    },
    recentPayments: async () => {
      await checkChain();
      return readRecentPayments();
    },
    depositBalance: ({ address }, slug) => balanceOf(address, slug),
    sweepCost: async ({ address }, payment) => {
      await checkChain();
      return (await costOf(address, payment)).cost;
    },
    chooseSweepHandle: async ({ address }, payment, reserved) => {
      await checkChain();
      const cost = await costOf(address, payment);
      const held = await balanceOf(address, instruments.native);
      return held < cost.cost ? null : (await handleFor(address, cost, reserved)).handle;
    },
    prepareSweep: async (from, payment, handle) => prepareFrom(depositAccount(from), payment, handle),
  };
}

/** A transfer that the token itself refuses, to an address on its black list for example, is refused for good. */
function refuseRevert(error: unknown): never {
  if (error instanceof CallRefusedError && error.byContract)
    throw new PaymentRefusedError("destination_reverts", error.message);
  throw error;
}

const keyOf = (from: string, expiration: number): string => `${from}:${expiration}`;

/** The maximum cost of payments that a block may still include. */
function pendingCost(from: string, reserved: readonly Handle[], now: number): bigint {
  const open = reserved
    .map(({ data }): TronHandle => handleSchema.parse(data))
    .filter((handle) => handle.from === from && handle.expiration > now);
  return open.reduce((sum, { cost }) => sum + cost, 0n);
}
