import * as z from "zod";
import { hexOfBase58 } from "../addresses/trx.ts";
import type { Payment, PreparedPayment } from "../port.ts";
import { TRANSFER } from "./contract-calls.ts";
import type { TronAccount } from "./keys.ts";
import { hashSchema } from "./schemas.ts";

const sun = z.string().regex(/^\d+$/).transform(BigInt);
const bytes = (count: number) => z.string().regex(new RegExp(`^[0-9a-f]{${count * 2}}$`));

/**
 * A handle fixes the time until which a block may take the payment, and all else but the payment: preparing twice
 * yields the same bytes.
 */
export const handleSchema = z.object({
  from: z.string(),
  refBlockBytes: bytes(2),
  refBlockHash: bytes(8),
  /** Milliseconds of the chain's own clock. */
  expiration: z.int().positive(),
  timestamp: z.int().positive(),
  /** The maximum TRX that it may burn, and the part of it for the energy of a call. */
  cost: sun,
  feeLimit: sun.nullable(),
});
export type TronHandle = z.infer<typeof handleSchema>;

/** What is stored of a signed transaction: the JSON that `/wallet/broadcasttransaction` takes. */
const signedSchema = z.looseObject({
  txID: hashSchema,
  raw_data: z.looseObject({
    ref_block_bytes: bytes(2),
    ref_block_hash: bytes(8),
    expiration: z.int().positive(),
  }),
  signature: z.array(z.string()).length(1),
});
export type SignedTransaction = z.infer<typeof signedSchema>;

export const readSigned = ({ raw }: Pick<PreparedPayment, "raw">): SignedTransaction =>
  signedSchema.parse(JSON.parse(raw));

/** Builds and signs a payment without calling a node. `contract` is null for the network's own coin. */
export async function signPayment(
  account: TronAccount,
  contract: string | null,
  payment: Payment,
  handle: TronHandle,
): Promise<PreparedPayment> {
  // A large library that only a process with keys needs.
  const { TronWeb, utils } = await import("tronweb");
  const { transactionBuilder } = new TronWeb({ fullHost: "http://node.invalid" });
  const blockHeader = {
    ref_block_bytes: handle.refBlockBytes,
    ref_block_hash: handle.refBlockHash,
    expiration: handle.expiration,
    timestamp: handle.timestamp,
  };
  const from = hexOfBase58(account.address);
  const to = hexOfBase58(payment.toAddress);

  const build = async () => {
    if (contract === null) return transactionBuilder.sendTrx(to, exact(payment.amount), from, { blockHeader });
    if (handle.feeLimit === null) throw new Error("a token's transfer needs a fee limit");
    const parameters = [
      { type: "address", value: to },
      { type: "uint256", value: payment.amount.toString() },
    ];
    const options = { txLocal: true, feeLimit: exact(handle.feeLimit), blockHeader };
    const { transaction } = await transactionBuilder.triggerSmartContract(
      hexOfBase58(contract),
      TRANSFER,
      options,
      parameters,
      from,
    );
    return transaction;
  };
  const signed = utils.crypto.signTransaction(account.privateKey, await build());
  if (!utils.transaction.txCheck(signed)) throw new Error("the transaction is not what its bytes say");
  const raw = JSON.stringify(signed);
  return { raw, txId: readSigned({ raw }).txID };
}

/** The library counts in numbers. */
function exact(amount: bigint): number {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`${amount} sun is more than can be paid at once`);
  return Number(amount);
}
