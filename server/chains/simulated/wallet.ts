import * as z from "zod";
import { maxOf } from "#contract/money.ts";
import { NotEnoughFundsError, PaymentRefusedError, type Handle, type NetworkWallet, type Payment } from "../port.ts";
import type { SimulatedNode, Unspent } from "./node.ts";
import { currentFee, type SimulatedNetwork } from "./profiles.ts";
import { readTransaction, signTransaction, type TransactionBody } from "./transaction.ts";

const amount = z
  .string()
  .regex(/^[0-9]+$/)
  .transform(BigInt);

/** A handle fixes what is spent, the fee and the change, so that preparing twice yields the same bytes. */
const handleSchema = z.union([
  z.object({ nonce: z.int().nonnegative(), fee: amount }),
  z.object({
    inputs: z.array(z.object({ txId: z.string(), outputIndex: z.int() })).min(1),
    change: amount,
    fee: amount,
  }),
]);

/** The paying side of a simulated network (`port.ts`): nonces or inputs that the caller reserves. */
export function createSimulatedWallet(node: SimulatedNode, network: SimulatedNetwork): NetworkWallet {
  const { networkTitle, seed, profile, instruments, hotAddress } = network;

  const feeOf = async (slug: string): Promise<bigint> => {
    if (!instruments.has(slug)) throw new Error(`${slug} is not an instrument of ${networkTitle}`);
    return currentFee(profile, slug, await node.feePercent());
  };

  const chooseNonce = async (fee: bigint, reserved: readonly Handle[]): Promise<Handle> => {
    const taken = reserved.flatMap(({ data }) => {
      const handle = handleSchema.parse(data);
      return "nonce" in handle ? [handle.nonce + 1] : [];
    });
    const nonce = Math.max(await node.nextNonce(hotAddress), ...taken);
    return { keys: [`${hotAddress}:${nonce}`], data: { nonce, fee: fee.toString() } };
  };

  const chooseInputs = async (payment: Payment, fee: bigint, reserved: readonly Handle[]): Promise<Handle> => {
    const taken = new Set(reserved.flatMap((handle) => handle.keys));
    const free = (await node.unspent(hotAddress, payment.slug)).filter((one) => !taken.has(keyOf(one)));
    const inputs = enoughFor(payment.amount + fee, free);
    if (inputs === null)
      throw new NotEnoughFundsError(`${networkTitle} has no free outputs for ${payment.amount} of ${payment.slug}`);
    const left = sumOf(inputs) - payment.amount - fee;
    // Change that is worth less than spending it goes to the miner.
    const [change, paid] = left > fee ? [left, fee] : [0n, fee + left];
    return {
      keys: inputs.map(keyOf),
      data: {
        inputs: inputs.map(({ txId, outputIndex }) => ({ txId, outputIndex })),
        change: change.toString(),
        fee: paid.toString(),
      },
    };
  };

  return {
    networkTitle,
    hotAddress: () => hotAddress,
    hotBalance: (slug) => node.balance(hotAddress, slug),
    chooseHandle: async (payment, reserved) => {
      const { coin, reserve = 0n } = profile;
      if (payment.slug === coin && payment.amount < reserve && !(await node.exists(payment.toAddress)))
        throw new PaymentRefusedError(
          "under_reserve",
          `${payment.amount} opens no account on ${networkTitle}: ${reserve} is its reserve`,
        );
      const fee = await feeOf(payment.slug);
      return profile.model === "account" ? chooseNonce(fee, reserved) : chooseInputs(payment, fee, reserved);
    },
    maxCost: ({ data }) => handleSchema.parse(data).fee,
    prepare: async (payment, handle) => signTransaction(seed, bodyOf(networkTitle, hotAddress, payment, handle)),
    broadcast: (prepared) => node.submit(prepared),
    lookup: (txId) => node.lookup(txId),
    prepareReplacement: async (payment, handle, stuck) => {
      const fees = stuck.map((one) => readTransaction(seed, one).fee);
      const market = await feeOf(payment.slug);
      if (fees.some((fee) => fee >= market)) return null;
      const fee = maxOf(market, ...fees.map((paid) => paid + paid / 8n + 1n));
      const data = handleSchema.parse(handle.data);
      if ("nonce" in data && data.nonce !== (await node.nextNonce(hotAddress))) return null;
      // What it pays more is taken from its change.
      const change = "nonce" in data ? 0n : data.change + data.fee - fee;
      if (change < 0n) return null;
      const dearer = {
        ...handle,
        data: { ...handle.data, fee: `${fee}`, ...("change" in data && { change: `${change}` }) },
      };
      const body = bodyOf(networkTitle, hotAddress, payment, dearer);
      return { ...signTransaction(seed, body), maxCost: fee };
    },
  };
}

const keyOf = ({ txId, outputIndex }: Unspent): string => `${txId}:${outputIndex}`;
const sumOf = (outputs: readonly Unspent[]): bigint => outputs.reduce((sum, one) => sum + one.amount, 0n);

/** The smallest output that is enough by itself, else the largest ones together; `free` has the smallest first. */
function enoughFor(wanted: bigint, free: readonly Unspent[]): Unspent[] | null {
  const single = free.find((one) => one.amount >= wanted);
  if (single !== undefined) return [single];
  const chosen: Unspent[] = [];
  for (const one of free.toReversed()) {
    chosen.push(one);
    if (sumOf(chosen) >= wanted) return chosen;
  }
  return null;
}

function bodyOf(network: string, sender: string, payment: Payment, { data }: Handle): TransactionBody {
  const handle = handleSchema.parse(data);
  const { toAddress: address, toMemo: memo, slug, amount } = payment;
  const paid = { address, memo, slug, amount };
  const { fee } = handle;
  if ("nonce" in handle) return { network, sender, spends: { nonce: handle.nonce }, outputs: [paid], fee };
  const change = handle.change > 0n ? [{ address: sender, memo: null, slug, amount: handle.change }] : [];
  return { network, sender, spends: { inputs: handle.inputs }, outputs: [paid, ...change], fee };
}
