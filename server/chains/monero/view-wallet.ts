import * as z from "zod";
import { createQueue } from "../../base/concurrency/queue.ts";
import { MoneroRpcError, type MoneroRpc } from "./rpc.ts";
import { indexSchema, transferSchema, type IncomingTransfer } from "./schemas.ts";

/** Account 0 is the hot wallet's; deposits are separate, as in the ledger. */
const DEPOSIT_ACCOUNT = 1;

/** monero-wallet-rpc over a wallet that can see and not spend. */
export type ViewWallet = {
  /** The hot wallet's own address. */
  primaryAddress(): Promise<string>;
  /** The subaddress of an index, known to the wallet's file before it is given, so that no deposit to it is missed. */
  depositAddress(index: bigint): Promise<string>;
  /** What came to deposit addresses in the block of a height; throws while the wallet has not seen that block. */
  transfersAt(height: number): Promise<IncomingTransfer[]>;
  /** What waits in the pool for deposit addresses, without what another transaction of the pool or a block spends too. */
  unconfirmed(): Promise<IncomingTransfer[]>;
  /** How many blocks it has seen; proves that it answers. */
  height(): Promise<number>;
};

const WATCH_ONLY = -29;
const NOTHING_TO_SIGN = -39;
/** The account, or the address in it, has not been made. */
const MISSING = [-14, -15];
/** The maximum that one call creates. */
const CREATED_AT_ONCE = 64;
/** Addresses that are created beyond the requested one, so that the file is seldom written. */
const AHEAD = 256;

const addressesSchema = z.object({
  address: z.string(),
  addresses: z.array(z.object({ address: z.string() })).default([]),
});
const madeSchema = z.object({ address_indices: z.array(indexSchema).min(1) });
const accountsSchema = z.object({ subaddress_accounts: z.array(z.object({ account_index: indexSchema })) });
const transfersSchema = z.object({ in: z.array(transferSchema).default([]) });
const poolSchema = z.object({ pool: z.array(transferSchema.extend({ double_spend_seen: z.boolean() })).default([]) });
const heightSchema = z.object({ height: indexSchema });
const nothing = z.unknown();

/** A wallet that could spend is refused (engine law 14). */
export function createViewWallet(rpc: MoneroRpc): ViewWallet {
  const inTurn = createQueue();
  let isChecked = false;
  const checkViewOnly = async (): Promise<void> => {
    if (isChecked) return;
    await requireViewOnly(rpc);
    isChecked = true;
  };

  const find = async (index: bigint): Promise<string | null> => {
    try {
      const asked = { account_index: DEPOSIT_ACCOUNT, address_index: [index] };
      const { addresses } = await rpc.call("get_address", asked, addressesSchema);
      return addresses[0]?.address ?? null;
    } catch (error) {
      if (error instanceof MoneroRpcError && MISSING.includes(error.code)) return null;
      throw error;
    }
  };

  const createUpTo = async (index: bigint): Promise<void> => {
    const { subaddress_accounts } = await rpc.call("get_accounts", {}, accountsSchema);
    if (subaddress_accounts.length <= DEPOSIT_ACCOUNT) await rpc.call("create_account", { label: "deposits" }, nothing);
    for (let last = -1; last < index + BigInt(AHEAD);) {
      const asked = { account_index: DEPOSIT_ACCOUNT, count: CREATED_AT_ONCE };
      last = Math.max(...(await rpc.call("create_address", asked, madeSchema)).address_indices);
    }
    // A wallet that restarts from an older file would scan past addresses that it has forgotten.
    await rpc.call("store", {}, nothing);
  };

  const height = async () => (await rpc.call("get_height", {}, heightSchema)).height;

  return {
    height: async () => {
      await checkViewOnly();
      return height();
    },
    primaryAddress: async () => (await rpc.call("get_address", { account_index: 0 }, addressesSchema)).address,
    depositAddress: (index) =>
      inTurn(async () => {
        await checkViewOnly();
        const known = await find(index);
        if (known !== null) return known;
        await createUpTo(index);
        const made = await find(index);
        if (made === null) throw new Error(`the wallet made no deposit address ${index}`);
        return made;
      }),
    transfersAt: async (at) => {
      await checkViewOnly();
      await rpc.call("refresh", {}, nothing);
      const seen = await height();
      if (seen <= at) throw new Error(`the wallet has seen ${seen} blocks and not yet block ${at}`);
      const range = { filter_by_height: true, min_height: at - 1, max_height: at };
      const asked = { in: true, account_index: DEPOSIT_ACCOUNT, ...(at > 0 && range) };
      const { in: found } = await rpc.call("get_transfers", asked, transfersSchema);
      return found.filter((transfer) => transfer.height === at);
    },
    unconfirmed: async () => {
      await checkViewOnly();
      const { pool } = await rpc.call("get_transfers", { pool: true, account_index: DEPOSIT_ACCOUNT }, poolSchema);
      return pool.filter(({ double_spend_seen }) => !double_spend_seen);
    },
  };
}

/** Requests a signature of nothing: a view-only wallet refuses at once, one with the spend key reports that there is nothing to sign. */
async function requireViewOnly(rpc: MoneroRpc): Promise<void> {
  try {
    await rpc.call("sign_transfer", { unsigned_txset: "00" }, nothing);
  } catch (error) {
    if (error instanceof MoneroRpcError && error.code === WATCH_ONLY) return;
    if (!(error instanceof MoneroRpcError && error.code === NOTHING_TO_SIGN)) throw error;
  }
  throw new Error("the wallet that reads deposits holds a spend key; it must be a view-only one");
}
