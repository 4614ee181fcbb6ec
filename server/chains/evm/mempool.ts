import { BaseError, HttpRequestError, type Hex } from "viem";
import * as z from "zod";
import type { RecentPayment } from "../port.ts";
import { decodeTransfer } from "./erc20.ts";
import type { EvmInstruments } from "./instruments.ts";
import type { EvmRpc } from "./rpc.ts";
import { addressSchema, bytesSchema, hashSchema, heightSchema, quantitySchema } from "./schemas.ts";
import { asksOnlyItself } from "./to-ourselves.ts";
import { handleOf, keyOfNonce } from "./transaction.ts";

const waitingSchema = z.object({
  hash: hashSchema,
  nonce: heightSchema,
  to: addressSchema.nullish(),
  value: quantitySchema,
  input: bytesSchema.nullish(),
  type: z.string().nullish(),
  gas: quantitySchema.optional(),
  maxFeePerGas: quantitySchema.nullish(),
  maxPriorityFeePerGas: quantitySchema.nullish(),
  gasPrice: quantitySchema.nullish(),
});
type Waiting = z.infer<typeof waitingSchema>;

/** Some nodes write an empty map as null. */
const mapOf = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string(), value)
    .nullish()
    .transform((map) => map ?? {});
const byNonceSchema = mapOf(waitingSchema);
const ofSenderSchema = z.object({ pending: byNonceSchema, queued: byNonceSchema });
/** Of other senders nothing is parsed. */
const bySenderSchema = mapOf(z.unknown());
const poolSchema = z.object({ pending: bySenderSchema, queued: bySenderSchema });

/** A node that lies could count without end. */
const MAX_UNSEEN = 100;

type Pool = (rpc: EvmRpc, from: Hex) => Promise<Waiting[]>;

const ofSender: Pool = async (rpc, from) => {
  const { pending, queued } = await rpc.call("txpool_contentFrom", [from], ofSenderSchema);
  return [...Object.values(pending), ...Object.values(queued)];
};

const ofAll: Pool = async (rpc, from) => {
  const pool = await rpc.call("txpool_content", [], poolSchema);
  return [pool.pending, pool.queued].flatMap((bySender) =>
    Object.entries(bySender)
      .filter(([sender]) => sender.toLowerCase() === from.toLowerCase())
      .flatMap(([, byNonce]) => Object.values(byNonceSchema.parse(byNonce))),
  );
};

/**
 * Lists what waits in the node's mempool from an account: also what waits behind a missing nonce, where the node shows its mempool; else as
 * many nonces as it counts above those that are mined, with what its pending block shows of them.
 */
export function createMempoolReader(rpc: EvmRpc, instruments: EvmInstruments, from: Hex) {
  const readPending = createPendingReader(rpc, from);

  /** Null where the node offers no such call. Asked anew each time: a node may offer it again, and what it said once proves nothing later. */
  const inPool = async (): Promise<Waiting[] | null> => {
    for (const pool of [ofSender, ofAll])
      try {
        return await pool(rpc, from);
      } catch (error) {
        if (!isNotOffered(error)) throw error;
      }
    return null;
  };

  return async (): Promise<RecentPayment[]> => {
    const pooled = await inPool();
    const [mined = 0, counted = 0] = await Promise.all(
      ["latest", "pending"].map((block) => rpc.call("eth_getTransactionCount", [from, block], heightSchema)),
    );
    const found = pooled ?? (await readPending(mined, counted));
    const isMined = ({ nonce }: Waiting) => nonce < mined;
    const nonces = new Set(found.map(({ nonce }) => nonce));
    const unseen: RecentPayment[] = [];
    for (let nonce = mined; nonce < counted && unseen.length < MAX_UNSEEN; nonce += 1)
      if (!nonces.has(nonce)) unseen.push({ txId: null, height: null, key: keyOfNonce(from, nonce) });
    // One that was mined meanwhile stays: no follower has read its block.
    const shown = found.map((one) => ({
      ...paymentOf(instruments, one, isMined(one) ? null : from),
      ...(asksOnlyItself(one, from) && { isToOurselves: true }),
    }));
    return [...shown, ...unseen];
  };
}

const pendingSchema = z.object({ transactions: z.array(z.looseObject({ from: addressSchema })) });

/** Reads from the node's pending block what an account has on nonces that it counts and no block has; once for the same count. */
function createPendingReader(rpc: EvmRpc, from: Hex) {
  let last = { mined: 0, counted: 0, found: [] as Waiting[] };
  return async (mined: number, counted: number): Promise<Waiting[]> => {
    if (counted <= mined) return [];
    if (last.mined === mined && last.counted === counted) return last.found;
    const withTransactions = true;
    try {
      const block = await rpc.call("eth_getBlockByNumber", ["pending", withTransactions], pendingSchema.nullable());
      const own = (block?.transactions ?? []).filter((one) => one.from === from);
      const found = z.array(waitingSchema).parse(own);
      last = { mined, counted, found: found.filter(({ nonce }) => nonce >= mined && nonce < counted) };
      return last.found;
    } catch (error) {
      // What it counts is known without it.
      if (isNotOffered(error) || error instanceof z.ZodError) return [];
      throw error;
    }
  };
}

function paymentOf(instruments: EvmInstruments, waiting: Waiting, from: Hex | null): RecentPayment {
  const { hash, to, value, input } = waiting;
  const token = to == null ? undefined : instruments.tokens.get(to);
  const asked = token === undefined ? null : decodeTransfer((input ?? "0x") as Hex);
  const pays = [
    ...(token !== undefined && asked !== null ? [{ to: asked.to, slug: token, amount: asked.amount }] : []),
    ...(to != null && value > 0n ? [{ to, slug: instruments.native, amount: value }] : []),
  ];
  return { txId: hash, height: null, pays, ...(from !== null && handleOfWaiting(from, waiting)) };
}

function handleOfWaiting(from: Hex, { nonce, gas, gasPrice, ...fees }: Waiting): Pick<RecentPayment, "key" | "data"> {
  const key = keyOfNonce(from, nonce);
  const maxFeePerGas = fees.maxFeePerGas ?? gasPrice;
  if (gas === undefined || maxFeePerGas == null) return { key };
  const maxPriorityFeePerGas = fees.maxPriorityFeePerGas ?? maxFeePerGas;
  return { key, data: handleOf({ from, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }).data };
}

/** "Invalid request", "method not found", "method not supported" (EIP-1474) and "unsupported method" (EIP-1193), as providers say it. */
const NOT_OFFERED_CODES = new Set([-32_600, -32_601, -32_004, 4_200]);
const NOT_OFFERED_STATUS = new Set([401, 403, 404, 405, 501]);

/** Whether the node has answered that it has no such call. Any other error says nothing about what waits. */
function isNotOffered(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const http = error.walk((one) => one instanceof HttpRequestError);
  if (http instanceof HttpRequestError) return http.status !== undefined && NOT_OFFERED_STATUS.has(http.status);
  return "code" in error && typeof error.code === "number" && NOT_OFFERED_CODES.has(error.code);
}
