import * as z from "zod";
import { NORMAL_PRIORITY } from "./daemon.ts";
import type { MoneroRpc } from "./rpc.ts";
import {
  amountSchema,
  hashSchema,
  indexSchema,
  outputSchema,
  preparedSchema,
  type HotOutput,
  type SignedPayment,
} from "./schemas.ts";

const HOT_ACCOUNT = 0;

/** `amount` has left the wallet beside the fee. */
type SentTransfer = { txId: string; height: number | null; amount?: bigint; isToOurselves?: boolean };

/** monero-wallet-rpc over the wallet that pays, as far as paying needs it. */
export type HotWallet = {
  address(): Promise<string>;
  /** What it can or will be able to spend, by the chain up to `height`; throws while it has not seen that block. */
  outputs(height: number): Promise<HotOutput[]>;
  /** Makes exactly these outputs spendable. */
  spendOnly(keyImages: ReadonlySet<string>): Promise<void>;
  /** Its payments in blocks from `height` on, and those in none. One that paid nobody has brought back all that it spent but its fee. */
  payments(height: number): Promise<SentTransfer[]>;
  /** Signs a payment and sends nothing. */
  sign(address: string, amount: bigint): Promise<SignedPayment>;
};

const nothing = z.unknown();
const addressSchema = z.object({ address: z.string() });
const outputsSchema = z.object({ transfers: z.array(outputSchema).default([]) });
const sentTransfersSchema = z.object({
  /** `amount` is what has left the wallet beside the fee: all that it got back is subtracted. */
  out: z.array(z.object({ txid: hashSchema, height: indexSchema, amount: amountSchema })).default([]),
  pending: z.array(z.object({ txid: hashSchema })).default([]),
});
const heightSchema = z.object({ height: indexSchema });

export function createHotWallet(rpc: MoneroRpc): HotWallet {
  const available = async (): Promise<HotOutput[]> => {
    const asked = { transfer_type: "available", account_index: HOT_ACCOUNT };
    return (await rpc.call("incoming_transfers", asked, outputsSchema)).transfers;
  };
  return {
    address: async () => (await rpc.call("get_address", { account_index: HOT_ACCOUNT }, addressSchema)).address,
    outputs: async (at) => {
      await rpc.call("refresh", {}, nothing);
      const { height } = await rpc.call("get_height", {}, heightSchema);
      if (height <= at) throw new Error(`the wallet has seen ${height} blocks and not yet block ${at}`);
      return available();
    },
    spendOnly: async (keyImages) => {
      for (const { key_image, frozen } of await available()) {
        if (keyImages.has(key_image) !== frozen) continue;
        await rpc.call(frozen ? "thaw" : "freeze", { key_image }, nothing);
      }
    },
    payments: async (from) => {
      const asked = { out: true, pending: true, account_index: HOT_ACCOUNT, filter_by_height: true };
      // The first height is left out of the answer.
      const found = await rpc.call(
        "get_transfers",
        { ...asked, min_height: Math.max(0, from - 1) },
        sentTransfersSchema,
      );
      return [
        ...found.out.map(({ txid, height, amount }) => ({
          txId: txid,
          height,
          ...(amount === 0n ? { isToOurselves: true } : { amount }),
        })),
        ...found.pending.map(({ txid }) => ({ txId: txid, height: null })),
      ];
    },
    sign: (address, amount) =>
      rpc.call(
        "transfer",
        {
          destinations: [{ address, amount }],
          account_index: HOT_ACCOUNT,
          priority: NORMAL_PRIORITY,
          do_not_relay: true,
          get_tx_hex: true,
          get_tx_key: true,
        },
        preparedSchema,
      ),
  };
}
