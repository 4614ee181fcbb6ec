import type { Handle } from "../port.ts";
import type { Daemon } from "./daemon.ts";
import type { HotWallet } from "./hot-wallet.ts";
import { keyImagesOf } from "./key-images.ts";

/** Two days: a payment that waits for longer is held, and no longer asked about so often. */
const SEARCHED_BLOCKS = 1_440;

type Parts = { daemon: Daemon; hot: Pick<HotWallet, "outputs" | "payments"> };

/**
 * The hash of the block at `height` when a transaction other than these bytes has spent one of their key images up to it: no block can hold
 * them any more. Else null.
 */
export async function deadAt(
  { daemon, hot }: Parts,
  { bytes, txId }: { bytes: string; txId: string },
  height: number,
): Promise<string | null> {
  const ours = keyImagesOf(bytes);
  // Nearly always none is spent: what searches the wallet is asked of few payments.
  if ((await daemon.unspent(ours)).size === ours.length) return null;
  const before = await daemon.blockRefAt(height);
  // So that the wallet has seen the payments that it did not make.
  await hot.outputs((await daemon.head()).height);
  const rivals = (await hot.payments(height - SEARCHED_BLOCKS)).filter(
    (one) => one.height !== null && one.height <= height && one.txId !== txId,
  );
  for (const rival of rivals) {
    const mined = await daemon.minedKeyImages(rival.txId);
    if (mined === null || mined.height > height || !mined.keyImages.some((one) => ours.includes(one))) continue;
    // The chain up to there is the same as it was when the other was found on it.
    const after = await daemon.blockRefAt(height);
    return before !== null && after?.hash === before.hash ? before.hash : null;
  }
  return null;
}

/** Whether a transaction in a block has spent a key image of a handle. */
export async function usesHandle(daemon: Daemon, txId: string, { keys }: Handle): Promise<boolean> {
  const mined = await daemon.minedKeyImages(txId);
  return mined?.keyImages.some((keyImage) => keys.includes(keyImage)) ?? false;
}
