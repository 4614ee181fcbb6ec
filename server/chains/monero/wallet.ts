import * as z from "zod";
import { minOf } from "#contract/money.ts";
import {
  FeesOverCapError,
  NotEnoughFundsError,
  PaymentRefusedError,
  type BroadcastResult,
  type Handle,
  type NetworkWallet,
  type Payment,
  type PreparedPayment,
} from "../port.ts";
import type { Daemon } from "./daemon.ts";
import { feeCapOf, maxFeeWithin } from "./fees.ts";
import type { HotWallet } from "./hot-wallet.ts";
import { signAnew } from "./replacement.ts";
import { deadAt, usesHandle } from "./spent-outputs.ts";
import { createQueue } from "../../base/concurrency/queue.ts";
import { bytesSchema, hashSchema, type HotOutput, type SignedPayment } from "./schemas.ts";

const amountSchema = z
  .string()
  .regex(/^\d+$/)
  .transform((text) => BigInt(text));

/** A handle fixes the outputs, by their key images: the chain takes each once, so two payments that share one can't both arrive. */
const handleSchema = z.object({ keyImages: z.array(hashSchema).min(1), maxFee: amountSchema });

/** What is stored: the bytes, and the key without which nobody could prove to whom they pay. */
const rawSchema = z.object({ bytes: bytesSchema, txKey: bytesSchema });

export type MoneroWalletOptions = {
  networkTitle: string;
  slug: string;
  /** What a byte may cost at most, in minor units; null: far more than the network has ever asked for. */
  feePerByte: bigint | null;
};

const MAX_FEE_PER_BYTE = 10_000_000n;

/**
 * The paying side of Monero (`port.ts`). The wallet signs; the node is given the bytes, not the wallet's `relay_tx`: the wallet takes
 * a payment that it relays again after it was mined for a failed one, and its outputs for unspent.
 */
export function createMoneroWalletFrom(daemon: Daemon, hot: HotWallet, options: MoneroWalletOptions): NetworkWallet {
  const { networkTitle, slug } = options;
  const maxFeePerByte = options.feePerByte ?? MAX_FEE_PER_BYTE;
  let address: string | null = null;
  const oneAtATime = createQueue();
  const requireCoin = (asked: string): void => {
    if (asked !== slug) throw new Error(`${asked} is not an instrument of ${networkTitle}`);
  };
  const outputs = async () => hot.outputs((await daemon.head()).height);

  const chooseHandle = async (payment: Payment, reserved: readonly Handle[]): Promise<Handle> => {
    requireCoin(payment.slug);
    const taken = new Set(reserved.flatMap(({ keys }) => keys));
    const [free, maxFeeFor] = [await freeOutputs(taken), await readMaxFees()];
    const chosen = chooseOutputs(free, (inputs) => payment.amount + maxFeeFor(inputs));
    if (chosen === null)
      throw new NotEnoughFundsError(
        `${networkTitle} has no free outputs for ${payment.amount}: ${free.length} of ${sumOf(free)} in all`,
      );
    return handleOf(chosen, maxFeeFor(chosen.length));
  };

  const freeOutputs = async (taken: ReadonlySet<string>): Promise<HotOutput[]> => {
    const unlocked = (await outputs()).filter(({ unlocked, key_image }) => unlocked && !taken.has(key_image));
    const unspent = await daemon.unspent(unlocked.map(({ key_image }) => key_image));
    return unlocked.filter(({ key_image }) => unspent.has(key_image));
  };

  const readMaxFees = async (): Promise<(inputs: number) => bigint> => {
    const rate = await daemon.feeRate();
    return (inputs) => {
      const maxFee = maxFeeWithin(maxFeePerByte, rate, inputs);
      if (maxFee === null)
        throw new FeesOverCapError(
          `a byte costs ${rate.perByte} now, rounded up to ${rate.mask}: more than the cap of ${maxFeePerByte}`,
        );
      return maxFee;
    };
  };

  const handleOf = (chosen: readonly HotOutput[], maxFee: bigint): Handle => {
    const keyImages = chosen.map(({ key_image }) => key_image);
    return { keys: keyImages, data: { keyImages, maxFee: `${maxFee}` } };
  };

  const chooseConsolidation = async (reserved: readonly Handle[], before: number | null) => {
    const taken = new Set(reserved.flatMap(({ keys }) => keys));
    // One that is locked could never be spent yet.
    const old = (await freeOutputs(taken)).filter(
      ({ block_height }) => before === null || block_height === undefined || block_height < before,
    );
    if (old.length === 0) return null;
    const maxFeeFor = await readMaxFees();
    const maxCostOfInput = maxFeeFor(2) - maxFeeFor(1);
    const chosen = largest(old.filter(({ amount }) => amount > maxCostOfInput));
    if (chosen.length === 0) return null;
    const maxFee = maxFeeFor(chosen.length);
    // The wallet leaves out what the payment doesn't need, so that several may be needed. No payment could be made of so little.
    const amount = sumOf(chosen) - maxFee;
    return amount > 0n ? { handle: handleOf(chosen, maxFee), amount } : null;
  };

  const prepare = async (payment: Payment, handle: Handle) => {
    requireCoin(payment.slug);
    const { keyImages, maxFee } = handleSchema.parse(handle.data);
    return preparedOf(await sign(payment, new Set(keyImages), maxFee));
  };

  const sign = async (payment: Payment, ours: ReadonlySet<string>, maxFee: bigint) => {
    await hot.spendOnly(ours);
    const signed = await hot.sign(payment.toAddress, payment.amount);
    // Another worker may have thawed its own outputs meanwhile. Nothing was broadcast: what doesn't fit is discarded.
    const foreign = signed.spent_key_images.key_images.find((keyImage) => !ours.has(keyImage));
    if (foreign !== undefined)
      throw new Error(`the wallet would spend ${foreign}, which this payment has not reserved`);
    if (signed.amount !== payment.amount)
      throw new Error(`the wallet would pay ${signed.amount}, not ${payment.amount}`);
    // Bounded whatever the wallet, its node and the row of the handle make of it.
    const cap = feeCapOf(maxFeePerByte, signed.spent_key_images.key_images.length);
    const bound = minOf(maxFee, cap);
    if (signed.fee > bound)
      throw new PaymentRefusedError("fee_over_cap", `the wallet would pay a fee of ${signed.fee}, over ${bound}`);
    return signed;
  };

  const prepareReplacement = async (payment: Payment, handle: Handle, stuck: readonly PreparedPayment[]) => {
    requireCoin(payment.slug);
    const { keyImages } = handleSchema.parse(handle.data);
    const parts = { daemon, outputs, maxFeePerByte, sign: sign.bind(null, payment) };
    const attempts = stuck.map(({ raw, txId }) => ({ bytes: bytesOf(raw), txId }));
    const signed = await signAnew(parts, keyImages, attempts);
    return signed === null ? null : { ...preparedOf(signed), maxCost: signed.fee };
  };

  const broadcast = async (raw: string, txId: string): Promise<BroadcastResult> => {
    try {
      const answer = await daemon.submit(bytesOf(raw));
      if (answer.isAccepted || (await daemon.lookUp(txId)).kind !== "absent") return { kind: "accepted" };
      return { kind: "unknown", reason: answer.reason };
    } catch (error) {
      return { kind: "unknown", reason: error instanceof Error ? error.message : String(error) };
    }
  };

  return {
    networkTitle,
    seesOwnOnly: true,
    hotAddress: () => {
      if (address === null) throw new Error(`the wallet of ${networkTitle} has not reported its address yet`);
      return address;
    },
    hotBalance: async (asked) => {
      requireCoin(asked);
      address ??= await hot.address();
      return sumOf(await outputs());
    },
    chooseHandle,
    chooseConsolidation,
    maxCost: ({ data }) => handleSchema.parse(data).maxFee,
    prepare: (payment, handle) => oneAtATime(() => prepare(payment, handle)),
    prepareReplacement: (payment, handle, stuck) => oneAtATime(() => prepareReplacement(payment, handle, stuck)),
    broadcast: ({ raw, txId }) => broadcast(raw, txId),
    lookup: (txId) => daemon.lookUp(txId),
    deadAt: async ({ raw, txId }, height) =>
      raw === "" ? null : deadAt({ daemon, hot }, { bytes: bytesOf(raw), txId }, height),
    usesHandle: (txId, handle) => usesHandle(daemon, txId, handle),
    recentPayments: async (height) => {
      // The wallet doesn't know what it has signed as sent: its outputs are unspent to it until a block has them.
      const spenders = await daemon.poolSpenders((await outputs()).map(({ key_image }) => key_image));
      const known = await hot.payments(height);
      const sent = known.map(({ amount, ...one }) => ({
        ...one,
        ...(amount !== undefined && { sent: { slug, amount } }),
      }));
      return [...sent, ...spenders.map((txId) => ({ txId, height: null }))];
    },
  };
}

const bytesOf = (raw: string): string => rawSchema.parse(JSON.parse(raw)).bytes;

const preparedOf = ({ tx_blob: bytes, tx_key: txKey, tx_hash: txId }: SignedPayment): PreparedPayment => ({
  raw: JSON.stringify({ bytes, txKey }),
  txId,
});

/** With more, miners rarely include the transaction. */
const MAX_INPUTS = 16;

/**
 * The outputs that a payment should spend: the smallest one that is enough by itself, else the largest ones together, else null.
 * `wanted` says what is needed, fee included, with so many inputs.
 */
function chooseOutputs(free: readonly HotOutput[], wanted: (inputs: number) => bigint): HotOutput[] | null {
  const single = free.toSorted(bySize).find((output) => output.amount >= wanted(1));
  if (single !== undefined) return [single];
  const chosen: HotOutput[] = [];
  for (const output of largest(free)) {
    chosen.push(output);
    if (sumOf(chosen) >= wanted(chosen.length)) return chosen;
  }
  return null;
}

const bySize = (one: HotOutput, other: HotOutput): number =>
  one.amount < other.amount ? -1 : one.amount > other.amount ? 1 : 0;

/** As many as a payment spends, the largest first. */
const largest = (outputs: readonly HotOutput[]): HotOutput[] =>
  outputs.toSorted(bySize).toReversed().slice(0, MAX_INPUTS);

const sumOf = (outputs: readonly HotOutput[]): bigint => outputs.reduce((sum, { amount }) => sum + amount, 0n);
