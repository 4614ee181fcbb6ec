import { readTip, tailHashAt } from "../../chains/follower/index.ts";
import type { Handle, NetworkWallet } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";

export type Nonce = { address: string; nonce: number };

/** The account and nonce of a handle; null where its network has none. */
export function nonceOf({ keys: [key = ""], data: { nonce } }: Handle): Nonce | null {
  const [address = ""] = key.split(":");
  return typeof nonce === "number" ? { address, nonce } : null;
}

/** The nonce that the chain takes next from an account, by the newest block of our own tail; null while the node has another one there. */
export async function nextNonceOnChain(
  { database }: { database: Database },
  wallet: NetworkWallet,
  address: string,
): Promise<number | null> {
  const tip = await readTip(database.kysely, wallet.networkTitle);
  const count = tip === null ? null : ((await wallet.noncesUsed?.(address, tip)) ?? null);
  if (tip === null || count === null) return null;
  return count.hash === (await tailHashAt(database, wallet.networkTitle, tip)) ? count.used : null;
}
